import Geometry

/// Why overlapping boxes cannot be suppressed, merged or fused.
public enum SuppressionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of values (scores, classes, weights) is not that of the boxes (or lists of them).
  case countMismatch(what: String, expected: Int, got: Int)
  /// A parameter is NaN or outside its range.
  case parameterOutOfRange(name: String, value: Double, range: String)
  /// A coordinate of the box at this index is NaN, or that of a quadrilateral is not finite.
  case boxIsNotANumber(index: Int)
  /// The score at this index is NaN.
  case scoreIsNotANumber(index: Int)
  /// The score at this index is negative or infinite where weights are made of scores.
  case scoreOutOfRange(index: Int, score: Float)
  /// A candidate for fusion has a box that is not finite, or a score that is negative or not
  /// finite.
  case invalidCandidate(list: Int, index: Int)
  /// A priority order names an index that is not there, or one twice.
  case invalidOrder(index: Int, count: Int)

  /// The error, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .countMismatch(let what, let expected, let got):
      "\(got) \(what) where \(expected) are needed"
    case .parameterOutOfRange(let name, let value, let range):
      "\(name) is \(value); it must be \(range)"
    case .boxIsNotANumber(let index):
      "box \(index) has a coordinate that is not a number"
    case .scoreIsNotANumber(let index):
      "score \(index) is not a number"
    case .scoreOutOfRange(let index, let score):
      "score \(index) is \(score); it must be finite and at least 0"
    case .invalidCandidate(let list, let index):
      "candidate \(index) of list \(list) has a coordinate or a score that is not finite, or a "
        + "negative score"
    case .invalidOrder(let index, let count):
      "the order names box \(index) twice, or there is none of that index: there are \(count) boxes"
    }
  }
}

/// Refuses boxes with a NaN coordinate: they have no overlap to decide by.
func requireNumbers(_ boxes: [Box]) throws(SuppressionError) {
  func isNumber(_ box: Box) -> Bool {
    let sides = SIMD4(box.minX, box.minY, box.maxX, box.maxY)
    return sides == sides
  }
  // All are looked at first, without a branch for each: it hardly ever finds one.
  if boxes.reduce(true, { isNumber($1) && $0 }) { return }
  for index in boxes.indices where !isNumber(boxes[index]) {
    throw .boxIsNotANumber(index: index)
  }
}

/// Refuses scores that cannot be ordered, or whose number is not that of the boxes.
func requireNumbers(_ scores: [Float], count: Int) throws(SuppressionError) {
  guard scores.count == count else {
    throw .countMismatch(what: "scores", expected: count, got: scores.count)
  }
  if let index = scores.firstIndex(where: \.isNaN) { throw .scoreIsNotANumber(index: index) }
}

/// Refuses thresholds outside 0...1.
func requireShare(_ value: Double, named name: String) throws(SuppressionError) {
  guard value >= 0, value <= 1 else {
    throw .parameterOutOfRange(name: name, value: value, range: "in 0...1")
  }
}
