/// Puts right letters that recognizers take for others of like shape.
enum Misreadings {
  /// A word with one letter changed, if that alone makes it a word that is known; otherwise the word itself.
  ///
  /// Words and names that are known stay as they are, and so does what two words could come of.
  static func mended(_ word: String) -> String {
    let key = Lexicon.key(of: word)
    guard key.utf8.count >= 5, key.utf8.count <= 24, key.allSatisfy(\.isASCII), !isKnown(key),
      !Lexicon.isName(key), !Publishers.names.contains(key)
    else { return word }
    var found: String?
    var letters = Array(word)
    for (place, letter) in letters.enumerated() {
      for other in alike[letter] ?? "" {
        letters[place] = other
        let candidate = String(letters)
        guard isKnown(Lexicon.key(of: candidate)) else { continue }
        if found != nil { return word }
        found = candidate
      }
      letters[place] = letter
    }
    return found ?? whole(word, key) ?? word
  }

  /// "OLSKIEGO": a long word whose first letter was cut off; nil if no word comes of it, or several.
  private static func whole(_ word: String, _ key: String) -> String? {
    guard key.count >= 7, let first = word.first else { return nil }
    let found = "abcdefghijklmnopqrstuvwxyz".filter {
      Lexicon.isAnyWord(String($0) + key)
    }
    guard found.count == 1 else { return nil }
    return (first.isUppercase ? found.uppercased() : found) + word
  }

  private static func isKnown(_ key: String) -> Bool {
    Lexicon.isAnyWord(key) || WordSeparation.isTwoWords(key)
  }

  /// What a letter that was read may be.
  private static let alike: [Character: String] = [
    "B": "ERH", "C": "GO", "D": "O", "E": "FBL", "F": "EPR", "G": "CO", "H": "NM", "I": "LTJ",
    "J": "I", "K": "R", "L": "IE", "M": "NH", "N": "MH", "O": "DQCU", "P": "DRF", "Q": "O",
    "R": "PFBK", "T": "IFY", "U": "VO", "V": "UY", "Y": "VT", "0": "O", "1": "Il", "5": "S",
    "8": "B", "a": "o", "b": "h", "c": "eo", "e": "co", "f": "t", "g": "q", "h": "b", "i": "lj",
    "l": "it", "n": "ur", "o": "ea", "q": "g", "t": "łf", "u": "n", "v": "y", "y": "v",
  ]
}
