/// The median: the middle value, or the mean of the two middle ones.
///
/// Found by selection, not by sorting. Agrees with `numpy.median` on float64 input to the last bit,
/// but for the mean of two values whose sum overflows, which is finite here.
///
/// ### Edge cases
/// No values: nil. A NaN among the values: NaN. Infinities count as the largest and the smallest
/// values; the mean of two opposite ones is NaN.
///
/// - Complexity: O(*n*) expected, O(*n* log *n*) at worst; one copy of the values.
@inlinable
public func median<Values: Sequence>(of values: Values) -> Double?
where Values.Element: BinaryFloatingPoint {
  _median(of: values.map { Double($0) })
}

@usableFromInline
func _median(of values: [Double]) -> Double? {
  if values.isEmpty { return nil }
  if values.contains(where: \.isNaN) { return .nan }
  var values = values
  let middle = values.count / 2
  let upper = select(middle, of: &values)
  if !values.count.isMultiple(of: 2) { return upper }
  // What lies before the selected place is no larger: its largest is the other middle value.
  guard let lower = values[..<middle].max() else { return upper }
  let sum = lower + upper
  return sum.isFinite ? sum / 2 : lower / 2 + upper / 2
}
