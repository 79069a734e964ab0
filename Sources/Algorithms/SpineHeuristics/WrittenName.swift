/// How much a text looks like the name of a person, or of several.
struct WrittenName {
  /// 0 where it is none, 1 where its first word is a common given name.
  let likelihood: Double

  /// Judges a text.
  init(of text: String) {
    likelihood = Self.likelihood(of: text)
  }

  /// The name of a person that a text begins or ends with, and the rest of it; nil where there is none.
  ///
  /// A frequent given name must begin it, and no word that joins lie between the two: "The Picture of
  /// Dorian Gray" and "Harry Potter and the Goblet of Fire" are titles.
  static func name(atAnEndOf text: String) -> (name: String, rest: String)? {
    let words = text.split(separator: " ").map(String.init)
    func part(
      _ name: Range<Int>, _ rest: Range<Int>, next: String, joining: Set<String>
    ) -> (String, String)? {
      let text = words[name].joined(separator: " ")
      guard WrittenName(of: text).likelihood == 1, isCapitalized(next),
        !joining.contains(next.lowercased())
      else { return nil }
      return (text, words[rest].joined(separator: " "))
    }
    // A title may begin with an article, and none ends with one.
    let articles: Set = ["the", "a", "an"]
    // With an initial between, a name has three words.
    for count in [3, 2] where words.count >= count + 1 {
      let end = words.count
      if count == 3, !isInitials(words[1]) { continue }
      if let found = part(0..<count, count..<end, next: words[count], joining: joiningWords) {
        return found
      }
    }
    for count in [3, 2] where words.count >= count + 2 {
      let start = words.count - count
      if count == 3, !isInitials(words[start + 1]) { continue }
      if let found = part(
        start..<words.count, 0..<start, next: words[start - 1],
        joining: joiningWords.union(articles)
      ) {
        return found
      }
    }
    return nil
  }

  private static func isCapitalized(_ word: String) -> Bool {
    word.first?.isUppercase == true || word.first?.isNumber == true
  }

  /// Words that make what stands beside them a part of a title.
  private static let joiningWords: Set<String> = [
    "and", "&", "of", "in", "on", "at", "to", "for", "from", "with", "without", "or", "by", "is",
    "was", "meets", "saint", "king", "queen", "sir", "mr", "mr.", "mrs", "mrs.",
    "dr", "dr.", "being", "saving", "finding", "about",
  ]

  /// Words that stand in titles, and in no name.
  private static let titleWords: Set<String> = [
    "the", "a", "an", "of", "in", "on", "at", "to", "for", "from", "with", "without", "into",
    "by", "is", "it", "its", "my", "your", "his", "her", "our", "their", "all", "how", "why",
    "what", "when", "where", "who", "not", "no", "or", "but", "if", "as", "under", "over", "after",
    "before", "between", "through", "against", "about", "guide", "book", "story", "stories",
    "history", "life", "world", "introduction", "edition", "volume", "novel", "collected",
    "complete", "selected", "one", "two", "three", "hundred", "thousand", "das", "und", "ein",
    "eine", "les", "une", "et", "los", "las", "il",
  ]

  /// Words between the parts of a name.
  private static let particles: Set<String> = [
    "de", "del", "della", "di", "da", "du", "van", "von", "den", "der", "ten", "ter", "la", "le",
    "st", "st.", "bin", "ibn", "al", "el", "y", "dos", "jr", "jr.", "sr", "sr.",
  ]

  /// Frequent given names of English-speaking and European countries.
  private static let givenNames: Set<String> = Set(
    """
    aaron adam adrian agatha alan albert alex alexander alice alison amanda amy andrea andrew angela ann \
    anna anne anthony antonio arthur barbara benjamin bernard bill bob brian bruce carl carlos carol \
    caroline catherine charles charlotte chris christian christina christine christopher claire colin \
    craig daniel dan dave david deborah dennis diana diane donald donna dorothy douglas duncan edgar edith \
    edward eleanor elena elizabeth ella ellen emily emma eric ernest eva evelyn florence frances francis \
    frank franz fred frederick gabriel gary geoffrey george gerald gilbert gordon graham greg gregory guy \
    hannah hans harold harriet harry heather helen henry herbert howard hugh ian irene irvine isaac isabel \
    jack jacob jacqueline james jan jane janet jason jean jeff jeffrey jennifer jeremy jessica jim joan joe \
    johann john jon jonathan jorge jose joseph joyce juan judith julia julian julie karen karl kate \
    katherine keith kelly ken kenneth kevin kim klaus kurt larry laura lawrence leo leon leonard lewis \
    linda lisa louis louise lucy luis luke malcolm marcel margaret maria marie mario mark martha martin \
    mary matthew maurice max michael michelle miguel mike milan monica nancy naomi natalie neil nicholas \
    nick nicole nigel noah nora oliver oscar pablo pamela patricia patrick paul pedro peter philip \
    phillip pierre rachel ralph ray raymond rebecca richard rick robert robin roger roland ronald rosa rose \
    roy russell ruth ryan salman sally sam samuel sandra sara sarah scott sean sharon simon sofia sophie \
    stefan stella stephanie stephen steve steven stuart susan sylvia ted terry theodore thomas tim timothy \
    toby tom tony ursula valerie vera vernon victor victoria vincent viola virginia vladimir walter wendy \
    wilhelm william yuri zadie
    """.split(separator: " ").map(String.init))

  /// Endings of long words that stand for things, and end no family's name.
  private static let thingEndings = [
    "tion", "tions", "ment", "ments", "ness", "ology", "ism", "ics", "ials", "ture", "tures",
  ]

  private static func likelihood(of text: String) -> Double {
    let people = text.split(whereSeparator: { "&,;/".contains($0) })
      .flatMap { split(atAnd: words(of: $0)) }
      .filter { !$0.isEmpty }
    if people.count == 1, people[0].count == 1 { return likelihood(ofJoined: people[0][0]) }
    guard !people.isEmpty, people.count <= 4 else { return 0 }
    let values = people.map(likelihood(ofPerson:))
    // A family name alone stands beside others only: "Felleisen, Findler, Flatt".
    if people.count > 1, people.allSatisfy({ $0.count <= 4 && $0.allSatisfy(isNameWord) }) {
      return max(0.5, values.reduce(0, max))
    }
    return values.reduce(1, min)
  }

  /// Words, and initials by themselves: recognizers of text lose spaces, most behind points.
  private static func words(of text: Substring) -> [String] {
    text.split(separator: " ").flatMap { word -> [String] in
      guard let point = word.lastIndex(of: "."), word[point...].count > 3 else {
        return [String(word)]
      }
      return [String(word[...point]), String(word[word.index(after: point)...])]
    }
  }

  /// Of a given and a family name without a space between them, as a recognizer may read them.
  private static func likelihood(ofJoined word: String) -> Double {
    guard isNameWord(word) else { return 0 }
    // The longest given name tells: "Christianity" is not "Chris" and a family.
    let letters = word.lowercased()
    let given = givenNames.filter { letters.hasPrefix($0) }.map(\.count).max() ?? 0
    guard given >= 4, letters.count - given >= 4 else { return 0 }
    let family = word.dropFirst(given)
    if family.first?.isUppercase == true, family.dropFirst().contains(where: \.isLowercase) {
      return 1
    }
    return given >= 5 ? 0.5 : 0
  }

  private static func split(atAnd words: [String]) -> [[String]] {
    words.split(whereSeparator: { $0.lowercased() == "and" }).map(Array.init)
  }

  private static func likelihood(ofPerson words: [String]) -> Double {
    guard (2...5).contains(words.count), let first = words.first, let last = words.last,
      words.allSatisfy({ isNameWord($0) || particles.contains($0.lowercased()) }),
      isNameWord(first), isNameWord(last), !isInitials(last)
    else { return 0 }
    if givenNames.contains(first.lowercased()) { return 1 }
    // Where a spine is set in small letters, only a given name tells.
    guard first.first?.isUppercase == true, last.first?.isUppercase == true else { return 0 }
    return isInitials(first) ? 0.9 : 0.4
  }

  /// Letters with hyphens, apostrophes and points, and no title's word.
  private static func isNameWord(_ word: String) -> Bool {
    word.contains(where: \.isLetter)
      && word.allSatisfy { $0.isLetter || "-'’.".contains($0) }
      && !titleWords.contains(word.lowercased())
      && !(word.count >= 8 && thingEndings.contains { word.lowercased().hasSuffix($0) })
  }

  /// Such as "H.G." or "J".
  private static func isInitials(_ word: String) -> Bool {
    let letters = word.filter(\.isLetter)
    return letters.count == 1 || (word.contains(".") && letters.count <= 3)
  }
}
