/// A valid ISBN of either length, as it was written.
///
/// ```swift
/// print(try AnyISBN("0-306-40615-2").isbn13)  // 9780306406157
/// ```
public enum AnyISBN: Hashable, Sendable {
  /// Ten characters.
  case isbn10(ISBN10)
  /// Thirteen digits.
  case isbn13(ISBN13)

  /// Reads an ISBN-10 or ISBN-13 by the rules of ``ISBN13/init(_:)-(String)``.
  public init(_ text: String) throws(ISBNError) {
    try self.init(CodeReading(text))
  }

  /// Reads an ISBN-10 or ISBN-13 off UTF-8 bytes.
  public init(utf8: some Collection<UInt8>) throws(ISBNError) {
    try self.init(CodeReading(utf8: utf8))
  }

  init(_ reading: CodeReading) throws(ISBNError) {
    if let failure = reading.failure { throw failure.isbnError }
    switch reading.count {
    case 0: throw .empty
    case 10: self = .isbn10(try ISBN10(reading))
    case 13: self = .isbn13(try ISBN13(reading))
    default: throw .wrongLength(found: reading.count, expected: [10, 13])
    }
  }

  /// The book's ISBN-13.
  public var isbn13: ISBN13 {
    switch self {
    case .isbn10(let isbn): return ISBN13(isbn)
    case .isbn13(let isbn): return isbn
    }
  }

  /// The book's ISBN-10, or nil for a number that starts with 979.
  public var isbn10: ISBN10? {
    switch self {
    case .isbn10(let isbn): return isbn
    case .isbn13(let isbn): return isbn.isbn10
    }
  }

  /// The digits and final X of a text, without separators, label and full-width forms.
  ///
  /// Their number and the check digit are not checked. Other characters are an error.
  public static func normalized(_ text: String) throws(ISBNError) -> String {
    let reading = CodeReading(text)
    if let failure = reading.failure { throw failure.isbnError }
    guard reading.count > 0 else { throw .empty }
    guard reading.count <= 18 else {
      throw .wrongLength(found: reading.count, expected: [10, 13])
    }
    let digits = String(reading.value)
    let digitCount = reading.endsInX ? reading.count - 1 : reading.count
    return String(repeating: "0", count: digitCount - digits.utf8.count) + digits
      + (reading.endsInX ? "X" : "")
  }
}

extension AnyISBN: CustomStringConvertible {
  /// The characters without separators, in the length the number was written in.
  public var description: String {
    switch self {
    case .isbn10(let isbn): return isbn.description
    case .isbn13(let isbn): return isbn.description
    }
  }
}

extension AnyISBN: Codable {
  /// Decodes a string by the rules of ``init(_:)``; an invalid one is `dataCorrupted`.
  public init(from decoder: any Decoder) throws {
    self = try decoder.number { (text) throws(ISBNError) in try Self(text) }
  }

  /// Encodes ``description``.
  public func encode(to encoder: any Encoder) throws {
    try description.encode(to: encoder)
  }
}
