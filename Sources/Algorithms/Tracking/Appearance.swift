/// The appearance of an object: a vector of length 1.
struct Appearance: Hashable, Sendable {
  private let values: [Float]

  /// Normalizes a vector; nil if it has no direction: no values, zeros only, or a value that is not
  /// finite.
  init?(_ vector: [Float]?) {
    guard let vector else { return nil }
    var squares = 0.0
    for value in vector { squares += Double(value) * Double(value) }
    guard squares > 0, squares.isFinite else { return nil }
    let scale = 1 / squares.squareRoot()
    values = vector.map { Float(Double($0) * scale) }
  }

  /// The cosine of two appearances, -1 to 1; nil if they have different numbers of values.
  func similarity(to other: Appearance) -> Double? {
    guard values.count == other.values.count else { return nil }
    var sum = 0.0
    for (a, b) in zip(values, other.values) { sum += Double(a) * Double(b) }
    return min(1, max(-1, sum))
  }

  /// The appearance mixed with a share of a newer one: light changes, and one frame may be blurred.
  func blended(with newer: Appearance?) -> Appearance {
    guard let newer else { return self }
    guard newer.values.count == values.count else { return newer }
    let share: Float = 0.3
    let mixed = zip(values, newer.values).map { $0 * (1 - share) + $1 * share }
    // Opposite vectors may cancel out.
    return Appearance(mixed) ?? newer
  }
}

/// The cosine of two appearances, nil if either is unknown or they cannot be compared.
func similarity(_ first: Appearance?, _ second: Appearance?) -> Double? {
  guard let first, let second else { return nil }
  return first.similarity(to: second)
}
