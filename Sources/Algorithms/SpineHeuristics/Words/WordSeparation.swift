import _CLibrary

/// Puts spaces back into text that lost them.
enum WordSeparation {
  /// Words of a text: what white space parts, what letters' case and initials part, and what the
  /// least sum of costs parts.
  ///
  /// The cost of a word is the logarithm of its rank among frequent words, by Zipf's law; the best sum is
  /// found by dynamic programming, in O(*n*) for a text of *n* letters. A word or name that is known stays
  /// whole, and so does one that begins or ends as derived words do ("OVERDIAGNOSED").
  static func words(of text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).flatMap { word -> [String] in
      // A web address, a code or a blurb without any space is none of this.
      guard word.utf8.count <= 64 else { return [String(word)] }
      return byCase(word).flatMap(byInitials).flatMap(byDigits).flatMap(byCost)
    }
  }

  /// Whether a word may be two frequent ones, such as "smalltown", though it stays whole.
  static func isTwoWords(_ word: String) -> Bool {
    guard word.utf8.count >= 8, word.utf8.count == word.count, word.utf8.count <= 24 else {
      return false
    }
    return (4...word.count - 4).contains {
      Lexicon.ranks[String(word.prefix($0))] != nil
        && Lexicon.ranks[String(word.dropFirst($0))] != nil
    }
  }

  /// "PhilipPullman", but not "McEwan", "MacLehose" or "DiCamillo".
  private static func byCase(_ word: Substring) -> [String] {
    var parts: [String] = []
    var part = ""
    let letters = Array(word)
    for (index, letter) in letters.enumerated() {
      let begun = part.split(whereSeparator: { !$0.isLetter }).last ?? ""
      if letter.isUppercase, index > 0, letters[index - 1].isLowercase, index + 1 < letters.count,
        begun.dropFirst().allSatisfy(\.isLowercase), !begun.isEmpty,
        begun.count > 3 || begun.count == 3 && !["Mac", "Van", "Del"].contains(begun)
          || begun.count == 2 && Lexicon.functionWords.contains(begun.lowercased())
            && !["De", "Di", "La", "Le", "Du", "El", "Il", "Lo"].contains(begun),
        begun != "Fitz"
      {
        parts.append(part)
        part = ""
      } else if startsName(letters, at: index), part.count >= 4 {
        parts.append(part)
        part = ""
      }
      part.append(letter)
    }
    return parts + [part]
  }

  /// "ARCHITECTUREDavid": a capital and small letters behind capitals only.
  private static func startsName(_ letters: [Character], at index: Int) -> Bool {
    index >= 4 && index + 2 < letters.count && letters[index].isUppercase
      && letters[(index - 4)..<index].allSatisfy(\.isUppercase)
      && letters[index + 1].isLowercase && letters[index + 2].isLowercase
  }

  /// "H.G.Wells" and "ARTHURC.CLARKE": points part initials from a name, and a given name from initials.
  private static func byInitials(_ word: String) -> [String] {
    guard let point = word.lastIndex(of: "."), word.contains(where: \.isLetter) else {
      return [word]
    }
    let after = word[word.index(after: point)...]
    let before = word[...point]
    guard
      after.isEmpty || after.count >= 2 && after.allSatisfy({ $0.isLetter || "-'’".contains($0) })
    else { return [word] }
    let rest = after.isEmpty ? [] : [String(after)]
    // A given name that an initial follows without a space.
    let first = before.prefix { $0.isLetter }
    for count in 1...2 where first.count > count + 2 {
      let given = first.dropLast(count)
      if PersonNames.given.contains(given.lowercased()),
        first.suffix(count).allSatisfy(\.isUppercase)
      {
        return [String(given), String(before.dropFirst(given.count))] + rest
      }
    }
    // "THEGODSH.G.WELLS": words, and the initials of their author.
    if first.count >= 6, !PersonNames.given.contains(first.lowercased()), !rest.isEmpty,
      first.last?.isUppercase == true, before.dropFirst(first.count).count <= 4
    {
      let words = first.dropLast()
      let plain = words.lowercased()
      if Lexicon.isWord(plain)
        || plain.hasPrefix("the") && Lexicon.isWord(String(plain.dropFirst(3)))
        || byCost(String(words)).count > 1
      {
        return [String(words), String(before.dropFirst(words.count))] + rest
      }
    }
    let isInitials = before.split(separator: ".").allSatisfy { $0.count <= 2 }
    return isInitials || PersonNames.given.contains(first.lowercased())
      ? [String(before)] + rest : [word]
  }

  /// "RICHTER10", but not "MP3" or "4.3BSD".
  private static func byDigits(_ word: String) -> [String] {
    let letters = word.prefix { $0.isLetter }
    let digits = word.dropFirst(letters.count)
    guard letters.count >= 4, let first = digits.first, first.isNumber,
      digits.allSatisfy({ $0.isNumber || "., :;".contains($0) })
    else { return [word] }
    return [String(letters), String(digits)]
  }

  private static func byCost(_ word: String) -> [String] {
    let letters = word.prefix { $0.isLetter }
    let tail = word.dropFirst(letters.count)
    let folded = Array(letters.lowercased())
    guard folded.count == letters.count, folded.count >= 6, tail.count <= 2,
      !tail.contains(where: \.isLetter),
      folded.allSatisfy(\.isASCII)
    else { return [word] }
    let text = String(folded)
    guard !Lexicon.isWord(text), !Lexicon.isName(text), !Publishers.names.contains(text),
      let counts = split(folded) ?? behindMark(folded)
    else { return [word] }
    var rest = letters
    var parts = counts.map { count -> String in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }
    parts[parts.count - 1] += tail
    return parts
  }

  /// The lengths of the words that letters without spaces are made of; nil if they had better stay
  /// together.
  private static func split(_ letters: [Character]) -> [Int]? {
    var best: [(cost: Double, count: Int)?] = [(0, 0)]
    for end in 1...letters.count {
      var found: (cost: Double, count: Int)?
      for start in max(0, end - longest)..<end {
        guard let before = best[start], let cost = cost(of: String(letters[start..<end])) else {
          continue
        }
        if before.cost + cost < found?.cost ?? .infinity {
          found = (before.cost + cost, end - start)
        }
      }
      best.append(found)
    }
    var counts: [Int] = []
    var end = letters.count
    while end > 0 {
      guard let step = best[end] else { return nil }
      counts.insert(step.count, at: 0)
      end -= step.count
    }
    return isLikely(counts, letters) ? counts : nil
  }

  /// "MFREDERICKFORSYTH": a mark that was read as a letter, before a given name and another one.
  private static func behindMark(_ letters: [Character]) -> [Int]? {
    guard letters.count >= 10 else { return nil }
    let name = String(letters.dropFirst())
    let given = (5...name.count - 4).last { PersonNames.given.contains(String(name.prefix($0))) }
    guard let given, PersonNames.family.contains(String(name.dropFirst(given))) else { return nil }
    return [1, given, name.count - given]
  }

  private static let longest = 16

  /// What a word costs; nil for what is none.
  private static func cost(of word: String) -> Double? {
    if word.count == 1 { return word == "a" ? 5 : nil }
    if let rank = Lexicon.ranks[word] {
      // The words of one and two letters fit by chance.
      return costs[rank] + (word.count == 2 ? 3 : 0)
    }
    if word.count >= 4, Lexicon.isName(word) { return costs[costs.count - 1] }
    return word.count >= 6 && Lexicon.compounds.contains(word) ? costs[costs.count - 1] : nil
  }

  /// Costs by rank: the probability of the word of rank r is 1 over r times the logarithm of all.
  private static let costs: [Double] = {
    let count = Lexicon.ranks.count
    return (0..<max(count, 1)).map { log(Double($0 + 1)) + log(log(Double(max(count, 3)))) }
  }()

  /// Whether words have the lengths and kinds of words that were written apart.
  private static func isLikely(_ counts: [Int], _ letters: [Character]) -> Bool {
    var start = 0
    let words = counts.map { count -> String in
      defer { start += count }
      return String(letters[start..<start + count])
    }
    guard words.count >= 2 else { return false }
    // Fewer than three letters per word on average is chance.
    guard letters.count >= 3 * words.count else { return false }
    guard words.count == 2 else {
      return (letters.count >= 12 || words.contains { $0.count >= 4 })
        && words.count(where: { $0.count <= 2 }) <= words.count / 2
    }
    let (first, last) = (words[0], words[1])
    if prefixes.contains(first) || endings.contains(last) { return false }
    func isFrequent(_ word: String, _ count: Int) -> Bool {
      word.count >= count && Lexicon.ranks[word] != nil
    }
    if first.count <= 2 { return isFrequent(last, first.count == 1 ? 5 : 6) }
    if last.count <= 2 {
      return isFrequent(first, last == "of" ? 5 : 6) && last != "ed" && last != "er"
    }
    return letters.count >= 7
  }

  /// What begins derived words and family names.
  private static let prefixes: Set<String> = [
    "over", "under", "out", "up", "down", "off", "fore", "after", "counter", "inter", "super",
    "sub",
    "micro", "with", "back", "self", "non", "pre", "post", "anti", "auto", "bio", "geo", "multi",
    "semi", "trans", "ultra", "cross", "half", "mid", "is", "at", "be", "he", "we", "as", "so",
    "or",
    "do", "me", "go", "no", "us", "am", "ox", "by", "man", "car", "far",
  ]

  /// What ends them.
  private static let endings: Set<String> = [
    "man", "men", "woman", "land", "lands", "ship", "ships", "hood", "able", "less", "ness", "town",
    "ville", "ford", "field", "fields", "son", "sons", "ton", "wood", "woods", "well", "stone",
    "house", "berg", "burg", "worth", "like", "ward", "wards", "way", "ways", "ing", "age", "ate",
    "ant", "ants", "ion", "ions", "or", "er", "ers", "let", "lets", "line", "ring", "rings", "king",
    "ate", "us", "is", "on", "an", "at", "in", "as", "he", "we", "it", "so", "go", "me", "ed",
    "ted", "red", "ally", "ism", "mate", "mates", "proof", "craft", "smith", "light", "side",
    "time", "work", "works", "book", "books", "ham", "dale", "brook", "hill", "port", "gate",
  ]
}
