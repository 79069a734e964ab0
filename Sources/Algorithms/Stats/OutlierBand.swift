/// The band `median +- multiplier * sigma`: what lies outside is an outlier.
///
/// Sigma is the population's standard deviation (about the mean); both bounds belong to the band.
/// Arithmetic is in `Double`.
///
/// ### Edge cases
/// All values equal: the band is that one value. A NaN or an infinity among the values, or a
/// multiplier that is NaN: a bound is NaN, and the band contains nothing. A negative multiplier
/// likewise gives a band that contains nothing, unless sigma is 0.
public struct OutlierBand: Hashable, Sendable, Codable {
  /// The median of the values.
  public let median: Double
  /// Their population standard deviation.
  public let standardDeviation: Double
  /// How many standard deviations the band reaches to either side.
  public let multiplier: Double

  /// Makes the band of the given center and spread.
  public init(median: Double, standardDeviation: Double, multiplier: Double) {
    self.median = median
    self.standardDeviation = standardDeviation
    self.multiplier = multiplier
  }

  /// Measures the band of values, or nil if there are none.
  ///
  /// - Complexity: O(*n*) expected.
  @inlinable
  public init?<Values: Sequence>(of values: Values, multiplier: Double)
  where Values.Element: BinaryFloatingPoint {
    guard let band = _withDoubles(values, { OutlierBand(_of: $0, multiplier: multiplier) })
    else { return nil }
    self = band
  }

  @usableFromInline
  init?(_of values: UnsafeBufferPointer<Double>, multiplier: Double) {
    guard let median = _median(of: values), let variance = _variance(of: values, .population)
    else { return nil }
    self.init(
      median: median, standardDeviation: variance.squareRoot(), multiplier: multiplier)
  }

  /// The lower bound, which belongs to the band.
  public var lowerBound: Double { median - multiplier * standardDeviation }

  /// The upper bound, which belongs to the band.
  public var upperBound: Double { median + multiplier * standardDeviation }

  /// Whether `value` lies in the band, bounds included; NaN never does.
  @inlinable
  public func contains<Value: BinaryFloatingPoint>(_ value: Value) -> Bool {
    let value = Double(value)
    return value >= lowerBound && value <= upperBound
  }
}
