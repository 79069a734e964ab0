/// A valid ISMN, the number of a piece of printed music: thirteen digits that start with 979-0.
///
/// ```swift
/// let ismn = try ISMN("ISMN M-2306-7118-7")
/// print(ismn)             // 9790230671187
/// print(ismn.hyphenated)  // 979-0-2306-7118-7
/// print(ismn.ismn10)      // M230671187
/// ```
///
/// Until 2007, an M stood for 979-0. The check digit is the same.
///
/// Source: ISO 10957; ISMN Users' Manual, 6th edition (ranges of publishers).
public struct ISMN: Hashable, Sendable {
  /// The thirteen digits as one number, for compact storage.
  public let number: UInt64

  /// Reads an ISMN as people write it: thirteen digits, or M and nine.
  ///
  /// Passed over are hyphens, Unicode dashes and spaces of every kind, wherever they stand, and a
  /// label in front (`ISMN`, `ISMN-13:`, upper or lower case). Digits may be full-width.
  ///
  /// O(length of the text); nothing is allocated.
  public init(_ text: String) throws(ProductNumberError) {
    try self.init(CodeReading(text, as: .ismn))
  }

  /// Reads an ISMN off UTF-8 bytes, by the rules of ``init(_:)-(String)``.
  public init(utf8: some Collection<UInt8>) throws(ProductNumberError) {
    try self.init(CodeReading(utf8: utf8, as: .ismn))
  }

  /// Makes an ISMN of thirteen digits given as a number.
  public init(number: UInt64) throws(ProductNumberError) {
    guard number >= 1_000_000_000_000, number < 10_000_000_000_000 else {
      throw .wrongLength(found: String(number).utf8.count, expected: [13])
    }
    try Self.checkPrefix(of: number)
    try requireEANCheckDigit(of: number)
    self.number = number
  }

  /// Takes the ISMN of a bar code that starts with 979-0.
  public init(_ payload: EANPayload) throws(ProductNumberError) {
    guard case .printedMusic(let ismn) = payload.content else {
      throw .wrongPrefix(found: String(payload.description.prefix(4)), expected: "9790")
    }
    self = ismn
  }

  /// Completes the first twelve digits of an ISMN, or M and eight digits, with their check digit.
  public init(completing text: String) throws(ProductNumberError) {
    let reading = CodeReading(text, as: .ismn)
    try reading.requireCount(reading.startsWithM ? 8 : 12)
    let body = reading.startsWithM ? 979_000_000_000 + reading.value : reading.value
    let number = body * 10 + CheckDigit.ean(of: body)
    try Self.checkPrefix(of: number)
    self.number = number
  }

  /// Takes a number with the right prefix and check digit.
  init(unchecked number: UInt64) {
    self.number = number
  }

  private init(_ reading: CodeReading) throws(ProductNumberError) {
    try reading.requireCount(reading.startsWithM ? 9 : 13)
    let number = reading.startsWithM ? 9_790_000_000_000 + reading.value : reading.value
    try Self.checkPrefix(of: number)
    try requireEANCheckDigit(of: number)
    self.number = number
  }

  /// Whether the text is an ISMN that ``init(_:)-(String)`` takes.
  public static func isValid(_ text: String) -> Bool { (try? ISMN(text)) != nil }

  /// Whether the UTF-8 bytes are an ISMN that ``init(utf8:)`` takes.
  public static func isValid(utf8: some Collection<UInt8>) -> Bool {
    (try? ISMN(utf8: utf8)) != nil
  }

  private static func checkPrefix(of number: UInt64) throws(ProductNumberError) {
    guard number / 1_000_000_000 == 9790 else {
      let digits = leftPadded(String(number), to: 13)
      throw .wrongPrefix(found: String(digits.prefix(4)), expected: "9790")
    }
  }

  /// The last digit, which follows from the other twelve.
  public var checkDigit: Int { Int(number % 10) }

  /// The digits of the publisher, three to seven.
  public var publisher: String {
    String(description.dropFirst(4).prefix(publisherLength))
  }

  /// The digits of the item among the publisher's, five to one.
  public var item: String {
    String(description.dropFirst(4 + publisherLength).dropLast())
  }

  /// The number of digits of the publisher, which follows from the first of them.
  private var publisherLength: Int {
    switch number / 100_000_000 % 10 {
    case 0: 3
    case 1...3: 4
    case 4...6: 5
    case 7, 8: 6
    default: 7
    }
  }

  /// The number as it is printed, such as 979-0-2306-7118-7.
  public var hyphenated: String {
    let boundaries: UInt32 = 1 << 3 | 1 << 4 | 1 << UInt32(4 + publisherLength) | 1 << 12
    return String(unsafeUninitializedCapacity: 17) { buffer in
      write(number, digits: 13, hyphensAfter: boundaries, into: buffer)
      return 17
    }
  }

  /// The number as it was printed until 2007, without separators: M and nine digits.
  public var ismn10: String { "M" + description.dropFirst(4) }

  /// The number in the bars, which has the same digits.
  public var ean13: EANPayload { EANPayload(completing: number / 10) }
}

extension ISMN: CustomStringConvertible {
  /// The thirteen digits without separators; ``init(_:)-(String)`` reads it back.
  public var description: String { String(number) }
}

extension ISMN: Comparable {
  /// Orders by number.
  public static func < (left: ISMN, right: ISMN) -> Bool { left.number < right.number }
}

extension ISMN: Codable {
  /// Decodes a string by the rules of ``init(_:)-(String)``; an invalid one is `dataCorrupted`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.number { (text) throws(ProductNumberError) in try Self(text) }
  }

  /// Encodes ``description``.
  public func encode(to encoder: any Encoder) throws {
    try description.encode(to: encoder)
  }
}
