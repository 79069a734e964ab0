/// A valid ISSN, the number of a newspaper, magazine, journal or series: seven digits and a check
/// digit, which may be X.
///
/// ```swift
/// let issn = try ISSN("ISSN 0264-3596")
/// print(issn.hyphenated)                                 // 0264-3596
/// print(try issn.ean13().number)                         // 9770264359008
/// print(try ISSN(EANPayload("9770264359008")) == issn)   // true
/// ```
///
/// A valid number need not be assigned to a publication.
///
/// Source: ISO 3297 (modulus 11 with weights 8 to 1; X stands for ten); GS1 General Specifications,
/// section 1.4 (prefix 977).
public struct ISSN: Hashable, Sendable {
  /// The first seven digits as one number; the check digit follows from them.
  public let body: UInt32

  /// Reads an ISSN as people write it: eight characters, x stands for X.
  ///
  /// Passed over are hyphens, Unicode dashes and spaces of every kind, wherever they stand, and a
  /// label in front (`ISSN`, `eISSN:`, `ISSN-L`, `urn:issn:`, upper or lower case). Digits may be
  /// full-width.
  ///
  /// O(length of the text); nothing is allocated.
  public init(_ text: String) throws(ProductNumberError) {
    try self.init(CodeReading(text, as: .issn))
  }

  /// Reads an ISSN off UTF-8 bytes, by the rules of ``init(_:)-(String)``.
  public init(utf8: some Collection<UInt8>) throws(ProductNumberError) {
    try self.init(CodeReading(utf8: utf8, as: .issn))
  }

  /// Takes the ISSN out of a bar code that starts with 977; its two other digits are left out.
  public init(_ payload: EANPayload) throws(ProductNumberError) {
    guard case .periodical(let issn) = payload.content else {
      throw .wrongPrefix(found: String(payload.description.prefix(3)), expected: "977")
    }
    self = issn
  }

  /// Completes the first seven digits of an ISSN with their check digit.
  public init(completing text: String) throws(ProductNumberError) {
    let reading = CodeReading(text, as: .issn)
    try reading.requireCount(7)
    body = UInt32(reading.value)
  }

  /// Takes a body below 10^7.
  init(uncheckedBody body: UInt32) {
    self.body = body
  }

  private init(_ reading: CodeReading) throws(ProductNumberError) {
    try reading.requireCount(8)
    body = UInt32(reading.endsInX ? reading.value : reading.value / 10)
    guard reading.isISSN else {
      let found = reading.endsInX ? "X" : CheckDigit.character(reading.value % 10)
      throw .wrongCheckDigit(found: found, expected: checkDigit)
    }
  }

  /// Whether the text is an ISSN that ``init(_:)-(String)`` takes.
  public static func isValid(_ text: String) -> Bool {
    isValid(CodeReading(text, as: .issn))
  }

  /// Whether the UTF-8 bytes are an ISSN that ``init(utf8:)`` takes.
  public static func isValid(utf8: some Collection<UInt8>) -> Bool {
    isValid(CodeReading(utf8: utf8, as: .issn))
  }

  private static func isValid(_ reading: CodeReading) -> Bool {
    reading.failure == nil && reading.isISSN
  }

  /// The last character, which follows from the other seven: a digit or X.
  public var checkDigit: Character {
    // Two leading zeros, which make an ISBN-10 of it, weigh nothing.
    let digit = CheckDigit.isbn10(of: body)
    return digit == 10 ? "X" : CheckDigit.character(UInt64(digit))
  }

  /// The number as it is printed, such as 0317-8471: two groups of four.
  public var hyphenated: String { text(hyphensAfter: 1 << 4, length: 9) }

  /// The number in the bars of a periodical: 977, the first seven digits, two more, a check digit.
  ///
  /// - Parameter variant: the two other digits, which publishers use for prices and editions,
  ///   0...99; usually 0.
  /// - Throws: ``ProductNumberError`` for another variant.
  public func ean13(variant: Int = 0) throws(ProductNumberError) -> EANPayload {
    guard 0...99 ~= variant else {
      throw .outOfRange(field: "variant", value: variant, range: 0...99)
    }
    return EANPayload(completing: 977_000_000_000 + UInt64(body) * 100 + UInt64(variant))
  }
}

extension ISSN {
  private func text(hyphensAfter boundaries: UInt32, length: Int) -> String {
    let check = CheckDigit.isbn10(of: body)
    return String(unsafeUninitializedCapacity: length) { buffer in
      write(UInt64(body) * 10, digits: 8, hyphensAfter: boundaries, into: buffer)
      buffer[length - 1] = check == 10 ? 0x58 : UInt8(0x30 + check)
      return length
    }
  }
}

extension ISSN: CustomStringConvertible {
  /// The eight characters without a separator; ``init(_:)-(String)`` reads it back.
  public var description: String { text(hyphensAfter: 0, length: 8) }
}

extension ISSN: Comparable {
  /// Orders by number.
  public static func < (left: ISSN, right: ISSN) -> Bool { left.body < right.body }
}

extension ISSN: Codable {
  /// Decodes a string by the rules of ``init(_:)-(String)``; an invalid one is `dataCorrupted`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.number { (text) throws(ProductNumberError) in try Self(text) }
  }

  /// Encodes ``description``.
  public func encode(to encoder: any Encoder) throws {
    try description.encode(to: encoder)
  }
}
