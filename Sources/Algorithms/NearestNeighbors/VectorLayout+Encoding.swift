extension VectorLayout {
  /// Writes `vector` as a row.
  ///
  /// Values are rounded to the nearest value of the precision. The scale of an `int8` row maps its
  /// largest magnitude to 127. With ``VectorMetric/cosine`` the scale is corrected afterwards, so
  /// that the stored row has length 1.
  ///
  /// - Precondition: `row` has ``rowStride`` bytes and its address is a multiple of 4.
  /// - Complexity: O(d).
  /// - Throws: ``NeighborSearchError/dimensionMismatch(expected:found:)``,
  ///   ``NeighborSearchError/nonFinite(index:)``, ``NeighborSearchError/outOfHalfRange(index:)``;
  ///   ``NeighborSearchError/zeroVector`` with ``VectorMetric/cosine`` only. The row is not written
  ///   then.
  public func encode(
    _ vector: UnsafeBufferPointer<Float>, into row: UnsafeMutableRawPointer
  ) throws(NeighborSearchError) {
    let factor = try checkedFactor(for: vector)
    switch precision {
    case .float32:
      let values = row.assumingMemoryBound(to: Float.self)
      for index in 0..<dimension { values[index] = Float(Double(vector[index]) * factor) }
    case .float16:
      let values = row.assumingMemoryBound(to: UInt16.self)
      for index in 0..<dimension {
        // Values that were not divided are checked to be in range; others are below 1.
        values[index] = HalfPrecision.bits(of: Float(Double(vector[index]) * factor))
      }
      if dimension % 2 == 1 { values[dimension] = 0 }
    case .int8:
      encodeBytes(vector, into: row)
    }
  }

  /// Writes `vector` as a row.
  ///
  /// - Throws: as for a buffer.
  public func encode(
    _ vector: [Float], into row: UnsafeMutableRawPointer
  ) throws(NeighborSearchError) {
    try vector.withUnsafeBufferPointer { (vector) throws(NeighborSearchError) in
      try encode(vector, into: row)
    }
  }

  /// The bytes of `vector` as a row, ``rowStride`` of them.
  ///
  /// - Throws: as ``encode(_:into:)-(UnsafeBufferPointer<Float>,_)``.
  public func encoded(_ vector: [Float]) throws(NeighborSearchError) -> [UInt8] {
    // They are words because of their alignment.
    var words = [UInt32](repeating: 0, count: rowStride / 4)
    try encode(vector, into: &words)
    return words.withUnsafeBytes { Array($0) }
  }

  /// The vector of a row; with cosine, the one of length 1.
  ///
  /// - Precondition: `row` has ``rowStride`` bytes and its address is a multiple of 4.
  /// - Complexity: O(d).
  public func decode(_ row: UnsafeRawPointer) -> [Float] {
    [Float](unsafeUninitializedCapacity: dimension) { values, count in
      decode(row, into: values.baseAddress!)
      count = dimension
    }
  }

  /// Writes the vector of a row to `values`, which has room for `dimension` of them.
  func decode(_ row: UnsafeRawPointer, into values: UnsafeMutablePointer<Float>) {
    let count = dimension
    switch precision {
    case .float32:
      values.update(from: row.assumingMemoryBound(to: Float.self), count: count)
    case .float16:
      let halves = row.assumingMemoryBound(to: UInt16.self)
      for index in 0..<count { values[index] = HalfPrecision.finiteValue(of: halves[index]) }
    case .int8:
      let scale = row.assumingMemoryBound(to: Float.self).pointee
      let bytes = (row + 4).assumingMemoryBound(to: Int8.self)
      for index in 0..<count { values[index] = Float(bytes[index]) * scale }
    }
  }

  /// Checks a vector and returns the factor for its values.
  func checkedFactor(for vector: UnsafeBufferPointer<Float>) throws(NeighborSearchError) -> Double {
    guard vector.count == dimension else {
      throw .dimensionMismatch(expected: dimension, found: vector.count)
    }
    if let index = vector.firstIndex(where: { !$0.isFinite }) { throw .nonFinite(index: index) }
    guard metric == .cosine else {
      if precision == .float16, let index = vector.firstIndex(where: { $0.magnitude >= 65520 }) {
        throw .outOfHalfRange(index: index)
      }
      return 1
    }
    // The squares of single-precision numbers do not overflow or underflow in double precision.
    var sum = 0.0
    for value in vector { sum += Double(value) * Double(value) }
    guard sum > 0 else { throw .zeroVector }
    return 1 / sum.squareRoot()
  }

  private func encodeBytes(
    _ vector: UnsafeBufferPointer<Float>, into row: UnsafeMutableRawPointer
  ) {
    var largest: Float = 0
    for value in vector { largest = max(largest, value.magnitude) }
    let bytes = (row + 4).assumingMemoryBound(to: Int8.self)
    let factor = largest == 0 ? 0 : 127 / Double(largest)
    var squares = 0
    for index in 0..<dimension {
      let value = Int8((Double(vector[index]) * factor).rounded(.toNearestOrEven))
      bytes[index] = value
      squares += Int(value) * Int(value)
    }
    for index in dimension..<rowStride - 4 { bytes[index] = 0 }
    var scale = Float(metric == .cosine ? 1 / Double(squares).squareRoot() : Double(largest) / 127)
    // If it were rounded up, the largest numbers would become infinite.
    if !(127 * scale).isFinite { scale = scale.nextDown }
    row.assumingMemoryBound(to: Float.self).pointee = scale
  }
}
