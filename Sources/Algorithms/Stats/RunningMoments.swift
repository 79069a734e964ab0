/// Mean, variance, skewness and kurtosis of values that come one by one, in constant memory.
///
/// Central moments are updated with every value, so there is no cancellation if the mean is large
/// compared with the spread. Two of them can be merged, so values can be split among tasks.
///
/// Sources: Welford, 1962, for the second moment. Pébay, "Formulas for robust, one-pass parallel
/// computation of covariances and arbitrary-order statistical moments", 2008, for the third, the
/// fourth and for merging.
///
/// ### Edge cases
/// Without values, everything is nil. After a NaN or an infinity, mean and moments are NaN.
public struct RunningMoments: Hashable, Sendable, Codable {
  /// How many values were seen.
  public private(set) var count = 0
  private var runningMean = 0.0
  /// Sums of the second, third and fourth powers of the deviations from the mean.
  private var m2 = 0.0
  private var m3 = 0.0
  private var m4 = 0.0

  /// Starts with nothing seen.
  public init() {}

  /// Starts with the given values seen.
  public init<Values: Sequence>(of values: Values) where Values.Element: BinaryFloatingPoint {
    for value in values { add(Double(value)) }
  }

  /// Takes one more value into account, in constant time.
  public mutating func add(_ value: Double) {
    let before = Double(count)
    count += 1
    let n = Double(count)
    let delta = value - runningMean
    let step = delta / n
    let step2 = step * step
    let term = delta * step * before
    runningMean += step
    m4 += term * step2 * (n * n - 3 * n + 3) + 6 * step2 * m2 - 4 * step * m3
    m3 += term * step * (n - 2) - 3 * step * m2
    m2 += term
  }

  /// Takes everything `other` has seen into account, in constant time.
  public mutating func merge(_ other: RunningMoments) {
    if other.count == 0 { return }
    if count == 0 {
      self = other
      return
    }
    let a = Double(count)
    let b = Double(other.count)
    let n = a + b
    let delta = other.runningMean - runningMean
    let step = delta / n
    let step2 = step * step
    let product = a * b
    let fourth = delta * step * step2 * product * (a * a - product + b * b)
    m4 += other.m4 + fourth + 6 * step2 * (a * a * other.m2 + b * b * m2)
    m4 += 4 * step * (a * other.m3 - b * m3)
    m3 += other.m3 + delta * step2 * product * (a - b) + 3 * step * (a * other.m2 - b * m2)
    m2 += other.m2 + delta * step * product
    runningMean += step * b
    count += other.count
  }
}

extension RunningMoments {
  /// The arithmetic mean, nil before the first value.
  public var mean: Double? { count == 0 ? nil : runningMean }

  /// The variance, nil without a value (for a sample, with fewer than two).
  public func variance(_ kind: DeviationKind = .population) -> Double? {
    let divisor = kind == .population ? count : count - 1
    return divisor > 0 ? m2 / Double(divisor) : nil
  }

  /// The square root of ``variance(_:)``.
  public func standardDeviation(_ kind: DeviationKind = .population) -> Double? {
    variance(kind)?.squareRoot()
  }

  /// The skewness of the values, `E[(x - mean)^3] / sigma^3` with the population's sigma; positive
  /// if the longer tail is on the right (`scipy.stats.skew`).
  ///
  /// Nil without a value, and if all values are the same up to rounding.
  public var skewness: Double? {
    isSpread ? (m3 / Double(count)) / powerOfVariance(1.5) : nil
  }

  /// The excess kurtosis of the values, `E[(x - mean)^4] / sigma^4 - 3` with the population's
  /// sigma; 0 for a normal distribution (`scipy.stats.kurtosis`).
  ///
  /// Nil without a value, and if all values are the same up to rounding.
  public var kurtosis: Double? {
    isSpread ? (m4 / Double(count)) / powerOfVariance(2) - 3 : nil
  }

  /// Whether the spread is more than what rounding the mean alone would leave.
  private var isSpread: Bool {
    if count == 0 { return false }
    let rounding = Double.ulpOfOne * runningMean
    return !(m2 / Double(count) <= rounding * rounding)
  }

  private func powerOfVariance(_ exponent: Double) -> Double {
    let variance = m2 / Double(count)
    return exponent == 2 ? variance * variance : variance * variance.squareRoot()
  }
}
