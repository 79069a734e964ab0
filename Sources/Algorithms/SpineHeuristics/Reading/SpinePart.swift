import _CLibrary

/// The role of a piece of text on a spine.
enum SpineRole {
  case title, subtitle, author, volume, publisher, series, edition, other

  /// Whether it is a name, in which an unusual letter may be right.
  var isNamed: Bool { self == .author || self == .publisher }
}

/// A piece of the text on a spine with a role.
struct SpinePart {
  let role: SpineRole
  let text: String
  /// The lines of the piece.
  let lines: Range<Int>
  /// The height of its letters over the largest on the spine, 0...1.
  let height: Double
  /// The confidence that it is a name, or that its words are known, 0...1; 0 in other roles.
  let likelihood: Double
  /// The evidence for its role, without the other pieces.
  let evidence: SpineEvidence
}

extension SpinePart {
  /// A piece of text in a role; nil if the role is impossible.
  ///
  /// Its score depends on its words, the size of its letters and the confidence of the recognizer.
  init?(
    _ role: SpineRole, _ text: String, _ name: WrittenName?, on lines: Range<Int>, height: Double,
    line: WrittenLine, keepingValues: Bool
  ) {
    let size = Self.size(height)
    let letters = WrittenLine.letters(in: text)
    var evidence = SpineEvidence(keepingValues: keepingValues)
    var likelihood = 0.0
    switch role {
    case .title:
      Self.title(text, name, height: height, size: size, letters: letters, &evidence)
      evidence.add(.titleStrange, line.strangeness)
      if line.isQuotation { evidence.add(.titleQuotation) }
      evidence.add(.titleDoubt, line.doubt)
    case .subtitle:
      let words = text.split(separator: " ").count
      guard words >= 2 || letters >= 8 else { return nil }
      Self.subtitle(
        text, name, words: words, height: height, size: size, letters: letters, line: line,
        &evidence)
    case .author:
      guard let name, name.likelihood >= 0.25, !name.name.isEmpty else { return nil }
      likelihood = name.likelihood
      Self.author(text, name, size: size, line: line, &evidence)
    case .volume, .publisher, .series, .edition:
      likelihood = Self.likelihood(of: text, as: role)
      guard likelihood >= (role == .edition ? 0.5 : 0.3) else { return nil }
      evidence.add(.known)
      evidence.add(.knownLikelihood, likelihood)
      evidence.add(.knownSize, size)
      if role == .series, height > 0.8 { evidence.add(.seriesLarge) }
    case .other:
      Self.other(
        text, name, height: height, size: size, letters: letters, line: line, &evidence)
    }
    self.role = role
    // The name has no words such as "by".
    self.text = role == .author ? name?.name ?? text : text
    self.lines = lines
    self.height = height
    self.likelihood = likelihood
    self.evidence = evidence
  }

  /// Whether its words are certainly known, which is more likely in small letters.
  var isCertain: Bool {
    switch role {
    case .volume, .publisher, .series, .edition:
      let penalty = role == .series && height > 0.8 ? 0.5 : 0
      return likelihood - 0.125 * Self.size(height) - penalty >= 0.975
    default: return false
    }
  }

  /// The value for a height of letters: its logarithm, at least -2.5.
  private static func size(_ height: Double) -> Double { max(-2.5, log(max(height, 0.02))) }

  private static func likelihood(of text: String, as role: SpineRole) -> Double {
    switch role {
    case .volume: return Lexicon.volume(text)
    case .publisher: return Lexicon.publisher(text)
    case .series: return Lexicon.series(text)
    case .edition: return Lexicon.edition(text)
    default: return 0
    }
  }

  private static func title(
    _ text: String, _ name: WrittenName?, height: Double, size: Double, letters: Int,
    _ evidence: inout SpineEvidence
  ) {
    let words = text.split(separator: " ").map { Lexicon.key(of: $0) }
    let functions = words.count { Lexicon.functionWords.contains($0) }
    let known = words.count {
      (Lexicon.isAnyWord($0) || WordSeparation.isTwoWords($0)) && !PersonNames.given.contains($0)
    }
    evidence.add(.title)
    evidence.add(.titleSize, size)
    evidence.add(.titleKnownWords, Double(known) / Double(max(words.count, 1)))
    if functions > 0, functions < words.count { evidence.add(.titleFunctionWords) }
    evidence.add(.titlePublisher, Lexicon.publisher(text))
    evidence.add(.titleEdition, Lexicon.edition(text))
    // In large letters, the name of a kind of book is a title: "CRIME".
    evidence.add(size > -0.25 ? .titleSeriesLarge : .titleSeriesSmall, Lexicon.series(text))
    if Lexicon.volume(text) >= 0.7 { evidence.add(.titleVolume) }
    if name?.introducesOthers == true { evidence.add(.titleIntroduces) }
    if let name {
      evidence.add(.titleName, name.likelihood)
      if name.isIntroduced { evidence.add(.titleNameIntroduced) }
    }
    if letters == 1 { evidence.add(.titleOneLetter) }
    // "Philip K." is incomplete.
    if let last = text.split(separator: " ").last, last.hasSuffix("."),
      WrittenName.isInitials(String(last))
    {
      evidence.add(.titleInitials)
    }
    if words.count > 12 { evidence.add(.titleLong) }
    if words.count > 20 { evidence.add(.titleVeryLong) }
    // Marks and codes are short.
    if letters <= 4, known == 0, !text.isIdeographic { evidence.add(.titleShort) }
    evidence.add(.titleNonsense, nonsense(text, letters, height))
  }

  private static func subtitle(
    _ text: String, _ name: WrittenName?, words: Int, height: Double, size: Double, letters: Int,
    line: WrittenLine, _ evidence: inout SpineEvidence
  ) {
    evidence.add(.subtitle)
    if words >= 4 { evidence.add(.subtitleLong) }
    evidence.add(.subtitleSize, size)
    evidence.add(.subtitleNonsense, nonsense(text, letters, height))
    evidence.add(
      .subtitleKnown,
      1.25 * Lexicon.edition(text) + Lexicon.series(text) + Lexicon.publisher(text))
    evidence.add(.subtitleName, name?.likelihood ?? 0)
    evidence.add(.subtitleStrange, line.strangeness)
    if line.isQuotation { evidence.add(.subtitleQuotation) }
    if words > 14 { evidence.add(.subtitleVeryLong) }
    evidence.add(.subtitleDoubt, line.doubt)
  }

  private static func author(
    _ text: String, _ name: WrittenName, size: Double, line: WrittenLine,
    _ evidence: inout SpineEvidence
  ) {
    evidence.add(.author)
    evidence.add(.authorName, name.likelihood)
    if name.isIntroduced { evidence.add(.authorIntroduced) }
    evidence.add(name.likelihood < 0.7 ? .authorSizeUnsure : .authorSizeSure, size)
    evidence.add(.authorPublisher, Lexicon.publisher(text))
    evidence.add(.authorSeries, Lexicon.series(text))
    evidence.add(.authorStrange, line.strangeness)
    if line.isQuotation { evidence.add(.authorQuotation) }
    evidence.add(.authorDoubt, line.doubt)
    if name.likelihood < 0.5, !name.name.contains(" ") { evidence.add(.authorOneWord) }
  }

  private static func other(
    _ text: String, _ name: WrittenName?, height: Double, size: Double, letters: Int,
    line: WrittenLine, _ evidence: inout SpineEvidence
  ) {
    evidence.add(.other)
    evidence.add(.otherSize, size)
    if letters <= 2 && height < 0.98 || letters == 1 { evidence.add(.otherMark) }
    evidence.add(.otherNonsense, nonsense(text, letters, height))
    evidence.add(.otherStrange, line.strangeness)
    if line.isQuotation { evidence.add(.otherQuotation) }
    if text.split(separator: " ").count > 14 { evidence.add(.otherLong) }
    evidence.add(.otherDoubt, line.doubt)
    evidence.add(.otherName, name?.likelihood ?? 0)
    if line.isLast { evidence.add(.otherEnd) }
  }

  /// The evidence that a text does not consist of words.
  ///
  /// Examples are codes of a library, and ornaments that were read as letters.
  private static func nonsense(_ text: String, _ letters: Int, _ height: Double) -> Double {
    let digits = text.count(where: \.isNumber)
    if text.isIdeographic { return letters == 1 ? 1.5 : 0 }
    let marks = text.count {
      !$0.isLetter && !$0.isNumber && !$0.isWhitespace && !"'’.,:&-!?".contains($0)
    }
    var score = marks > 0 && 4 * marks > letters ? 1.5 : 0
    if digits > 0 {
      let longest = text.split(whereSeparator: { !$0.isLetter }).map(\.count).max() ?? 0
      // A year or a number may be a title; more digits, or digits among letters, may not.
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
  /// Whether it contains a Chinese, Japanese or Korean character.
  var isIdeographic: Bool { unicodeScalars.contains { $0.value >= 0x2E80 } }
}
