extension Lexicon {
  /// Words and names that text on books is likely to have, in lower case.
  ///
  /// These are all words that are known here, the regular forms of the English ones, names of
  /// persons and publishers, and Roman numerals up to 20. They are for reading letters, and not for
  /// telling what a line is.
  ///
  /// - Complexity: O(words); they are put together at each call.
  package static func readableWords() -> Set<String> {
    var words = Set<String>()
    let english = [FrequentWords.text, CompoundWords.text].flatMap { $0.split(separator: " ") }
    for word in english { words.formUnion(forms(of: String(word))) }
    for word in RarerWords.all { words.formUnion(forms(of: word)) }
    for line in SeriesWords.written + Publishers.written + ForeignWords.written {
      words.formUnion(line.split(separator: " ").map { $0.lowercased() })
    }
    for list in [
      functionWords, PersonNames.given, PersonNames.family, Publishers.companies, Publishers.words,
      EditionWords.nouns, EditionWords.adjectives, VolumeWords.nouns, VolumeWords.roman,
      VolumeWords.spelled, Set(VolumeWords.months),
    ] {
      words.formUnion(list)
    }
    return words
  }

  /// An English word and what its regular endings make of it, whatever kind of word it is.
  private static func forms(of word: String) -> [String] {
    guard word.count >= 3, let last = word.last else { return [word] }
    let stem = String(word.dropLast())
    if last == "e" {
      return ["", "s", "d", "r", "ly"].map { word + $0 } + [stem + "ing"]
    }
    if last == "y", let before = stem.last, !"aeiou".contains(before) {
      return [word, stem + "ies", stem + "ied", word + "ing"]
    }
    let hisses = "sxz".contains(last) || word.hasSuffix("ch") || word.hasSuffix("sh")
    return ["", hisses ? "es" : "s", "ed", "er", "ing", "ly"].map { word + $0 }
  }
}
