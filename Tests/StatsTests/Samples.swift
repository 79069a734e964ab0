import TestSupport

/// The values of a golden's case; `Fixtures/generate/stats.py` makes the same.
func sample(_ kind: String, count: Int) -> [Double] {
  switch kind {
  case "uniform":
    var generator = SeededGenerator(seed: UInt64(count))
    return (0..<count).map { _ in generator.unit() * 2000 - 1000 }
  case "ties":
    var generator = SeededGenerator(seed: UInt64(count + 1))
    return (0..<count).map { _ in Double(generator.next() % 7) }
  default:
    var generator = SeededGenerator(seed: UInt64(count + 2))
    return (0..<count).map { _ in
      let bits = generator.next()
      let unit = Double(bits >> 11) * 0x1p-53
      return Double(sign: .plus, exponent: Int(bits % 60) - 30, significand: unit)
    }
  }
}

/// A number of a golden: JSON has no NaN and no infinity, so these are written as text.
struct GoldenNumber: Decodable {
  let value: Double

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      value = number
    } else {
      let text = try container.decode(String.self)
      guard let number = Double(text) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "\(text) is not a number")
      }
      value = number
    }
  }
}

/// Whether two numbers are equal, NaN being equal to NaN.
func same(_ a: Double?, _ b: Double?) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return a == b || (a.isNaN && b.isNaN)
}
