/// Whether `value` is `expected` within a relative error, or an absolute one near zero; NaN equals
/// NaN, infinities themselves.
public func isClose(
  _ value: Float, _ expected: Double, relative: Double, absolute: Double = 1e-44
) -> Bool {
  if expected.isNaN { return value.isNaN }
  if value.isNaN { return false }
  let rounded = Float(expected)
  if rounded.isInfinite || value.isInfinite { return value == rounded }
  return abs(Double(value) - expected) <= max(relative * abs(expected), absolute)
}

/// Where two arrays differ first, for a readable failure.
public func firstDifference(
  _ values: [Float], _ expected: [Double], relative: Double, absolute: Double = 1e-44
) -> String? {
  guard values.count == expected.count else {
    return "\(values.count) values instead of \(expected.count)"
  }
  for (index, pair) in zip(values, expected).enumerated()
  where !isClose(pair.0, pair.1, relative: relative, absolute: absolute) {
    return "[\(index)] is \(pair.0) instead of \(pair.1)"
  }
  return nil
}

/// `count` values in `range`.
public func noise(
  _ count: Int, seed: UInt64, in range: ClosedRange<Float> = -2...2
) -> [Float] {
  var generator = SeededGenerator(seed: seed)
  return (0..<count).map { _ in Float.random(in: range, using: &generator) }
}
