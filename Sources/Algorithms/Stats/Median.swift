/// The median: the middle value, or the mean of the two middle ones.
///
/// Found by selection, not by sorting. Agrees with `numpy.median` on float64 input to the last bit,
/// except the mean of two values whose sum overflows, which is finite here.
///
/// ### Edge cases
/// No values: nil. A NaN among the values: NaN. Infinities count as the largest and the smallest
/// values; the mean of two opposite ones is NaN.
///
/// - Complexity: O(*n*) expected, O(*n* log *n*) at worst; one copy of the values. About one and a
///   half passes over them.
@inlinable
public func median<Values: Sequence>(of values: Values) -> Double?
where Values.Element: BinaryFloatingPoint {
  _withDoubles(values) { _median(of: $0) }
}

@usableFromInline
func _median(of values: UnsafeBufferPointer<Double>) -> Double? {
  if values.isEmpty { return nil }
  let middle = values.count / 2
  let isOdd = !values.count.isMultiple(of: 2)
  guard let (lower, upper) = orderStatistics(isOdd ? middle : middle - 1, middle, of: values)
  else { return .nan }
  if isOdd { return upper }
  let sum = lower + upper
  return sum.isFinite ? sum / 2 : lower / 2 + upper / 2
}
