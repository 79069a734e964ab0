import ISBN
import SpineHeuristics

/// The words of a catalogue, and in which of its books they are.
struct CatalogueIndex: Sendable {
  /// A book, of which the catalogue may have several copies.
  struct Book: Sendable {
    let title: [Word]
    let subtitle: [Word]
    /// The words of the names; of the family names it is not known which they are.
    let author: [Word]
    /// The letters of all of it, to find what of a spine it explains.
    let letters: [Unicode.Scalar]
    let isbn: ISBN13?
    /// The entries that are copies of it.
    var copies: [Int]
  }

  /// A word in lower case without marks.
  struct Word: Sendable {
    let letters: [Unicode.Scalar]
    /// The share of books that have it.
    var share = 0.0
  }

  private(set) var books: [Book] = []
  private(set) var byISBN: [ISBN13: Int] = [:]
  /// Books by their whole title, for titles that are too short for trigrams.
  private var byTitle: [String: [Int]] = [:]
  /// Books by three letters of title or author, each once.
  private var byTrigram: [UInt64: [Int32]] = [:]
  /// The number of different trigrams of each book.
  private var sizes: [Double] = []

  init(_ entries: [BookCatalogue.Entry]) {
    var known: [String: Int] = [:]
    for (place, entry) in entries.enumerated() {
      let title = Lexicon.key(of: entry.title)
      let key = "\(title)/\(Lexicon.key(of: entry.author ?? ""))/\(entry.isbn?.description ?? "")"
      if let book = known[key] {
        books[book].copies.append(place)
        continue
      }
      known[key] = books.count
      byTitle[title, default: []].append(books.count)
      if let isbn = entry.isbn, byISBN[isbn] == nil { byISBN[isbn] = books.count }
      books.append(Self.book(entry, place))
    }
    share()
    for (index, book) in books.enumerated() {
      let trigrams = Set(Self.trigrams(of: book.title.flatMap(\.letters)))
        .union(Self.trigrams(of: book.author.flatMap(\.letters)))
      sizes.append(Double(max(trigrams.count, 1)))
      for trigram in trigrams {
        byTrigram[trigram, default: []].append(Int32(truncatingIfNeeded: index))
      }
    }
  }

  private static func book(_ entry: BookCatalogue.Entry, _ place: Int) -> Book {
    let title = words(of: entry.title)
    let subtitle = words(of: entry.subtitle ?? "")
    let author = words(of: entry.author ?? "")
    return Book(
      title: title, subtitle: subtitle, author: author,
      letters: (title + subtitle + author).flatMap(\.letters), isbn: entry.isbn, copies: [place])
  }

  /// At most 40 words: more is a description.
  private static func words(of text: String) -> [Word] {
    text.split { !$0.isLetter && !$0.isNumber && !"'’".contains($0) }.prefix(40)
      .map { Word(letters: Array(Lexicon.key(of: $0).unicodeScalars)) }
      .filter { !$0.letters.isEmpty }
  }

  /// Counts in how many books each word is.
  private mutating func share() {
    var counts: [[Unicode.Scalar]: Int] = [:]
    for book in books {
      for word in Set((book.title + book.author).map(\.letters)) { counts[word, default: 0] += 1 }
    }
    let total = Double(books.count) + 1
    func shared(_ words: [Word]) -> [Word] {
      words.map { Word(letters: $0.letters, share: Double(counts[$0.letters] ?? 0) / total) }
    }
    for (index, book) in books.enumerated() {
      books[index] = Book(
        title: shared(book.title), subtitle: shared(book.subtitle), author: shared(book.author),
        letters: book.letters, isbn: book.isbn, copies: book.copies)
    }
  }

  /// Three letters in a row, each as one number.
  private static func trigrams(of letters: [Unicode.Scalar]) -> [UInt64] {
    guard letters.count >= 3 else { return [] }
    return (0...(letters.count - 3)).map { start in
      letters[start..<start + 3].reduce(0) { $0 << 21 | UInt64($1.value) }
    }
  }

  /// The books that share most with the text on a spine, at most `count` of them.
  ///
  /// Rare trigrams count more; those in every tenth book or more are skipped in large catalogues.
  func candidates(for lines: [[Unicode.Scalar]], count: Int) -> [Int] {
    var weights: [Int32: Double] = [:]
    let limit = max(200, books.count / 10)
    for trigram in Set(Self.trigrams(of: lines.flatMap { $0 })) {
      guard let found = byTrigram[trigram], found.count <= limit else { continue }
      let weight = Double(books.count + 1) / Double(found.count)
      // The logarithm of rarity, about: the number of bits.
      let bits = Double(weight.exponent) + 1
      for book in found { weights[book, default: 0] += bits }
    }
    let scored = weights.map { (book: Int($0), score: $1 * $1 / sizes[Int($0)]) }
      .sorted { ($1.score, $0.book) < ($0.score, $1.book) }
    var result = scored.prefix(count).map(\.book)
    let short = lines.map { line in String(String.UnicodeScalarView(line)) }.filter {
      $0.count <= 4
    }
    for line in short where !line.isEmpty {
      for book in byTitle[line]?.prefix(8) ?? [] where !result.contains(book) {
        result.append(book)
      }
    }
    return result
  }
}
