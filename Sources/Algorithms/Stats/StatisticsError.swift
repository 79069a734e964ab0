/// Why a statistic cannot be taken.
public enum StatisticsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A quantile's probability is NaN or outside 0...1.
  case probabilityOutOfRange(Double)

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .probabilityOutOfRange(let q):
      "a quantile's probability is \(q); it must be in 0...1"
    }
  }
}
