/// A text in which every character is one byte, so that matching patterns of dates is simple.
///
/// Letters lose their accents, dashes become hyphens, full-width forms become ASCII, and digits of
/// other scripts become 0 to 9. Other characters beyond ASCII become ``letter`` or ``mark``.
/// Combining accents and invisible characters are left out.
struct FoldedText {
  /// A letter of another alphabet.
  static let letter: UInt8 = 0x80
  /// Any other character beyond ASCII.
  static let mark: UInt8 = 0x81

  /// The characters.
  private(set) var characters: [UInt8] = []
  /// The start of each character in the text's UTF-8, and the end of the last.
  private(set) var offsets: [Int] = []

  init(_ text: String) {
    let size = text.utf8.count
    characters.reserveCapacity(size)
    offsets.reserveCapacity(size + 1)
    var offset = 0
    for scalar in text.unicodeScalars {
      if let folded = Self.folded(scalar) {
        characters.append(folded)
        offsets.append(offset)
      }
      offset += UTF8.width(scalar)
    }
    offsets.append(offset)
  }

  /// The number of characters.
  var count: Int { characters.count }

  /// A character, or a line break beyond the ends.
  subscript(_ index: Int) -> UInt8 {
    characters.indices.contains(index) ? characters[index] : 0x0A
  }

  /// The range in the text of some characters.
  func utf8Range(_ range: Range<Int>) -> Range<Int> {
    offsets[range.lowerBound]..<offsets[range.upperBound]
  }

  private static func folded(_ scalar: Unicode.Scalar) -> UInt8? {
    let value = scalar.value
    if value < 0x80 {
      // Line breaks stay; other control characters become blanks.
      return value == 0x0A || value == 0x0D
        ? 0x0A : value <= 0x20 || value == 0x7F ? 0x20 : UInt8(value)
    }
    switch value {
    case 0xD7, 0xF7: return mark
    case 0xC0...0x24F: return latin(value)
    // Ordinal indicators, and the degree sign that is used for them.
    case 0xAA, 0xB0, 0xBA: return nil
    case 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: return 0x20
    case 0x85, 0x2028, 0x2029: return 0x0A
    case 0xAD, 0x200B...0x200F, 0x2060, 0xFEFF, 0xFE00...0xFE0F, 0x300...0x36F: return nil
    case 0x2010...0x2015, 0x2212, 0xFE58, 0xFE63: return 0x2D
    case 0x2044, 0x2215: return 0x2F
    case 0xB4, 0x2018, 0x2019, 0x2032: return 0x27
    case 0xFF01...0xFF5E: return UInt8(value - 0xFEE0)
    default:
      let properties = scalar.properties
      if properties.numericType == .decimal, let digit = properties.numericValue {
        return 0x30 + UInt8(digit)
      }
      return properties.isAlphabetic ? letter : mark
    }
  }

  /// The basic letter of an accented one, as in the tables of months and labels.
  private static func latin(_ value: UInt32) -> UInt8 {
    let upper: UInt8
    switch value & ~0x20 {
    case 0xC0...0xC5: upper = 0x41
    case 0xC7: upper = 0x43
    case 0xC8...0xCB: upper = 0x45
    case 0xCC...0xCF: upper = 0x49
    case 0xD1: upper = 0x4E
    case 0xD2...0xD6: upper = 0x4F
    case 0xD9...0xDC: upper = 0x55
    default: return letter
    }
    return upper | UInt8(value & 0x20)
  }
}

/// Classifies characters of a ``FoldedText``.
enum Fold {
  static func isDigit(_ character: UInt8) -> Bool { character &- 0x30 < 10 }

  static func isLetter(_ character: UInt8) -> Bool {
    (character | 0x20) &- 0x61 < 26 || character == FoldedText.letter
  }

  /// The digit for which a letter can be a misreading.
  static func misread(_ character: UInt8) -> Int? {
    switch character {
    case UInt8(ascii: "O"), UInt8(ascii: "o"): 0
    case UInt8(ascii: "I"), UInt8(ascii: "l"), UInt8(ascii: "i"), UInt8(ascii: "|"): 1
    case UInt8(ascii: "S"), UInt8(ascii: "s"): 5
    case UInt8(ascii: "B"): 8
    default: nil
    }
  }

  /// Whether a digit can be the misreading of a capital letter.
  static func isMisread(_ digit: UInt8, of letter: UInt8) -> Bool {
    switch digit {
    case UInt8(ascii: "0"): letter == UInt8(ascii: "O") || letter == UInt8(ascii: "D")
    case UInt8(ascii: "1"): letter == UInt8(ascii: "I") || letter == UInt8(ascii: "L")
    case UInt8(ascii: "5"): letter == UInt8(ascii: "S")
    case UInt8(ascii: "8"): letter == UInt8(ascii: "B")
    default: false
    }
  }
}
