/// A valid ISBN-10, as printed in books until 2006: nine digits and a check digit, which may be X.
///
/// Source: ISBN Users' Manual, 5th edition (modulus 11 with weights 10 to 1; X stands for ten).
public struct ISBN10: Hashable, Sendable {
  /// The first nine digits as one number; the check digit follows from them.
  public let body: UInt32

  /// Reads an ISBN-10 as people write it, by the rules of ``ISBN13/init(_:)-(String)``; x stands
  /// for X.
  ///
  /// O(length of the text); nothing is allocated.
  public init(_ text: String) throws(ISBNError) {
    try self.init(CodeReading(text))
  }

  /// Reads an ISBN-10 off UTF-8 bytes, by the rules of ``init(_:)-(String)``.
  public init(utf8: some Collection<UInt8>) throws(ISBNError) {
    try self.init(CodeReading(utf8: utf8))
  }

  /// Converts an ISBN-13, which only those that start with 978 allow.
  public init(_ isbn: ISBN13) throws(ISBNError) {
    guard isbn.number / 10_000_000_000 == 978 else { throw .noISBN10(isbn) }
    body = UInt32(isbn.number / 10 % 1_000_000_000)
  }

  /// Completes the first nine digits of an ISBN-10 with their check digit.
  public init(completing text: String) throws(ISBNError) {
    body = UInt32(try CodeReading(text).digits(count: 9))
  }

  /// Takes a body below 10^9.
  init(uncheckedBody body: UInt32) {
    self.body = body
  }

  /// Whether the text is an ISBN-10 that ``init(_:)-(String)`` takes.
  public static func isValid(_ text: String) -> Bool {
    isValid(CodeReading(text))
  }

  /// Whether the UTF-8 bytes are an ISBN-10 that ``init(utf8:)`` takes.
  public static func isValid(utf8: some Collection<UInt8>) -> Bool {
    isValid(CodeReading(utf8: utf8))
  }

  private static func isValid(_ reading: CodeReading) -> Bool {
    reading.failure == nil && reading.isISBN10
  }

  init(_ reading: CodeReading) throws(ISBNError) {
    if let failure = reading.failure { throw failure.isbnError }
    guard reading.count > 0 else { throw .empty }
    guard reading.count == 10 else { throw .wrongLength(found: reading.count, expected: [10]) }
    body = UInt32(reading.endsInX ? reading.value : reading.value / 10)
    guard reading.isISBN10 else {
      let found = reading.endsInX ? "X" : CheckDigit.character(reading.value % 10)
      throw .wrongCheckDigit(found: found, expected: checkDigit)
    }
  }

  /// The last character, which follows from the other nine: a digit or X.
  public var checkDigit: Character {
    let digit = CheckDigit.isbn10(of: body)
    return digit == 10 ? "X" : CheckDigit.character(UInt64(digit))
  }

  /// The same book's ISBN-13.
  public var isbn13: ISBN13 { ISBN13(self) }
}

extension ISBN10: CustomStringConvertible {
  /// The ten characters without separators; ``init(_:)-(String)`` reads it back.
  public var description: String {
    String(unsafeUninitializedCapacity: 10) { buffer in
      let check = CheckDigit.isbn10(of: body)
      buffer[9] = check == 10 ? 0x58 : UInt8(0x30 + check)
      var rest = body
      for index in stride(from: 8, through: 0, by: -1) {
        buffer[index] = UInt8(0x30 + rest % 10)
        rest /= 10
      }
      return 10
    }
  }
}

extension ISBN10: Comparable {
  /// Orders by number.
  public static func < (left: ISBN10, right: ISBN10) -> Bool { left.body < right.body }
}

extension ISBN10: Codable {
  /// Decodes a string by the rules of ``init(_:)-(String)``; an invalid one is `dataCorrupted`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.number { (text) throws(ISBNError) in try Self(text) }
  }

  /// Encodes ``description``.
  public func encode(to encoder: any Encoder) throws {
    try description.encode(to: encoder)
  }
}
