/// What cannot belong to any code.
///
/// Positions count Unicode scalars from 0.
enum CodeFailure: Error, Hashable {
  case unexpectedCharacter(Unicode.Scalar, position: Int)
  case invalidUTF8(position: Int)
  case misplacedX(position: Int)

  var isbnError: ISBNError {
    switch self {
    case .unexpectedCharacter(let scalar, let position):
      .unexpectedCharacter(scalar, position: position)
    case .invalidUTF8(let position): .invalidUTF8(position: position)
    case .misplacedX(let position): .misplacedX(position: position)
    }
  }

  var productNumberError: ProductNumberError {
    switch self {
    case .unexpectedCharacter(let scalar, let position):
      .unexpectedCharacter(scalar, position: position)
    case .invalidUTF8(let position): .invalidUTF8(position: position)
    case .misplacedX(let position): .misplacedX(position: position)
    }
  }
}

/// A character for an error's text, by its code if it is not seen.
func named(_ scalar: Unicode.Scalar) -> String {
  if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    || scalar.properties.generalCategory == .format
  {
    return "U+" + leftPadded(String(scalar.value, radix: 16, uppercase: true), to: 4)
  }
  return "'\(scalar)'"
}

/// The digits with zeros in front.
func leftPadded(_ digits: String, to length: Int) -> String {
  String(repeating: "0", count: max(0, length - digits.utf8.count)) + digits
}

/// How many digits there are, and how many there may be.
func wrongLengthText(found: Int, expected: [Int]) -> String {
  let lengths = expected.dropLast().map(String.init).joined(separator: ", ")
  let last = (expected.count > 1 ? " or " : "") + (expected.last.map(String.init) ?? "")
  return "\(found) \(found == 1 ? "digit" : "digits") where \(lengths + last) would be right"
}
