import Geometry

/// A line of a spine in reading order, as words, with the facts that matter for its role.
struct WrittenLine {
  /// The words, with missing spaces restored.
  let words: [String]
  /// The same words; misread letters are corrected if that gives a word.
  let mended: [String]
  /// The indices of words after a dash, a dot or a bar that separates title and author.
  let breaks: Set<Int>
  /// Those of ``breaks`` at which capitals change to only small letters, or the reverse.
  let changes: Set<Int>
  /// The height of letters over the largest on the spine, 0...1.
  let height: Double
  /// The number of the group of lines that are side by side.
  let block: Int
  /// The direction of reading.
  let direction: Point
  /// The degree to which it differs from the others; 0 if it does not.
  ///
  /// It is in another script, or repeats one of them.
  let strangeness: Double
  /// Whether quotation marks or a dash before a name show that it is praise for the book.
  let isQuotation: Bool
  /// The doubt of the recognizer: 0 from a confidence of 0.95 on, 1.35 at a confidence of one half.
  let doubt: Double
  /// The distance of its start from the end of the lines before its block, in heights of the
  /// largest letters; 0 to 5.
  let gap: Double
  /// Whether it is the last of several lines.
  let isLast: Bool
  /// Whether it is all capitals, or all small letters after the first; nil if it is neither.
  let isCapital: Bool?
  /// Its start and length along the text, in its own heights.
  private let place: (start: Double, length: Double)

  /// The greatest number of lines; of more, those with the largest letters are used.
  static let most = 24

  var text: String { words.joined(separator: " ") }

  /// The lines of blocks in reading order.
  static func lines(of blocks: [[SpineTextLine]]) -> [WrittenLine] {
    var all = spelled(
      blocks.enumerated().flatMap { block, lines in lines.map { (block: block, line: $0) } })
    if all.count > most {
      let heights = all.map(\.line.letterHeight).sorted(by: >)
      all = Array(all.filter { $0.line.letterHeight >= heights[most - 1] }.prefix(most))
    }
    let largest = largestHeight(in: all)
    var seen = Set<String>()
    // Repeated lines count once.
    all = all.filter { line in
      let key = Lexicon.key(of: line.line.text)
      return key.count < 4 || seen.insert(key).inserted
    }
    let keys = all.map { Lexicon.key(of: $0.line.text) }
    let spans = all.map { $0.line.span(along: all[0].line.direction) }
    let isPlain = isMostlyPlain(all)
    let ends = Dictionary(zip(all.map(\.block), spans.map(\.end)), uniquingKeysWith: max)
    let lastBlock = all.last?.block
    return all.enumerated().compactMap { index, item in
      let (block, line) = item
      guard let direction = line.direction else { return nil }
      let (words, marks) = parts(of: line.text)
      let changes = caseChanges(in: words).subtracting(marks)
      let breaks = marks.union(changes)
      guard !words.isEmpty else { return nil }
      let key = Lexicon.key(of: line.text)
      let isNew =
        key.count < 6 || !keys.contains { $0.count > key.count + 3 && $0.holds(key) }
      let isStrange = isPlain && line.text.isIdeographic
      let before = ends.filter { $0.key < block }.values.max()
      let height = max(line.letterHeight, 1e-9)
      let place = (
        start: spans[index].start / height, length: (spans[index].end - spans[index].start) / height
      )
      let begin = line.text.first { !$0.isWhitespace }
      return WrittenLine(
        words: words, mended: words.map(Misreadings.mended), breaks: breaks, changes: changes,
        height: largest > 0 ? min(1, max(0.02, line.letterHeight / largest)) : 1, block: block,
        direction: direction, strangeness: (isNew ? 0 : 4) + (isStrange ? 3 : 0),
        isQuotation: begin.map { "\"“”„«'‘—–-".contains($0) } == true && line.text.count > 12,
        doubt: min(1.5, max(0, 3 * (0.95 - line.confidence))),
        gap: min(
          5, max(0, (spans[index].start - (before ?? spans[index].start)) / max(largest, 1e-9))),
        isLast: all.count > 1 && block == lastBlock,
        isCapital: isCapital(line.text), place: place)
    }
  }

  /// The height of the largest letters, by which the others are measured.
  ///
  /// A publisher's mark in large letters is not a measure for other lines.
  private static func largestHeight(in all: [(block: Int, line: SpineTextLine)]) -> Double {
    let counted = all.filter {
      letters(in: $0.line.text) > 2 && Lexicon.publisher($0.line.text) < 1
    }
    return (counted.isEmpty ? all : counted).map(\.line.letterHeight).max() ?? 1
  }

  /// Whether Chinese, Japanese and Korean lines are the exception.
  private static func isMostlyPlain(_ all: [(block: Int, line: SpineTextLine)]) -> Bool {
    func area(_ isIdeographic: Bool) -> Double {
      all.filter { $0.line.text.isIdeographic == isIdeographic }
        .reduce(0) { $0 + Double(letters(in: $1.line.text)) * $1.line.letterHeight }
    }
    return area(false) > 2 * area(true)
  }

  /// The distance between the starts of a word and of a word in another line, in heights.
  func distance(ofWord word: Int, from other: WrittenLine, word second: Int) -> Double {
    abs(start(ofWord: word) - other.start(ofWord: second))
  }

  private func start(ofWord word: Int) -> Double {
    let before = words[..<word].reduce(0) { $0 + $1.count }
    let all = words.reduce(0) { $0 + $1.count }
    return place.start + place.length * Double(before) / Double(max(all, 1))
  }

  /// Whether there are only capitals before a word, and some small letters from it on.
  func changesCase(at word: Int) -> Bool {
    let before = words[..<word].joined().filter(\.isCased)
    return !before.isEmpty && before.allSatisfy(\.isUppercase)
      && words[word...].joined().contains(where: \.isLowercase)
  }

  private static func isCapital(_ text: String) -> Bool? {
    let letters = text.filter(\.isCased)
    guard letters.count >= 3 else { return nil }
    let capitals = letters.count(where: \.isUppercase)
    if 4 * capitals >= 3 * letters.count { return true }
    return 2 * capitals <= letters.count ? false : nil
  }

  /// Whether its direction of reading differs from that of another line.
  func isTurned(from other: WrittenLine) -> Bool {
    direction.x * other.direction.x + direction.y * other.direction.y < 0.8
  }

  static func letters(in text: String) -> Int { text.count { $0.isLetter || $0.isNumber } }

  /// Letters below each other as one word.
  private static func spelled(
    _ lines: [(block: Int, line: SpineTextLine)]
  ) -> [(block: Int, line: SpineTextLine)] {
    var result: [(block: Int, line: SpineTextLine)] = []
    var index = 0
    while index < lines.count {
      var end = index
      let height = lines[index].line.letterHeight
      while end < lines.count, lines[end].line.text.count == 1,
        lines[end].line.text.allSatisfy(\.isLetter), !lines[end].line.text.isIdeographic,
        lines[end].line.letterHeight <= 2 * height, height <= 2 * lines[end].line.letterHeight
      {
        end += 1
      }
      if end - index >= 3 {
        var line = lines[index]
        line.line.text = lines[index..<end].map(\.line.text).joined()
        result.append(line)
        index = end
      } else {
        result.append(lines[index])
        index += 1
      }
    }
    return result
  }

  /// The words, and the indices of those before which a mark separates two things.
  private static func parts(of text: String) -> (words: [String], breaks: Set<Int>) {
    var words: [String] = []
    var breaks = Set<Int>()
    let pieces = text.split(whereSeparator: { "·•|—–*".contains($0) }).flatMap { split(atDash: $0) }
    for piece in pieces {
      let found = WordSeparation.words(of: String(piece))
        .map { trimmed($0) }.filter {
          $0.contains { $0.isLetter || $0.isNumber } || ["", "&", "+", "&+"].contains($0)
        }
      guard !found.isEmpty else { continue }
      if !words.isEmpty { breaks.insert(words.count) }
      words += found
    }
    return (words, breaks)
  }

  /// The indices of words at which a text changes from capitals to small letters for good, or back.
  ///
  /// For example "ELMER Gerry Alanguilan".
  private static func caseChanges(in words: [String]) -> Set<Int> {
    func isCapital(_ word: String) -> Bool? {
      let letters = word.filter(\.isLetter)
      guard letters.count >= 2, letters.contains(where: \.isCased) else { return nil }
      let capitals = letters.count(where: \.isUppercase)
      // Recognizers mistake a small capital for a small letter.
      return capitals == letters.count || letters.count >= 5 && 4 * capitals >= 3 * letters.count
    }
    let kinds = words.map(isCapital)
    var changes = Set<Int>()
    for cut in 1..<max(words.count, 1) {
      let before = kinds[..<cut].compactMap { $0 }
      let after = kinds[cut...].compactMap { $0 }
      guard let first = before.first, let second = after.first, first != second,
        before.allSatisfy({ $0 == first }), after.allSatisfy({ $0 == second })
      else { continue }
      // Names and titles in small letters begin with a capital.
      if kinds[cut] != nil,
        words[cut].first?.isUppercase == true || words[cut].first?.isNumber == true
      {
        changes.insert(cut)
      }
    }
    return changes
  }

  /// "HAROLD PINTER-The Dwarfs", but not "Saint-Exupéry" or "KUBE-McDOWELL".
  private static func split(atDash text: Substring) -> [Substring] {
    let words = text.split(separator: " ")
    guard words.count >= 2 else { return [text] }
    for (index, letter) in zip(text.indices, text) where letter == "-" {
      let before = text[..<index]
      let after = text[text.index(after: index)...]
      let isSpaced = before.last == " " || after.first == " "
      // A name in capitals before it, and small letters after it.
      let start = before.split(separator: " ").last ?? ""
      let end = after.split(separator: " ").first ?? ""
      let isCaseChange =
        start.count > 2 && start.allSatisfy(\.isUppercase) && end.count > 2
        && end.dropFirst().contains(where: \.isLowercase) && !end.hasPrefix("Mc")
      if isSpaced || isCaseChange, !before.isEmpty, !after.isEmpty {
        return [before] + split(atDash: after)
      }
    }
    return [text]
  }

  /// The word without marks at its ends that are not part of it.
  private static func trimmed(_ word: String) -> String {
    let marks = "-–—·•|/:;,@®™°\"“”„«»*~_=^<>[]{}"
    var inside = Substring(word)
    while let first = inside.first, marks.contains(first) { inside.removeFirst() }
    let keeps = ":;,"
    while let last = inside.last, marks.contains(last), !keeps.contains(last) {
      inside.removeLast()
    }
    return String(inside)
  }
}

extension String {
  /// Whether it contains `part`.
  ///
  /// The standard library's own function is newer than macOS 12 and iOS 15.
  fileprivate func holds(_ part: String) -> Bool {
    indices.contains { self[$0...].starts(with: part) }
  }
}
