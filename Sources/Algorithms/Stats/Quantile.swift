/// The value below which the share `q` of the values lies.
///
/// Agrees with `numpy.quantile` on float64 input to the last bit.
///
/// ### Edge cases
/// No values: nil. A NaN among the values: NaN. Interpolating at an infinity gives NaN, as in
/// NumPy; the methods that pick a value (``QuantileMethod/lower`` and the like) return it.
///
/// - Parameters:
///   - q: the probability, 0...1.
///   - values: in any order.
///   - method: what to do between two values.
/// - Throws: ``StatisticsError/probabilityOutOfRange(_:)`` where `q` is NaN or not in 0...1.
/// - Complexity: O(*n*) expected, O(*n* log *n*) at worst; one copy of the values.
@inlinable
public func quantile<Values: Sequence>(
  _ q: Double, of values: Values, method: QuantileMethod = .linear
) throws -> Double? where Values.Element: BinaryFloatingPoint {
  try _quantile(q, of: values.map { Double($0) }, method: method)
}

/// Several quantiles of the same values, in the order of `probabilities`.
///
/// The results are those of ``quantile(_:of:method:)``; the values are sorted once.
///
/// - Returns: nil where there are no values.
/// - Throws: ``StatisticsError/probabilityOutOfRange(_:)`` where a probability is NaN or not in
///   0...1.
/// - Complexity: O(*n* log *n* + *m*) for *m* probabilities.
@inlinable
public func quantiles<Values: Sequence>(
  _ probabilities: [Double], of values: Values, method: QuantileMethod = .linear
) throws -> [Double]? where Values.Element: BinaryFloatingPoint {
  try _quantiles(probabilities, of: values.map { Double($0) }, method: method)
}

@usableFromInline
func _quantile(_ q: Double, of values: [Double], method: QuantileMethod) throws -> Double? {
  try requireProbability(q)
  if values.isEmpty { return nil }
  if values.contains(where: \.isNaN) { return .nan }
  let position = QuantilePosition(q, count: values.count, method: method)
  var values = values
  let lower = select(position.lower, of: &values)
  guard position.upper > position.lower else {
    return value(at: position, lower: lower, upper: lower, method: method)
  }
  // What lies behind the selected place is no smaller: its smallest is the upper neighbour.
  let upper = values[position.upper...].min() ?? lower
  return value(at: position, lower: lower, upper: upper, method: method)
}

@usableFromInline
func _quantiles(
  _ probabilities: [Double], of values: [Double], method: QuantileMethod
) throws -> [Double]? {
  for q in probabilities { try requireProbability(q) }
  if values.isEmpty { return nil }
  if values.contains(where: \.isNaN) { return probabilities.map { _ in .nan } }
  let sorted = values.sorted()
  return probabilities.map { q in
    let position = QuantilePosition(q, count: sorted.count, method: method)
    return value(
      at: position, lower: sorted[position.lower], upper: sorted[position.upper], method: method)
  }
}

private func requireProbability(_ q: Double) throws {
  guard q >= 0, q <= 1 else { throw StatisticsError.probabilityOutOfRange(q) }
}

/// Interpolates from the nearer neighbour, which keeps the result monotonic and exact at both ends.
private func value(
  at position: QuantilePosition, lower: Double, upper: Double, method: QuantileMethod
) -> Double {
  switch method {
  case .invertedCDF, .closestObservation, .lower, .higher, .nearest:
    return lower
  default:
    let difference = upper - lower
    return position.weight < 0.5
      ? lower + difference * position.weight : upper - difference * (1 - position.weight)
  }
}
