/// The two check digits that book numbers have had.
enum CheckDigit {
  /// The EAN check digit: weights 3 and 1 in turn from the right, to the next multiple of ten.
  static func ean(of body: UInt64) -> UInt64 {
    var rest = body
    var sum: UInt64 = 0
    var weight: UInt64 = 3
    while rest > 0 {
      sum += rest % 10 * weight
      rest /= 10
      weight = 4 - weight
    }
    return (10 - sum % 10) % 10
  }

  /// The ISBN-10 check digit of nine digits, 10 standing for X: weights 2 to 10 from the right, to
  /// the next multiple of eleven.
  static func isbn10(of body: UInt32) -> UInt32 {
    var rest = body
    var sum: UInt32 = 0
    for weight in 2...10 as ClosedRange<UInt32> {
      sum += rest % 10 * weight
      rest /= 10
    }
    return (11 - sum % 11) % 11
  }

  /// A digit as it is printed.
  static func character(_ digit: UInt64) -> Character {
    Character(Unicode.Scalar(UInt8(0x30 + digit % 10)))
  }
}

extension CodeReading {
  /// The digits, if there are `expected` of them and nothing else.
  func digits(count expected: Int) throws(ISBNError) -> UInt64 {
    if let failure { throw failure.isbnError }
    guard count > 0 else { throw .empty }
    guard count == expected, !endsInX else {
      throw .wrongLength(found: count, expected: [expected])
    }
    return value
  }
}
