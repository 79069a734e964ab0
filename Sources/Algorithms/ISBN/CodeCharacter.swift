/// What one character means inside a code as people and scanners write it.
enum CodeCharacter: Equatable {
  /// A digit, ASCII or full-width.
  case digit(UInt8)
  /// X, the check digit ten of an ISBN-10.
  case x
  /// A hyphen or one of Unicode's dashes.
  case dash
  /// A space of any width, or a character that is not seen.
  case space
  /// A line break.
  case newline
  /// A letter; the value is the upper-case ASCII letter, or 0 for any other alphabet.
  case letter(UInt8)
  /// Anything else; the value is the ASCII character, or 0.
  case other(UInt8)

  /// Classifies one Unicode scalar; full-width forms count as their ASCII twins.
  init(_ scalar: Unicode.Scalar) {
    var value = scalar.value
    if value >= 0xFF01 && value <= 0xFF5E { value -= 0xFEE0 }
    if value < 0x80 {
      self.init(ascii: UInt8(truncatingIfNeeded: value))
      return
    }
    switch value {
    // Soft hyphen; middle dot; hyphen to horizontal bar; minus; small and small em dash;
    // hyphenation point and bullet; the long-vowel marks that text recognition reads for a dash in
    // Japanese.
    case 0xAD, 0xB7, 0x2010...0x2015, 0x2212, 0xFE58, 0xFE63, 0x2027, 0x2043, 0x30FC, 0xFF70:
      self = .dash
    // No-break space; en quad to right-to-left mark; narrow and mathematical spaces; directional
    // embeddings and isolates; word joiner; ideographic space; byte order mark.
    case 0xA0, 0x2000...0x200F, 0x202A...0x202F, 0x205F, 0x2060, 0x2066...0x2069, 0x3000, 0xFEFF:
      self = .space
    case 0x85, 0x2028, 0x2029:
      self = .newline
    // Alphabets run into words with digits. Ideographs do not: Chinese and Japanese write no space
    // before a number.
    case 0x80..<0x1100, 0x1E00..<0x2000:
      self = scalar.properties.isAlphabetic ? .letter(0) : .other(0)
    default: self = .other(0)
    }
  }

  /// Classifies an ASCII character.
  @inline(__always)
  init(ascii byte: UInt8) {
    switch byte {
    case 0x30...0x39: self = .digit(byte &- 0x30)
    case 0x2D: self = .dash
    case 0x20, 0x09: self = .space
    case 0x0A...0x0D: self = .newline
    case 0x58, 0x78: self = .x
    case 0x41...0x5A: self = .letter(byte)
    case 0x61...0x7A: self = .letter(byte &- 0x20)
    default: self = .other(byte)
    }
  }
}

/// Reads Unicode scalars off UTF-8 bytes.
///
/// Written out because the standard library's decoders want an iterator or a `String`, and codes
/// are read in place. Overlong forms, surrogates and cut sequences are errors (Unicode Standard,
/// table 3-7).
struct ScalarReader {
  let bytes: UnsafeBufferPointer<UInt8>
  /// The next byte to read.
  private(set) var offset: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  /// The next scalar; nil at the end and if the bytes are not UTF-8 (``isAtEnd`` tells which).
  mutating func next() -> Unicode.Scalar? {
    guard offset < bytes.count else { return nil }
    let lead = bytes[offset]
    if lead < 0x80 {
      offset += 1
      return Unicode.Scalar(lead)
    }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, lead <= 0xF4, length <= bytes.count - offset else { return nil }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for index in offset + 1..<offset + length {
      guard bytes[index] & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(bytes[index] & 0x3F)
    }
    guard value >= (length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000),
      let scalar = Unicode.Scalar(value)
    else { return nil }
    offset += length
    return scalar
  }

  /// Goes on behind a byte that is not UTF-8.
  mutating func skipByte() {
    offset = min(offset + 1, bytes.count)
  }

  var isAtEnd: Bool { offset >= bytes.count }
}
