import ISBN
import LinearAssignment
import SpineHeuristics
import _CLibrary

extension BookCatalogue {
  /// The least probability of a match.
  ///
  /// Set so that at most one match in a hundred was wrong on spines that were read with errors
  /// (`Docs/Shelves.md`).
  public static let leastProbability = 0.7

  /// Matches the books of a shelf with the catalogue.
  ///
  /// The result has the books in the catalogue, the missing entries and the unknown books. An ISBN
  /// on the spine decides. Otherwise, the entries that share most trigrams with the text of the
  /// spine are compared word by word. If a word of title or author is on the spine, it is evidence
  /// for the entry. Up to a quarter of its letters may be misread. A word that is rare in the
  /// catalogue is stronger evidence. Words that are not on the spine, and words of the proposed
  /// title that the entry does not have, are evidence against it. By Bayes' rule this gives a
  /// probability, with prior odds of two to one that a spine is in the catalogue. Each entry is
  /// assigned to at most one spine, so that the sum of probabilities is largest; copies of a book
  /// are separate entries.
  ///
  /// Complexity: O(*s* (*t* + *k* *l*²)) for *s* spines with *l* letters each, *t* entries that
  /// share a trigram with one, and *k* = 24 entries that are compared word by word.
  ///
  /// - Parameter shelf: the read shelf.
  /// - Parameter leastProbability: the least probability of a match, above 0 and at most 1.
  public func matches(
    of shelf: Shelf, leastProbability: Double = BookCatalogue.leastProbability
  ) -> CatalogueMatches {
    var pairs: [Assignment.Pair] = []
    for (row, spine) in shelf.books.enumerated() {
      for (book, probability) in probabilities(of: spine) where probability >= leastProbability {
        for entry in index.books[book].copies {
          pairs.append(Assignment.Pair(row: row, column: entry, cost: 1 - probability))
        }
      }
    }
    let assignment = Assignment(rows: shelf.books.count, columns: entries.count, pairs: pairs)
    let costs = Dictionary(
      pairs.map { ([$0.row, $0.column], $0.cost) }, uniquingKeysWith: min)
    let matches = assignment.columnOfRow.enumerated().map { row, column in
      column.map {
        CatalogueMatches.Match(entry: $0, probability: 1 - (costs[[row, $0]] ?? 1))
      }
    }
    let unknown = shelf.books.indices.filter { index in
      let book = shelf.books[index]
      return matches[index] == nil && !(book.lines.isEmpty && book.barcodes.isEmpty)
    }
    let missing = entries.indices.filter { assignment.rowOfColumn[$0] == nil }
    return CatalogueMatches(matches: matches, missing: missing, unknown: unknown)
  }

  /// The greatest number of books that are compared word by word.
  private static let closeLooks = 24

  /// The books of the catalogue that a spine may be, with probabilities that sum to at most 1.
  func probabilities(of spine: ShelfBook) -> [(book: Int, probability: Double)] {
    for isbn in spine.isbns {
      if let book = index.byISBN[isbn] { return [(book, 0.999)] }
    }
    let text = SpineText(spine.lines.map(\.text))
    guard text.letters.count >= 2 else { return [] }
    let proposal = TitleWords(spine)
    let scored = index.candidates(for: text.lines, count: Self.closeLooks).map { book in
      (book: book, evidence: Evidence(of: index.books[book], on: text, proposal).sum)
    }
    // Odds of two to one that it is in the catalogue, and then each of the books alike.
    let prior = log(2 / Double(max(index.books.count, 1)))
    let values = scored.map { prior + $0.evidence }
    let largest = values.reduce(0, max)
    let sum = values.reduce(exp(-largest)) { $0 + exp($1 - largest) }
    return zip(scored, values).map { ($0.book, exp($1 - largest) / sum) }
      .filter { $0.1 > 0.001 }
  }
}

/// The words of the title that a spine proposes.
private struct TitleWords {
  let words: [[Unicode.Scalar]]
  /// All letters of the title.
  let letters: [Unicode.Scalar]
  /// Whether an author is proposed as well.
  let hasAuthor: Bool

  init(_ spine: ShelfBook) {
    letters = Array(Lexicon.key(of: spine.title ?? "").unicodeScalars)
    hasAuthor = spine.author != nil
    words = (spine.title ?? "").split(separator: " ")
      .map { Array(Lexicon.key(of: $0).unicodeScalars) }
      .filter {
        $0.count >= 4 && !Lexicon.functionWords.contains(String(String.UnicodeScalarView($0)))
      }
  }
}

/// How much the text on a spine speaks for a book: a logarithm of a likelihood ratio.
private struct Evidence {
  private(set) var sum = 0.0

  init(of book: CatalogueIndex.Book, on text: SpineText, _ proposal: TitleWords) {
    var missed: [[Unicode.Scalar]] = []
    var missedLetters = 0
    for word in book.title {
      guard let distance = text.distance(to: word.letters) else {
        // A line that was not read takes several words with it.
        sum -= word.letters.count <= 3 ? 0.5 : missed.count < 2 ? 2.2 : 1.2
        if word.letters.count > 3 { missed.append(word.letters) }
        missedLetters += word.letters.count
        continue
      }
      sum += Self.gain(word, distance, length: text.letters.count, isSeen: 0.85)
    }
    // If less than half of the title is there, it is another book, even by the same author.
    let title = book.title.flatMap(\.letters)
    if 2 * missedLetters > title.count { sum -= missedLetters == title.count ? 6 : 4 }
    // The whole title, and nothing but it.
    if abs(title.count - proposal.letters.count) <= title.count / 8,
      SpineText.distance(of: title, in: proposal.letters) <= title.count / 8
    {
      sum += 3
    }
    sum += Self.author(of: book, on: text, isNamed: proposal.hasAuthor)
    for word in book.subtitle where word.letters.count >= 4 {
      guard let distance = text.distance(to: word.letters) else { continue }
      sum += min(1.5, Self.gain(word, distance, length: text.letters.count, isSeen: 0.5))
    }
    var strange = 0
    var isOther = false
    for word in proposal.words {
      let limit = word.count < 7 ? 1 : 2
      guard SpineText.distance(of: word, in: book.letters) > limit else { continue }
      strange += 1
      let isMisread = missed.contains {
        5 * SpineText.distance(of: $0, in: word) <= 3 * $0.count
      }
      if !missed.isEmpty, !isMisread { isOther = true }
    }
    // Another word in the place of one: the next volume of a series, and no misreading.
    if isOther { sum -= 7 }
    sum -= 2.2 * Double(min(strange, 4))
  }

  /// The rarest word of the author that is there counts, others half.
  private static func author(
    of book: CatalogueIndex.Book, on text: SpineText, isNamed: Bool
  ) -> Double {
    guard !book.author.isEmpty else { return 0 }
    let gains = book.author.filter { $0.letters.count >= 3 }.compactMap { word in
      text.distance(to: word.letters).map {
        gain(word, $0, length: text.letters.count, isSeen: 0.7)
      }
    }.sorted(by: >)
    // Spines often do without, and names are set small; another name is another matter.
    guard let first = gains.first else { return isNamed ? -3 : -1 }
    return first + 0.5 * gains.dropFirst().reduce(0, +)
  }

  /// What a word that is there says: how often it would be for this book, over how often by chance.
  private static func gain(
    _ word: CatalogueIndex.Word, _ distance: Int, length: Int, isSeen: Double
  ) -> Double {
    let count = word.letters.count
    // The probability that this number of letters agrees by chance, with about twelve equally
    // frequent ones.
    let agreeing = Double(count - distance)
    let ways = distance == 0 ? 1 : pow(2 * Double(count), Double(distance))
    let isIdeographic = word.letters[0].value >= 0x2E80
    let misread = Double(length) * ways * pow(isIdeographic ? 300 : 12, -agreeing)
    // Books that are in no catalogue have the word too, a long one less often than a short one.
    let elsewhere =
      0.002 * pow(isIdeographic ? 0.25 : 0.6, max(0, agreeing - (isIdeographic ? 2 : 4)))
    let chance = min(0.9, misread + word.share + max(elsewhere, 0.00002))
    let seen = isSeen * (distance == 0 ? 0.8 : distance == 1 ? 0.15 : 0.05)
    return max(-0.5, log(seen / chance))
  }
}
