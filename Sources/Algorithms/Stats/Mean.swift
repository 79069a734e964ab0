/// The arithmetic mean.
///
/// Values are widened to `Double` and added pairwise, as `numpy.mean` does for float64 input; the
/// two agree to the last bit.
///
/// ### Edge cases
/// No values: nil. A NaN among the values: NaN. Infinities of both signs: NaN.
///
/// - Complexity: O(*n*).
@inlinable
public func mean<Values: Sequence>(of values: Values) -> Double?
where Values.Element: BinaryFloatingPoint {
  _withDoubles(values) { _mean(of: $0) }
}

@usableFromInline
func _mean(of values: UnsafeBufferPointer<Double>) -> Double? {
  values.isEmpty ? nil : sum(of: values) / Double(values.count)
}
