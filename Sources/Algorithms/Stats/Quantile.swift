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
/// - Throws: ``StatisticsError/probabilityOutOfRange(_:)`` if `q` is NaN or not in 0...1.
/// - Complexity: O(*n*) expected, O(*n* log *n*) at worst; one copy of the values.
@inlinable
public func quantile<Values: Sequence>(
  _ q: Double, of values: Values, method: QuantileMethod = .linear
) throws(StatisticsError) -> Double? where Values.Element: BinaryFloatingPoint {
  try _requireProbability(q)
  return _withDoubles(values) { _quantile(q, of: $0, method: method) }
}

/// Several quantiles of the same values, in the order of `probabilities`.
///
/// The results are those of ``quantile(_:of:method:)``. A few are selected one by one; many are
/// read from the sorted values.
///
/// - Returns: nil if there are no values.
/// - Throws: ``StatisticsError/probabilityOutOfRange(_:)`` if a probability is NaN or not in
///   0...1.
/// - Complexity: O(*n* min(*m*, log *n*) + *m*) expected for *m* probabilities.
@inlinable
public func quantiles<Values: Sequence>(
  _ probabilities: [Double], of values: Values, method: QuantileMethod = .linear
) throws(StatisticsError) -> [Double]? where Values.Element: BinaryFloatingPoint {
  for q in probabilities { try _requireProbability(q) }
  return _withDoubles(values) { _quantiles(probabilities, of: $0, method: method) }
}

@usableFromInline
func _quantile(
  _ q: Double, of values: UnsafeBufferPointer<Double>, method: QuantileMethod
) -> Double? {
  values.isEmpty ? nil : selectedQuantile(q, of: values, method: method)
}

@usableFromInline
func _quantiles(
  _ probabilities: [Double], of values: UnsafeBufferPointer<Double>, method: QuantileMethod
) -> [Double]? {
  if values.isEmpty { return nil }
  // A selection costs a fraction of what sorting does.
  if probabilities.count <= 2 * (Int.bitWidth - values.count.leadingZeroBitCount) {
    return probabilities.map { selectedQuantile($0, of: values, method: method) }
  }
  if containsNaN(values) { return probabilities.map { _ in .nan } }
  let sorted = values.sorted()
  return probabilities.map { q in
    let position = QuantilePosition(q, count: sorted.count, method: method)
    return value(
      at: position, lower: sorted[position.lower], upper: sorted[position.upper], method: method)
  }
}

/// A quantile by selection; there is a value at least.
private func selectedQuantile(
  _ q: Double, of values: UnsafeBufferPointer<Double>, method: QuantileMethod
) -> Double {
  let position = QuantilePosition(q, count: values.count, method: method)
  guard let (lower, upper) = orderStatistics(position.lower, position.upper, of: values)
  else { return .nan }
  return value(at: position, lower: lower, upper: upper, method: method)
}

@usableFromInline
func _requireProbability(_ q: Double) throws(StatisticsError) {
  guard q >= 0, q <= 1 else { throw .probabilityOutOfRange(q) }
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
