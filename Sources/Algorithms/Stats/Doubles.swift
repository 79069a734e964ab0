/// Calls `body` with the values as `Double`s, without a copy if they are contiguous `Double`s
/// already.
@inlinable
func _withDoubles<Values: Sequence, Result>(
  _ values: Values, _ body: (UnsafeBufferPointer<Double>) -> Result
) -> Result where Values.Element: BinaryFloatingPoint {
  if Values.Element.self == Double.self,
    let result = values.withContiguousStorageIfAvailable({ buffer in
      // The elements are doubles, by the line above.
      body(
        UnsafeBufferPointer(
          start: UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: Double.self),
          count: buffer.count))
    })
  {
    return result
  }
  return values.map { Double($0) }.withUnsafeBufferPointer(body)
}
