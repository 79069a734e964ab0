import _CLibrary

/// What a piece of the text on a spine is.
enum SpineRole {
  case title, subtitle, author, volume, publisher, series, edition, other
}

/// A piece of the text on a spine with a role.
struct SpinePart {
  let role: SpineRole
  let text: String
  /// The lines that it is on.
  let lines: Range<Int>
  /// The height of its letters over the largest on the spine, 0...1.
  let height: Double
  /// How well it fits the role by itself: a logarithm of odds, about.
  let score: Double
}

extension SpinePart {
  /// What a piece of text is worth in a role, by its words and the size of its letters; nil if it can't be.
  ///
  /// The weights were set by hand, from how spines look, and are logarithms of odds.
  static func score(
    _ role: SpineRole, _ text: String, _ name: WrittenName?, height: Double, line: WrittenLine
  ) -> Double? {
    let size = max(-2.5, log(max(height, 0.02)))
    let letters = WrittenLine.letters(in: text)
    switch role {
    case .title:
      return titleScore(text, name, height: height, size: size, letters: letters)
        - line.strangeness - (line.isQuotation ? 3 : 0)
    case .subtitle:
      let words = text.split(separator: " ")
      guard words.count >= 2 || letters >= 8 else { return nil }
      return -1.1 + (words.count >= 4 ? 0.5 : 0) - 0.2 * size - nonsense(text, letters, height)
        - 2.5 * Lexicon.edition(text) - 2 * Lexicon.series(text) - 2 * Lexicon.publisher(text)
        - (name.map { 1.5 * $0.likelihood } ?? 0) - line.strangeness
        - (line.isQuotation ? 2.5 : 0) - (words.count > 14 ? 1.5 : 0)
    case .author:
      guard let name, name.likelihood >= 0.25, !name.name.isEmpty else { return nil }
      return -2.6 + 4.8 * name.likelihood + (name.isIntroduced ? 2 : 0)
        + (name.likelihood < 0.7 ? 0.7 : 0.25) * size
        - 3 * Lexicon.publisher(text) - 3 * Lexicon.series(text) - line.strangeness
        - (line.isQuotation ? 2.5 : 0)
    case .volume: return known(Lexicon.volume(text), size: size, least: 0.3)
    case .publisher: return known(Lexicon.publisher(text), size: size, least: 0.3)
    case .series:
      return known(Lexicon.series(text), size: size, least: 0.3).map { $0 - (height > 0.8 ? 2 : 0) }
    case .edition: return known(Lexicon.edition(text), size: size, least: 0.5)
    case .other:
      let isMark = letters <= 2 && height < 0.98 || letters == 1
      return -3.2 - 1.6 * size + (isMark ? 2.2 : 0) + nonsense(text, letters, height)
        + line.strangeness + (line.isQuotation ? 3 : 0)
        + (text.split(separator: " ").count > 14 ? 1.5 : 0)
    }
  }

  /// The least score of what is known by its words for certain.
  static let sure = 2.3

  private static func known(_ likelihood: Double, size: Double, least: Double) -> Double? {
    likelihood >= least ? -1.6 + 4 * likelihood - 0.5 * size : nil
  }

  private static func titleScore(
    _ text: String, _ name: WrittenName?, height: Double, size: Double, letters: Int
  ) -> Double {
    let words = text.split(separator: " ").map { Lexicon.key(of: $0) }
    let functions = words.count { Lexicon.functionWords.contains($0) }
    let known = words.count { Lexicon.isWord($0) && !PersonNames.given.contains($0) }
    var score = 0.1 + 1.5 * size
    score += 1.1 * Double(known) / Double(max(words.count, 1))
    if functions > 0, functions < words.count { score += 0.6 }
    // In large letters the name of a kind of book is a title: "CRIME".
    score -= 3.2 * Lexicon.publisher(text) + 3.5 * Lexicon.edition(text)
    score -= (size > -0.25 ? 1.2 : 3) * Lexicon.series(text)
    if Lexicon.volume(text) >= 0.7 { score -= 2 }
    if name?.introducesOthers == true { score -= 5 }
    if let name { score -= 1.8 * name.likelihood + (name.isIntroduced ? 1.5 : 0) }
    if letters == 1 { score -= 2 }
    // "Philip K." goes on.
    if let last = text.split(separator: " ").last, last.hasSuffix("."),
      WrittenName.isInitials(String(last))
    {
      score -= 2
    }
    if words.count > 12 { score -= 1.5 }
    if words.count > 20 { score -= 2 }
    return score - nonsense(text, letters, height)
  }

  /// How little a text is made of words: codes of a library, ornaments that were read as letters.
  private static func nonsense(_ text: String, _ letters: Int, _ height: Double) -> Double {
    let digits = text.count(where: \.isNumber)
    if text.isIdeographic { return letters == 1 ? 1.5 : 0 }
    let marks = text.count {
      !$0.isLetter && !$0.isNumber && !$0.isWhitespace && !"'’.,:&-!?".contains($0)
    }
    var score = marks > 0 && 4 * marks > letters ? 1.5 : 0
    if digits > 0 {
      let longest = text.split(whereSeparator: { !$0.isLetter }).map(\.count).max() ?? 0
      // A year or a number may be a title, more digits or digits among letters may not.
      if longest < 3, digits > 4 || longest > 0 { score += 2 }
      if longest == 0, digits <= 4 { score += 0.8 }
      if digits == 4, longest == 0, height < 0.7, text.hasPrefix("19") || text.hasPrefix("20") {
        score += 1.5
      }
    } else if letters >= 3, letters <= 12, !text.contains(" ") {
      if letters <= 3, !Lexicon.isWord(Lexicon.key(of: text)) { score += 0.7 }
      let vowels = Lexicon.key(of: text).count { "aeiouy".contains($0) }
      if vowels == 0 { score += 1.5 }
    }
    return score
  }
}

extension String {
  /// Whether a sign of Chinese, Japanese or Korean is in it.
  var isIdeographic: Bool { unicodeScalars.contains { $0.value >= 0x2E80 } }
}
