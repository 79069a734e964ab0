/// Why a YOLOX network's output cannot be decoded.
public enum YOLOXDecodeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The output is not of the shape `[1, N, 5 + C]` with at least one candidate and one class.
  case outputShape([Int])
  /// A side of the network's input is not a positive multiple of the largest stride.
  case inputSize(width: Int, height: Int, largestStride: Int)
  /// The output has another number of candidates than the input's size gives.
  case candidateCount(got: Int, expected: [Int])
  /// There are no classes, or too many to count the output's values.
  case classCount(Int)
  /// The output holds another number of values than its shape says.
  case valueCount(got: Int, expected: Int)
  /// The minimum score is NaN or not in 0...1.
  case minimumScore(Float)

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .outputShape(let shape):
      "an output of shape \(shape); YOLOX's is [1, N, 5 + C] for N candidates and C classes, both "
        + "at least 1"
    case .inputSize(let width, let height, let largestStride):
      "an input of \(width) x \(height); both sides must be positive multiples of \(largestStride)"
    case .candidateCount(let got, let expected):
      "an output of \(got) candidates; an input of this size gives "
        + expected.map(String.init).joined(separator: " or ")
    case .classCount(let count):
      "\(count) classes; there must be at least 1"
    case .valueCount(let got, let expected):
      "\(got) values; an output of this shape has \(expected)"
    case .minimumScore(let score):
      "a minimum score of \(score); it must be in 0...1"
    }
  }
}
