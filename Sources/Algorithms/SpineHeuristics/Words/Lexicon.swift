/// What is known of the words on spines: publishers, series, editions, volumes, and frequent words.
package enum Lexicon {
  /// Letters and digits of a text in lower case, without marks on letters of Latin script.
  package static func key(of text: some StringProtocol) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      // The same without the tables of Unicode, which take most of the time.
      var bytes: [UInt8] = []
      for byte in text.utf8 {
        switch byte {
        case 0x30...0x39, 0x61...0x7A: bytes.append(byte)
        case 0x41...0x5A: bytes.append(byte | 0x20)
        default: break
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    var key = ""
    for character in text.lowercased() where character.isLetter || character.isNumber {
      if let plain = plainLetters[character] { key += plain } else { key.append(character) }
    }
    return key
  }

  private static let plainLetters: [Character: String] = {
    let groups: [(String, String)] = [
      ("a", "àáâãåāăą"), ("ae", "äæ"), ("c", "çćč"), ("d", "ďđ"), ("e", "èéêëēęě"), ("g", "ğ"),
      ("i", "ìíîïīı"), ("l", "ł"), ("n", "ñńň"), ("o", "òóôõōőø"), ("oe", "öœ"), ("r", "ř"),
      ("s", "śšşș"), ("ss", "ß"), ("t", "ťțţ"), ("u", "ùúûūůű"), ("ue", "ü"), ("y", "ýÿ"),
      ("z", "źżž"),
    ]
    return Dictionary(
      groups.flatMap { plain, letters in letters.map { ($0, plain) } }, uniquingKeysWith: { $1 })
  }()

  // MARK: Frequent words

  /// Ranks of frequent words, 0 for the most frequent.
  static let ranks: [String: Int] = Dictionary(
    FrequentWords.text.split(separator: " ").enumerated().map { (String($1), $0) },
    uniquingKeysWith: min)

  /// Words that only look like several.
  static let compounds = Set(CompoundWords.text.split(separator: " ").map(String.init))

  /// Whether a word is known as one, or is a form of a word that is.
  static func isWord(_ word: String) -> Bool {
    if ranks[word] != nil || compounds.contains(word) || functionWords.contains(word)
      || ForeignWords.all.contains(word)
    {
      return true
    }
    for beginning in ["over", "under", "non", "super", "inter", "anti", "un", "re", "dis", "mis"]
    where word.hasPrefix(beginning) && word.count - beginning.count >= 4 {
      if isWord(String(word.dropFirst(beginning.count))) { return true }
    }
    for (ending, stem) in [
      ("s", ""), ("es", ""), ("'s", ""), ("’s", ""), ("ed", ""), ("ed", "e"), ("ing", ""),
      ("ing", "e"), ("ly", ""), ("er", ""), ("er", "e"), ("ers", ""), ("ness", ""), ("less", ""),
      ("ies", "y"), ("al", ""), ("ist", ""), ("ism", ""),
    ] where word.hasSuffix(ending) && word.count - ending.count >= 3 {
      let base = String(word.dropLast(ending.count)) + stem
      if ranks[base] != nil || compounds.contains(base) { return true }
    }
    return false
  }

  /// Whether a word is known, the rarer ones included; some of these are names too.
  static func isAnyWord(_ word: String) -> Bool {
    if isWord(word) || RarerWords.all.contains(word) { return true }
    if word.hasSuffix("s"), RarerWords.all.contains(String(word.dropLast())) { return true }
    return ["over", "under"].contains { word.hasPrefix($0) }
      && word.count >= 9 && isAnyWord(String(word.dropFirst(word.hasPrefix("over") ? 4 : 5)))
  }

  /// Whether a word is a name of a person that is known.
  static func isName(_ word: String) -> Bool {
    PersonNames.given.contains(word) || PersonNames.family.contains(word)
  }

  /// Articles, prepositions and the like, in several languages.
  package static let functionWords: Set<String> = [
    "the", "a", "an", "of", "in", "on", "at", "to", "for", "from", "with", "without", "into", "by",
    "is", "it", "its", "my", "your", "his", "her", "our", "their", "all", "how", "why", "what",
    "when", "where", "who", "not", "no", "or", "but", "if", "as", "under", "over", "after",
    "before",
    "between", "through", "against", "about", "and", "you", "we", "i", "are", "was", "der", "die",
    "das", "und", "ein", "eine", "im", "zur", "zum", "für", "mit", "le", "les", "un", "une", "et",
    "des", "au", "aux", "dans", "pour", "los", "las", "una", "el", "en", "por", "para", "il", "lo",
    "gli", "uno", "w", "na", "do", "z", "ze", "o", "czyli",
  ]

  // MARK: What a line may be

  /// How surely a text is the name of a publisher or an imprint, 0...1.
  package static func publisher(_ text: String) -> Double {
    let key = key(of: text)
    if Publishers.names.contains(key) { return 1 }
    var words = text.split(separator: " ").map { $0.lowercased() }
    while words.count > 1, let last = words.last, Publishers.companies.contains(Self.key(of: last))
    {
      words.removeLast()
      if Publishers.names.contains(Self.key(of: words.joined())) { return 1 }
    }
    guard words.count <= 5 else { return 0 }
    let isNamed = words.contains { Publishers.words.contains($0.filter(\.isLetter)) }
    if words.count >= 2, let first = words.first, let last = words.last {
      let isFunction = functionWords.contains(first) || first == "press"
      if !isFunction, Publishers.words.contains(last) || Publishers.words.contains(first) {
        return words.count <= 3 ? 0.75 : 0.5
      }
      // "A Penguin Book", "VIKING PENGUIN": parts that each are one.
      let rest = words.filter { !functionWords.contains($0) && $0 != "book" && $0 != "books" }
      if !rest.isEmpty, rest.count <= 2, !functionWords.contains(last),
        rest.allSatisfy({ Publishers.names.contains(Self.key(of: $0)) })
      {
        return 0.8
      }
    }
    if isNamed, words.count == 1 { return 0.6 }
    return key.count >= 7 && Publishers.longNames.contains { isOneEdit(key, $0) } ? 0.8 : 0
  }

  /// How surely a text names a series or a kind of book, 0...1.
  package static func series(_ text: String) -> Double {
    let key = key(of: text)
    if SeriesWords.names.contains(key) { return 1 }
    let words = text.split(separator: " ").map { Self.key(of: $0) }.filter { !$0.isEmpty }
    if words.count >= 2, words.count <= 4, let last = words.last {
      if SeriesWords.endings.contains(last), !functionWords.contains(words[0]) || words[0] == "the"
      {
        // "Penguin Classics", "Loeb Classical Library": certain if it begins with a publisher.
        return Publishers.names.contains(words[0]) ? 1 : 0.55
      }
      if words.count == 2, Publishers.names.contains(words[0]), SeriesWords.names.contains(last) {
        return 1
      }
    }
    return key.count >= 8 && SeriesWords.names.contains { isOneEdit(key, $0) } ? 0.8 : 0
  }

  /// How surely a text says which edition it is, 0...1.
  package static func edition(_ text: String) -> Double {
    let words = text.split(separator: " ").map { key(of: $0) }.filter { !$0.isEmpty }
    guard !words.isEmpty, words.count <= 5 else { return 0 }
    if EditionWords.phrases.contains(words.joined()) { return 1 }
    guard let place = words.firstIndex(where: { EditionWords.nouns.contains($0) }) else { return 0 }
    let others = words.indices.filter { $0 != place }.map { words[$0] }
    if others.isEmpty { return words[0].count > 2 ? 0.7 : 0.2 }
    let saying = others.count { EditionWords.adjectives.contains($0) || ordinal($0) }
    let empty = others.count { functionWords.contains($0) }
    if saying > 0 { return saying + empty == others.count ? 1 : 0.5 }
    return others.count == 1 ? 0.5 : 0.2
  }

  /// "3rd", "2", "2nd".
  private static func ordinal(_ word: String) -> Bool {
    guard let first = word.first, first.isNumber, word.count <= 4 else { return false }
    return ["", "st", "nd", "rd", "th", "e", "a"].contains(word.drop(while: \.isNumber))
  }

  /// How surely a text numbers a volume, part or book, 0...1.
  static func volume(_ text: String) -> Double {
    let words = text.split(separator: " ").map { key(of: $0) }.filter { !$0.isEmpty }
    guard (1...5).contains(words.count), let first = words.first else { return 0 }
    let rest = words.dropFirst()
    // "Issue 68 May/Jun 2017".
    if words.count >= 3, VolumeWords.nouns.contains(first), isNumeral(words[1]),
      rest.dropFirst().allSatisfy(isDate)
    {
      return 1
    }
    guard words.count <= 3 else { return 0 }
    if VolumeWords.nouns.contains(first), let number = rest.first, isNumeral(number) {
      return rest.count == 1 || ["of", "von", "de"].contains(rest.dropFirst().first ?? "") ? 1 : 0.6
    }
    // "Vol.2" and "Band3" without the space.
    let noun = first.prefix { !$0.isNumber }
    if words.count == 1, noun.count < first.count, VolumeWords.nouns.contains(String(noun)) {
      return 1
    }
    guard words.count == 1, !text.contains(".") else { return 0 }
    if first.count <= 2, first.allSatisfy(\.isNumber) { return 0.7 }
    return VolumeWords.roman.contains(first) && text.contains(where: \.isUppercase)
      ? (first.count == 1 ? 0.4 : 0.7) : 0
  }

  /// A number in digits, Roman or as an English, German or French word.
  private static func isNumeral(_ word: String) -> Bool {
    word.allSatisfy(\.isNumber) && word.count <= 3 || VolumeWords.roman.contains(word)
      || VolumeWords.spelled.contains(word)
  }

  /// Whether a word is a year, or one or several months.
  ///
  /// For example "mayjun": only letters are left of "May/Jun".
  private static func isDate(_ word: String) -> Bool {
    if word.count == 4, word.hasPrefix("19") || word.hasPrefix("20"), word.allSatisfy(\.isNumber) {
      return true
    }
    var rest = word[...]
    while !rest.isEmpty {
      guard let month = VolumeWords.months.first(where: { rest.hasPrefix($0) }) else {
        return false
      }
      rest = rest.dropFirst(month.count)
    }
    return true
  }

  /// Whether at most one letter is wrong, missing or too many.
  static func isOneEdit(_ first: String, _ second: String) -> Bool {
    // Most names are too long or too short, and need no array.
    guard abs(first.utf8.count - second.utf8.count) <= 1 else { return false }
    let (a, b) = (Array(first.utf8), Array(second.utf8))
    var start = 0
    while start < min(a.count, b.count), a[start] == b[start] { start += 1 }
    var end = 0
    while end < min(a.count, b.count) - start, a[a.count - 1 - end] == b[b.count - 1 - end] {
      end += 1
    }
    return max(a.count, b.count) - start - end <= 1
  }
}
