/// Judges the words of a text class by class, as a ``WordLexicon`` has them.
///
/// The words are a trie over their characters in lower case, so that a class costs a look-up for
/// each of its characters, however long the text before it is.
struct WordScorer: Sendable {
  /// How far a text was judged.
  struct Progress {
    /// What the words that have ended add.
    var ended = 0.0
    /// The place in the trie of the word that has not; -1 if no word of the list begins so.
    var place: Int32 = 0
    /// How many characters that word has.
    var length: Int32 = 0
    /// Whether a letter is among them.
    var hasLetter = false
  }

  /// What a character is to words.
  private enum Kind {
    case letter
    case digit
    case separator
  }

  /// A character in lower case: what it is, and its number; 0 if no word has it.
  private struct Sign {
    var kind: Kind
    var number: UInt32

    static let separator = Sign(kind: .separator, number: 0)
  }

  /// The numbers of characters that are not ASCII; those of ASCII are their codes.
  private struct Alphabet {
    private var numbers: [Character: UInt32] = [:]

    /// The characters of a text in lower case; new ones get a number if they are to be known.
    mutating func signs(of text: String, areKnown: Bool) -> [Sign] {
      let lower = text.lowercased()
      if lower.utf8.allSatisfy({ $0 < 128 }) { return lower.utf8.map(Self.sign) }
      return lower.map { character in
        if let code = character.asciiValue { return Self.sign(code) }
        let kind = Self.kind(character)
        guard kind != .separator else { return .separator }
        if let number = numbers[character] { return Sign(kind: kind, number: number) }
        guard areKnown else { return Sign(kind: kind, number: 0) }
        let number = UInt32(128 + numbers.count)
        numbers[character] = number
        return Sign(kind: kind, number: number)
      }
    }

    private static func sign(_ code: UInt8) -> Sign {
      switch code {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): Sign(kind: .letter, number: UInt32(code))
      case UInt8(ascii: "0")...UInt8(ascii: "9"): Sign(kind: .digit, number: UInt32(code))
      default: .separator
      }
    }

    private static func kind(_ character: Character) -> Kind {
      if character.isLetter, character.isCased { return .letter }
      let category = character.unicodeScalars.first?.properties.generalCategory
      return category == .decimalNumber ? .digit : .separator
    }
  }

  private let reward: Double
  private let penalty: Double
  /// The characters of each class.
  private var signs: [[Sign]] = []
  /// The place behind a place and a character.
  private var next: [UInt64: Int32] = [:]
  /// Whether a word ends at a place.
  private var isWord = [false]

  /// Words of fewer characters are not judged.
  private static let leastLength = 2

  /// - Complexity: O(characters of the words and classes).
  init(_ lexicon: WordLexicon, classes: [String]) {
    reward = lexicon.reward
    penalty = lexicon.penalty
    var alphabet = Alphabet()
    for word in lexicon.words {
      let signs = alphabet.signs(of: word, areKnown: true)
      for run in signs.split(whereSeparator: { $0.kind == .separator }) { add(run) }
    }
    signs = classes.map { alphabet.signs(of: $0, areKnown: false) }
  }

  private mutating func add(_ word: ArraySlice<Sign>) {
    var place: Int32 = 0
    for sign in word {
      let key = Self.key(place, sign.number)
      if let known = next[key] {
        place = known
      } else {
        place = Int32(isWord.count)
        next[key] = place
        isWord.append(false)
      }
    }
    isWord[Int(place)] = true
  }

  private static func key(_ place: Int32, _ number: UInt32) -> UInt64 {
    UInt64(UInt32(bitPattern: place)) << 32 | UInt64(number)
  }

  /// The text with one more class.
  func progress(_ progress: Progress, reading index: Int) -> Progress {
    var progress = progress
    for sign in signs[index] {
      guard sign.kind != .separator else {
        progress = Progress(ended: final(progress))
        continue
      }
      if progress.place >= 0 {
        progress.place = sign.number == 0 ? -1 : next[Self.key(progress.place, sign.number)] ?? -1
      }
      progress.length += 1
      progress.hasLetter = progress.hasLetter || sign.kind == .letter
    }
    return progress
  }

  /// What the words of a text add if more may follow.
  ///
  /// As long as a word can become one of the list, it counts as one. So neither readings that
  /// cannot nor those that end words early push it out of a narrow beam before it ends.
  func running(_ progress: Progress) -> Double {
    guard progress.place >= 0, progress.hasLetter else { return final(progress) }
    return progress.ended + Double(progress.length) * reward
  }

  /// What the words of a text add if it ends here.
  func final(_ progress: Progress) -> Double {
    guard progress.hasLetter, progress.length >= Self.leastLength else { return progress.ended }
    let isKnown = progress.place >= 0 && isWord[Int(progress.place)]
    return progress.ended + Double(progress.length) * (isKnown ? reward : -penalty)
  }
}
