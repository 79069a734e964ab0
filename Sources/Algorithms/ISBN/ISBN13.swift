/// A valid ISBN-13: thirteen digits that start with 978 or 979, not 979-0, with the right check
/// digit.
///
/// ```swift
/// let isbn = try ISBN13("ISBN 978-0-306-40615-7")
/// print(isbn)                              // 9780306406157
/// print(isbn.hyphenated ?? "?")            // 978-0-306-40615-7
/// print(isbn.group?.name ?? "?")           // English language
/// print(isbn.isbn10?.description ?? "?")   // 0306406152
/// ```
///
/// A valid number need not be assigned to a publisher: ``elements`` is nil if the agency has not
/// assigned its range.
///
/// Source: ISBN Users' Manual, 7th edition, appendix 1 (check digit); ISO 2108.
public struct ISBN13: Hashable, Sendable {
  /// The thirteen digits as one number, for compact storage.
  public let number: UInt64

  /// Reads an ISBN-13 as people write it.
  ///
  /// Passed over are hyphens, Unicode dashes and spaces of every kind, wherever they stand, and a
  /// label in front (`ISBN`, `ISBN-13:`, `urn:isbn:`, upper or lower case). Digits may be
  /// full-width. Ten digits are an error here; ``AnyISBN`` takes both lengths.
  ///
  /// O(length of the text); nothing is allocated.
  public init(_ text: String) throws(ISBNError) {
    try self.init(CodeReading(text))
  }

  /// Reads an ISBN-13 off UTF-8 bytes, by the rules of ``init(_:)-(String)``.
  public init(utf8: some Collection<UInt8>) throws(ISBNError) {
    try self.init(CodeReading(utf8: utf8))
  }

  /// Makes an ISBN-13 of thirteen digits given as a number.
  public init(number: UInt64) throws(ISBNError) {
    guard number >= 1_000_000_000_000, number < 10_000_000_000_000 else {
      throw .wrongLength(found: String(number).utf8.count, expected: [13])
    }
    try Self.checkPrefix(of: number)
    let expected = CheckDigit.ean(of: number / 10)
    guard number % 10 == expected else {
      throw .wrongCheckDigit(
        found: CheckDigit.character(number % 10), expected: CheckDigit.character(expected))
    }
    self.number = number
  }

  /// Converts an ISBN-10: 978 goes in front, and the check digit is new.
  public init(_ isbn: ISBN10) {
    let body = 978_000_000_000 + UInt64(isbn.body)
    number = body * 10 + CheckDigit.ean(of: body)
  }

  /// Completes the first twelve digits of an ISBN-13, written in any of the ways of
  /// ``init(_:)-(String)``, with their check digit.
  public init(completing text: String) throws(ISBNError) {
    let reading = CodeReading(text)
    let value = try reading.digits(count: 12)
    let number = value * 10 + CheckDigit.ean(of: value)
    try Self.checkPrefix(of: number)
    self.number = number
  }

  /// Whether the text is an ISBN-13 that ``init(_:)-(String)`` takes.
  public static func isValid(_ text: String) -> Bool {
    isValid(CodeReading(text))
  }

  /// Whether the UTF-8 bytes are an ISBN-13 that ``init(utf8:)`` takes.
  public static func isValid(utf8: some Collection<UInt8>) -> Bool {
    isValid(CodeReading(utf8: utf8))
  }

  private static func isValid(_ reading: CodeReading) -> Bool {
    reading.failure == nil && reading.count == 13 && reading.satisfiesEAN
      && hasBookPrefix(reading.value)
  }

  init(_ reading: CodeReading) throws(ISBNError) {
    let value = try reading.digits(count: 13)
    try Self.checkPrefix(of: value)
    guard reading.satisfiesEAN else {
      throw .wrongCheckDigit(
        found: CheckDigit.character(value % 10),
        expected: CheckDigit.character(CheckDigit.ean(of: value / 10)))
    }
    number = value
  }

  /// Whether thirteen digits start with 978, or 979 but not 979-0.
  static func hasBookPrefix(_ number: UInt64) -> Bool {
    number >= 9_780_000_000_000 && number < 9_800_000_000_000 && number / 1_000_000_000 != 9790
  }

  private static func checkPrefix(of number: UInt64) throws(ISBNError) {
    if hasBookPrefix(number) { return }
    if number / 1_000_000_000 == 9790 { throw .printedMusic }
    throw .notABook(prefix: Int(number / 10_000_000_000))
  }

  /// The last digit, which follows from the other twelve.
  public var checkDigit: Int { Int(number % 10) }

  /// The same book's ISBN-10, or nil for a number that starts with 979.
  ///
  /// ``ISBN10/init(_:)-(ISBN13)`` converts with an error instead.
  public var isbn10: ISBN10? { try? ISBN10(self) }
}

extension ISBN13: CustomStringConvertible {
  /// The thirteen digits without separators; ``init(_:)-(String)`` reads it back.
  public var description: String {
    String(unsafeUninitializedCapacity: 13) { buffer in
      var rest = number
      for index in stride(from: 12, through: 0, by: -1) {
        buffer[index] = UInt8(0x30 + rest % 10)
        rest /= 10
      }
      return 13
    }
  }
}

extension ISBN13: Comparable {
  /// Orders by number.
  public static func < (left: ISBN13, right: ISBN13) -> Bool { left.number < right.number }
}

extension ISBN13: Codable {
  /// Decodes a string by the rules of ``init(_:)-(String)``; an invalid one is `dataCorrupted`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.number { (text) throws(ISBNError) in try Self(text) }
  }

  /// Encodes ``description``.
  public func encode(to encoder: any Encoder) throws {
    try description.encode(to: encoder)
  }
}
