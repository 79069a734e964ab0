/// What the sum of squared deviations is divided by.
public enum DeviationKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// Divided by the number of values *n*: the deviation of these very values (NumPy's `ddof=0`).
  case population
  /// Divided by *n* - 1 (Bessel's correction): an unbiased estimate of the variance of what the
  /// values were drawn from (NumPy's `ddof=1`).
  case sample
}

/// The variance, by two passes over the values.
///
/// Agrees with `numpy.var` on float64 input to the last bit.
///
/// ### Edge cases
/// No values, or a single one with ``DeviationKind/sample``: nil. A NaN or an infinity among the
/// values: NaN.
///
/// - Complexity: O(*n*); values that are an array of `Double` are read in place.
@inlinable
public func variance<Values: Sequence>(
  of values: Values, _ kind: DeviationKind = .population
) -> Double? where Values.Element: BinaryFloatingPoint {
  _withDoubles(values) { _variance(of: $0, kind) }
}

/// The standard deviation: the square root of ``variance(of:_:)``.
///
/// Agrees with `numpy.std` on float64 input to the last bit.
///
/// ### Edge cases
/// No values, or a single one with ``DeviationKind/sample``: nil. A NaN or an infinity among the
/// values: NaN.
///
/// - Complexity: O(*n*); values that are an array of `Double` are read in place.
@inlinable
public func standardDeviation<Values: Sequence>(
  of values: Values, _ kind: DeviationKind = .population
) -> Double? where Values.Element: BinaryFloatingPoint {
  variance(of: values, kind)?.squareRoot()
}

@usableFromInline
func _variance(of values: UnsafeBufferPointer<Double>, _ kind: DeviationKind) -> Double? {
  let divisor = kind == .population ? values.count : values.count - 1
  guard divisor > 0, let center = _mean(of: values) else { return nil }
  return sumOfSquares(of: values, about: center) / Double(divisor)
}
