/// How much a text looks like the name of a person, or of several.
struct WrittenName {
  /// 0 if it is none, 1 where a common given name begins it and what follows may be a family's.
  let likelihood: Double
  /// Whether a word says that it is an author: "by", "edited by".
  let isIntroduced: Bool
  /// Whether it is such a word alone: the name is on the next line.
  let introducesOthers: Bool
  /// The name without such words.
  let name: String

  /// Judges a text whose words are parted by spaces.
  init(of text: String) {
    var words = text.split(separator: " ").map { Self.mended(String($0)) }
    var isIntroduced = false
    introducesOthers = !words.isEmpty && Self.introduction(of: words + ["-"]) == words.count
    if let count = Self.introduction(of: words) {
      words.removeFirst(count)
      isIntroduced = true
    }
    if let count = Self.closing(of: words) {
      words.removeLast(count)
      isIntroduced = true
    }
    var last = words.last ?? ""
    // In Chinese and Japanese a sign behind the name says that it wrote or edited.
    for sign in ["编著", "編著", "主编", "主編", "等著", "著", "译", "訳", "编", "編"]
    where last.hasSuffix(sign) && last.count > sign.count {
      last.removeLast(sign.count)
      words[words.count - 1] = last
      isIntroduced = true
      break
    }
    name = words.joined(separator: " ")
    self.isIntroduced = isIntroduced
    let likelihood = Self.likelihood(of: words)
    self.likelihood = isIntroduced && !words.isEmpty ? max(likelihood, 0.6) : likelihood
  }

  /// Recognizers read a capital I as a small L.
  private static func mended(_ word: String) -> String {
    guard word.first == "l", let next = word.dropFirst().first, !"aeiouyl'’".contains(next),
      next.isLowercase || PersonNames.given.contains("i" + word.dropFirst())
    else {
      return word.first == "l" && PersonNames.given.contains("i" + word.dropFirst())
        ? "I" + word.dropFirst() : word
    }
    return "I" + word.dropFirst()
  }

  /// How many words at the start say that an author follows.
  private static func introduction(of words: [String]) -> Int? {
    let keys = words.prefix(3).map { Lexicon.key(of: $0) }
    for phrase in [
      ["edited", "by"], ["written", "by"], ["hrsg", "von"], ["herausgegeben", "von"],
      ["translated", "by"], ["selected", "by"], ["compiled", "by"], ["by"], ["hrsg"],
    ] where keys.count > phrase.count && Array(keys.prefix(phrase.count)) == phrase {
      return phrase.count
    }
    return nil
  }

  /// How many words at the end say that an editor stands before them.
  private static func closing(of words: [String]) -> Int? {
    guard words.count >= 2, let last = words.last else { return nil }
    return ["ed", "eds", "editor", "editors", "hrsg", "hg"].contains(Lexicon.key(of: last))
      ? 1 : nil
  }

  // MARK: People

  private static func likelihood(of words: [String]) -> Double {
    // "et al." stands behind authors.
    var words = words
    if words.count > 2, Lexicon.key(of: words.suffix(2).joined()) == "etal" { words.removeLast(2) }
    if words.count > 1, joining.contains(words[words.count - 1].lowercased()) { return 0 }
    let text = words.joined(separator: " ")
    var people = text.split(whereSeparator: { "&,;/·+".contains($0) })
      .flatMap { (part: Substring) -> [[String]] in
        part.split(separator: " ").map(String.init)
          .split(whereSeparator: { joining.contains($0.lowercased()) }).map(Array.init)
      }
      .filter { !$0.isEmpty }
    let isLong = people.count >= 3
    // The last of several may be cut off: "Pacheco-Torgal, Cabeza and Gr".
    if isLong, let last = people.last, last.count == 1, last[0].count <= 2 { people.removeLast() }
    guard !people.isEmpty, people.count <= 6 else { return 0 }
    if people.count == 1 { return likelihood(ofPerson: people[0]) }
    let values = people.map { max(likelihood(ofPerson: $0), $0.count == 1 ? 0 : 0.1) }
    // Beside others a family name may stand alone: "Felleisen, Findler, Flatt".
    let lowest = values.reduce(1, min)
    let highest = values.reduce(0, max)
    let isList = people.allSatisfy {
      $0.count <= 4 && $0.allSatisfy { isNameWord($0) || isParticle($0) }
    }
    guard isList else { return 0 }
    if lowest <= 0.05 { return highest >= 0.9 ? 0.35 : 0 }
    // As a title may join two things: "BLACK AND WHITE", "Pride and Prejudice".
    return isLong || highest >= 0.9
      ? max(0.75, lowest) : min(1, (lowest + highest) / 2 + 0.2)
  }

  private static let joining: Set<String> = [
    "and", "with", "und", "et", "y", "e", "i", "mit", "avec", "con",
  ]

  private static func likelihood(ofPerson words: [String]) -> Double {
    var words = words
    // Titles of people stand before names, and degrees behind.
    if words.count > 1, titles.contains(Lexicon.key(of: words[0])) {
      let rest = likelihood(ofPerson: Array(words.dropFirst()))
      return rest > 0 ? max(rest, 0.6) : 0
    }
    // A publisher's mark that was read as a letter.
    if words.count >= 3, let last = words.last, last.count == 1, isGiven(words[0]) {
      words.removeLast()
    }
    while words.count > 2, let last = words.last, degrees.contains(Lexicon.key(of: last)) {
      words.removeLast()
    }
    return words.count == 1 ? likelihood(ofWord: words[0]) : likelihood(ofFullName: words)
  }

  /// The confidence that several words are a name; they are without titles and degrees.
  private static func likelihood(ofFullName words: [String]) -> Double {
    guard (2...5).contains(words.count), let first = words.first, let last = words.last,
      words.allSatisfy({ isNameWord($0) || isParticle($0) }),
      isNameWord(first) || isParticle(first), isNameWord(last), !isInitials(last)
    else { return 0 }
    // "A Promised Land".
    if first == "A" || first == "I" { return 0 }
    // "TEETH ZADIE SMITH": a name begins with a given name, or has none.
    if words.count > 2, !isGiven(first), !isInitials(first), !isParticle(first),
      words.dropFirst().dropLast().contains(where: isGiven)
    {
      return 0.2
    }
    let key = Lexicon.key(of: first)
    let lastKey = Lexicon.key(of: last)
    let isFamily = PersonNames.family.contains(lastKey)
    if isGiven(first) {
      if words.count == 2 || isFamily || isInitials(words[1]) || isGiven(words[1])
        || isParticle(words[1])
      {
        return 1
      }
      return words.count == 3 ? 0.6 : 0.4
    }
    // If a spine is set in small letters, only a given name tells.
    guard first.first?.isUppercase == true || isParticle(first), last.first?.isUppercase == true
    else {
      return 0
    }
    if isInitials(first) { return isFamily || !Lexicon.isWord(lastKey) ? 1 : 0.85 }
    if words.dropFirst().contains(where: isInitials) { return 0.85 }
    // "BORDEN IAN": the family first.
    if words.count == 2, isGiven(last), !Lexicon.isWord(key) { return 0.85 }
    if isFamily { return Lexicon.isWord(key) ? 0.3 : 0.8 }
    let known = words.count { Lexicon.isAnyWord(Lexicon.key(of: $0)) }
    if known == 0 { return words.count <= 3 ? 0.65 : 0.3 }
    return known == words.count ? 0.08 : 0.25
  }

  /// A word that stands alone.
  private static func likelihood(ofWord word: String) -> Double {
    if word.isIdeographic { return likelihood(ofSigns: Array(word)) }
    let key = Lexicon.key(of: word)
    guard isNameWord(word), key.count >= 3, word.first?.isUppercase == true else { return 0 }
    if PersonNames.family.contains(key) { return Lexicon.ranks[key] == nil ? 0.75 : 0.5 }
    if PersonNames.given.contains(key) { return 0.3 }
    // Marks and codes are short, or have no vowel.
    guard key.count >= 4, key.contains(where: { "aeiouy".contains($0) }) else { return 0 }
    if Lexicon.isWord(key) || key.count >= 9 && Lexicon.isAnyWord(key) { return 0.04 }
    // A given and a family name without a space: the longest given name tells.
    let given = (4...9).last { PersonNames.given.contains(String(key.prefix($0))) } ?? 0
    if given > 0, key.count - given >= 4 { return given >= 5 ? 0.7 : 0.55 }
    return key.count > 13 ? 0.1 : 0.38
  }

  /// Chinese signs without a space: one name or several.
  ///
  /// A name is a family name of one sign, and one or two signs more.
  private static func likelihood(ofSigns signs: [Character]) -> Double {
    guard (2...12).contains(signs.count) else { return 0 }
    /// Whether names can end before each sign.
    var ends = [Bool](repeating: false, count: signs.count + 1)
    ends[0] = true
    for start in signs.indices
    where ends[start] && PersonNames.chineseFamily.contains(signs[start]) {
      for length in 2...3 where start + length <= signs.count { ends[start + length] = true }
    }
    guard ends[signs.count] else { return 0 }
    return signs.count <= 3 ? 0.5 : 0.45
  }

  // MARK: Words

  private static func isGiven(_ word: String) -> Bool {
    let key = word.lowercased()
    if PersonNames.given.contains(key) { return true }
    // "Jean-Paul".
    let parts = key.split(separator: "-")
    return parts.count == 2 && parts.allSatisfy { PersonNames.given.contains(String($0)) }
  }

  private static func isParticle(_ word: String) -> Bool {
    particles.contains(word.lowercased())
  }

  /// Words between the parts of a name.
  private static let particles: Set<String> = [
    "de", "del", "della", "di", "da", "du", "des", "van", "von", "den", "der", "ten", "ter", "la",
    "le", "st", "st.", "bin", "ibn", "al", "el", "y", "dos", "zu", "af", "jr", "jr.", "sr", "sr.",
  ]

  /// What stands before a name.
  private static let titles: Set<String> = [
    "dr", "prof", "professor", "sir", "dame", "rev", "fr", "saint", "mme", "lord", "lady",
  ]

  /// What stands behind one.
  private static let degrees: Set<String> = [
    "phd", "md", "obe", "mbe", "ma", "msc", "bsc", "jr", "sr", "ii", "iii",
  ]

  /// Words that stand in titles, and in no name.
  private static let titleWords: Set<String> = [
    "guide", "book", "story", "stories", "history", "life", "world", "introduction", "edition",
    "volume", "novel", "collected", "complete", "selected", "one", "two", "three", "hundred",
    "thousand", "vol", "tales", "poems", "essays", "letters",
  ]

  /// Endings of long words that stand for things, and end no family's name.
  private static let thingEndings = [
    "tion", "tions", "ment", "ments", "ness", "ology", "ism", "ics", "ials", "ture", "tures", "phy",
    "ity", "ing", "tional", "ical", "ative", "able", "ence", "ance", "graphy", "isms", "ologies",
    "ware", "ster",
  ]

  /// Letters with hyphens, apostrophes and points, and no title's word.
  private static func isNameWord(_ word: String) -> Bool {
    let key = word.lowercased()
    guard word.contains(where: \.isLetter), word.allSatisfy({ $0.isLetter || "-'’.".contains($0) }),
      !titleWords.contains(key), !Lexicon.functionWords.contains(key) || isInitials(word)
    else { return false }
    // "BUFFETT'S".
    if key.hasSuffix("'s") || key.hasSuffix("’s") { return false }
    return !(word.count >= 8 && !Lexicon.isName(key) && thingEndings.contains { key.hasSuffix($0) })
  }

  /// Such as "H.G." or "J".
  static func isInitials(_ word: String) -> Bool {
    let letters = word.filter(\.isLetter)
    guard letters.first?.isUppercase == true else { return false }
    return letters.count == 1 || word.contains(".") && letters.count <= 3
  }
}
