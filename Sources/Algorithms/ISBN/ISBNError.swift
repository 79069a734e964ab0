/// The reason why a text or a number is not an ISBN, and the expected value.
///
/// Positions count Unicode scalars from 0; the text of an error counts them from 1, as people do.
public enum ISBNError: Error, Hashable, Sendable {
  /// The text holds no digit at all.
  case empty
  /// A character that is not a digit, an X, a separator or the word ISBN in front.
  case unexpectedCharacter(Unicode.Scalar, position: Int)
  /// The bytes are not UTF-8 from this position on.
  case invalidUTF8(position: Int)
  /// An X that is not the last of ten digits.
  case misplacedX(position: Int)
  /// Too few or too many digits.
  case wrongLength(found: Int, expected: [Int])
  /// Thirteen digits that do not start with 978 or 979: another product's number.
  case notABook(prefix: Int)
  /// Thirteen digits that start with 979-0: an ISMN, the number of a piece of printed music.
  case printedMusic
  /// The last digit contradicts the others.
  case wrongCheckDigit(found: Character, expected: Character)
  /// An ISBN-13 with the prefix 979, for which ISBN-10 has no numbers.
  case noISBN10(ISBN13)
}

extension ISBNError: CustomStringConvertible {
  /// The error, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .empty:
      return "there are no digits; an ISBN has 13, or 10 in books from before 2007"
    case .unexpectedCharacter(let scalar, let position):
      return "\(named(scalar)) at position \(position + 1) belongs to no ISBN; "
        + "digits, hyphens, spaces and a final X do"
    case .invalidUTF8(let position):
      return "the bytes after \(position) characters are not UTF-8"
    case .misplacedX(let position):
      return "X at position \(position + 1) stands where only a digit may; "
        + "it can only be the last of 10 digits"
    case .wrongLength(let found, let expected):
      return wrongLengthText(found: found, expected: expected)
    case .notABook(let prefix):
      return
        "the number starts with \(leftPadded(String(prefix), to: 3)), which no book's number does; "
        + "an ISBN-13 starts with 978 or 979"
    case .printedMusic:
      return "the number starts with 979-0: it is an ISMN (printed music), not an ISBN"
    case .wrongCheckDigit(let found, let expected):
      return "the check digit is \(found) where \(expected) would be right"
    case .noISBN10(let isbn):
      return "\(isbn) has no ISBN-10: only numbers that start with 978 have one"
    }
  }
}
