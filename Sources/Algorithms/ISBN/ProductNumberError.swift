/// The reason why a text or a number is not an ISSN, an ISMN or a GTIN-14, and the expected value.
///
/// Positions count Unicode scalars from 0; the text of an error counts them from 1, as people do.
public enum ProductNumberError: Error, Hashable, Sendable {
  /// The text holds no digit at all.
  case empty
  /// A character that is not a digit, a separator or a label in front.
  case unexpectedCharacter(Unicode.Scalar, position: Int)
  /// The bytes are not UTF-8 from this position on.
  case invalidUTF8(position: Int)
  /// An X that is not the last of the eight digits of an ISSN.
  case misplacedX(position: Int)
  /// Too few or too many digits.
  case wrongLength(found: Int, expected: [Int])
  /// The number starts with other digits than all numbers of its kind.
  case wrongPrefix(found: String, expected: String)
  /// The last digit contradicts the others.
  case wrongCheckDigit(found: Character, expected: Character)
  /// A number to convert with is outside its range.
  case outOfRange(field: String, value: Int, range: ClosedRange<Int>)
}

extension ProductNumberError: CustomStringConvertible {
  /// The error, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .empty:
      "there are no digits"
    case .unexpectedCharacter(let scalar, let position):
      "\(named(scalar)) at position \(position + 1) belongs to no such number; "
        + "digits, hyphens and spaces do"
    case .invalidUTF8(let position):
      "the bytes after \(position) characters are not UTF-8"
    case .misplacedX(let position):
      "X at position \(position + 1) stands where only a digit may; "
        + "it can only be the last of 8 digits"
    case .wrongLength(let found, let expected):
      wrongLengthText(found: found, expected: expected)
    case .wrongPrefix(let found, let expected):
      "the number starts with \(found) where \(expected) would be right"
    case .wrongCheckDigit(let found, let expected):
      "the check digit is \(found) where \(expected) would be right"
    case .outOfRange(let field, let value, let range):
      "\(field) is \(value); it must be in \(range.lowerBound)...\(range.upperBound)"
    }
  }
}

extension CodeReading {
  /// The digits and a final X, if there are `expected` of them.
  func requireCount(_ expected: Int) throws(ProductNumberError) {
    if let failure { throw failure.productNumberError }
    guard count > 0 else { throw .empty }
    guard count == expected else { throw .wrongLength(found: count, expected: [expected]) }
  }
}

/// Throws if the last digit of a number is not its EAN check digit.
func requireEANCheckDigit(of number: UInt64) throws(ProductNumberError) {
  let expected = CheckDigit.ean(of: number / 10)
  guard number % 10 == expected else {
    throw .wrongCheckDigit(
      found: CheckDigit.character(number % 10), expected: CheckDigit.character(expected))
  }
}
