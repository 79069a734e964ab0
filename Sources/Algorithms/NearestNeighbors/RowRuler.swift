/// Makes rulers of rows, in its own memory if rows have to be unpacked first.
///
/// The distance between two rows is the same to the bit for either ruler.
final class RowRuler {
  let layout: VectorLayout
  private let values: UnsafeMutablePointer<Float>
  private let integers: UnsafeMutablePointer<Int16>

  init(layout: VectorLayout) {
    self.layout = layout
    values = .allocate(capacity: layout.precision == .float16 ? layout.dimension : 1)
    integers = .allocate(capacity: layout.precision == .int8 ? layout.dimension : 1)
  }

  deinit {
    values.deallocate()
    integers.deallocate()
  }

  /// A ruler that is valid until the next is made.
  @inline(__always) func ruler(of row: UnsafeRawPointer) -> Ruler {
    if layout.precision == .float32 {
      return Ruler(layout: layout, values: row.assumingMemoryBound(to: Float.self), integers: nil)
    }
    return unpacked(row)
  }

  private func unpacked(_ row: UnsafeRawPointer) -> Ruler {
    if layout.precision == .float16 {
      layout.decode(row, into: values)
      return Ruler(layout: layout, values: values, integers: nil)
    }
    let bytes = (row + 4).assumingMemoryBound(to: Int8.self)
    for index in 0..<layout.dimension { integers[index] = Int16(bytes[index]) }
    return Ruler(
      layout: layout, values: nil, integers: integers,
      scale: Double(row.assumingMemoryBound(to: Float.self).pointee),
      squares: Double(Products.squares(bytes, layout.dimension)))
  }
}
