/// Why the outputs of a detection network cannot be decoded.
public enum DetectionDecodeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An output has another shape than its head has; `expected` is in words, such as `[1, N, 85]`.
  case outputShape(got: [Int], expected: String)
  /// Another number of values than the shape says.
  case valueCount(got: Int, expected: Int)
  /// Outputs that belong together have different lengths.
  case lengths([Int])
  /// The least score is NaN or not in 0...1.
  case minimumScore(Float)
  /// A layout names a column that it does not have, or one twice.
  case layout(String)

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .outputShape(let got, let expected): "an output of shape \(got); it should be \(expected)"
    case .valueCount(let got, let expected):
      "\(got) values; an output of this shape has \(expected)"
    case .lengths(let lengths):
      "outputs of "
        + lengths.map(String.init).joined(separator: " and ") + " rows; they should be equal"
    case .minimumScore(let score): "a minimum score of \(score); it must be in 0...1"
    case .layout(let reason): "not a layout of candidates: \(reason)"
    }
  }
}
