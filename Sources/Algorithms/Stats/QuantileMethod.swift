/// How a quantile is taken between two neighbours in the sorted values.
///
/// The first nine are the definitions 1 to 9 of Hyndman and Fan ("Sample quantiles in statistical
/// packages", 1996); names and results are NumPy's.
public enum QuantileMethod: String, Hashable, Sendable, Codable, CaseIterable {
  /// Definition 1: the first value at which the empirical distribution reaches the probability.
  case invertedCDF = "inverted_cdf"
  /// Definition 2: like ``invertedCDF``, with the mean of two values where the distribution is
  /// flat.
  case averagedInvertedCDF = "averaged_inverted_cdf"
  /// Definition 3: the value nearest by rank, ties to the even rank (SAS's choice).
  case closestObservation = "closest_observation"
  /// Definition 4: linear interpolation of the empirical distribution.
  case interpolatedInvertedCDF = "interpolated_inverted_cdf"
  /// Definition 5: Hazen's; ranks at (k - 1/2) / n.
  case hazen
  /// Definition 6: Weibull's; ranks at k / (n + 1).
  case weibull
  /// Definition 7, NumPy's default: ranks at (k - 1) / (n - 1).
  case linear
  /// Definition 8: ranks at (k - 1/3) / (n + 1/3), near median-unbiased for any distribution.
  case medianUnbiased = "median_unbiased"
  /// Definition 9: ranks at (k - 3/8) / (n + 1/4), near unbiased for a normal distribution.
  case normalUnbiased = "normal_unbiased"
  /// The lower neighbour of ``linear``.
  case lower
  /// The upper neighbour of ``linear``.
  case higher
  /// The mean of the two neighbours of ``linear``.
  case midpoint
  /// The nearer neighbour of ``linear``; half way, the one of even index.
  case nearest
}

/// The position of a quantile in the sorted values: between two neighbours, with a weight.
struct QuantilePosition {
  var lower: Int
  var upper: Int
  /// 0...1 from `lower` to `upper`; without meaning if they are equal.
  var weight: Double

  /// The position of the quantile at probability `q` (0...1) among `count` (at least 1) values.
  ///
  /// The order of the operations is NumPy's: a probability such as 0.7 is not exact in binary, and
  /// whether `count * q` comes out whole decides which value the discrete methods take.
  init(_ q: Double, count: Int, method: QuantileMethod) {
    let n = Double(count)
    switch method {
    case .invertedCDF:
      let rank = n * q - 1
      self.init(rank == rank.rounded(.down) ? rank : rank.rounded(.down) + 1, count: count)
    case .closestObservation:
      let rank = n * q - 1 - 0.5
      let floor = rank.rounded(.down)
      let isOdd = abs(floor.truncatingRemainder(dividingBy: 2)) == 1
      self.init(rank == floor && isOdd ? floor : floor + 1, count: count)
    case .lower:
      self.init(((n - 1) * q).rounded(.down), count: count)
    case .higher:
      self.init(((n - 1) * q).rounded(.up), count: count)
    case .nearest:
      self.init(((n - 1) * q).rounded(.toNearestOrEven), count: count)
    case .averagedInvertedCDF:
      let rank = n * q - 1
      self.init(between: rank, count: count) { $0 == 0 ? 0.5 : 1 }
    case .midpoint:
      let rank = (n - 1) * q
      let middle = 0.5 * (rank.rounded(.down) + rank.rounded(.up))
      self.init(between: middle, count: count) { $0 == 0 ? 0 : 0.5 }
    case .interpolatedInvertedCDF:
      self.init(between: Self.rank(q, n, alpha: 0, beta: 1), count: count)
    case .hazen:
      self.init(between: Self.rank(q, n, alpha: 0.5, beta: 0.5), count: count)
    case .weibull:
      self.init(between: Self.rank(q, n, alpha: 0, beta: 0), count: count)
    case .linear:
      self.init(between: (n - 1) * q, count: count)
    case .medianUnbiased:
      self.init(between: Self.rank(q, n, alpha: 1 / 3, beta: 1 / 3), count: count)
    case .normalUnbiased:
      self.init(between: Self.rank(q, n, alpha: 3 / 8, beta: 3 / 8), count: count)
    }
  }

  /// Hyndman and Fan's plotting position, counted from 0.
  private static func rank(_ q: Double, _ n: Double, alpha: Double, beta: Double) -> Double {
    n * q + (alpha + q * (1 - alpha - beta)) - 1
  }

  /// A single value's place, kept inside the values.
  private init(_ index: Double, count: Int) {
    lower = min(max(Int(index), 0), count - 1)
    upper = lower
    weight = 0
  }

  private init(
    between rank: Double, count: Int, weighing: (_ fraction: Double) -> Double = { $0 }
  ) {
    let floor = rank.rounded(.down)
    weight = weighing(rank - floor)
    if rank >= Double(count - 1) {
      lower = count - 1
      upper = lower
    } else if rank < 0 {
      lower = 0
      upper = 0
    } else {
      lower = Int(floor)
      upper = lower + 1
    }
  }
}
