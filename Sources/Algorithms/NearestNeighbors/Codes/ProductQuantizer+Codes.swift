import LinearAlgebra

extension ProductQuantizer {
  /// The code of a vector, ``codeSize`` bytes.
  ///
  /// Of equally near centroids it takes the first. The code of an even subspace with 4 bits is in
  /// the lower half of its byte, that of the next in the upper half, as faiss has it.
  ///
  /// - Complexity: O(2^bits d).
  /// - Throws: ``NeighborSearchError/dimensionMismatch(expected:found:)``,
  ///   ``NeighborSearchError/nonFinite(index:)``; ``NeighborSearchError/zeroVector`` with
  ///   ``VectorMetric/cosine`` only.
  public func encoded(_ vector: [Float]) throws(NeighborSearchError) -> [UInt8] {
    var table = [Float](repeating: 0, count: subspaceCount * centroidCount)
    var code: [UInt8] = []
    try vector.withUnsafeBufferPointer { (vector) throws(NeighborSearchError) in
      try encode(vector, table: &table, onto: &code)
    }
    return code
  }

  /// The codes of the rows of `vectors`, one after the other.
  ///
  /// - Parameters:
  ///   - vectors: one vector per row, finite; as many columns as the ``dimension``.
  ///   - threads: the number of threads; the result does not depend on it.
  /// - Throws: as for one vector, if there are any.
  public func encoded(
    _ vectors: Matrix<Float>, threads: Int = 1
  ) throws(NeighborSearchError) -> [UInt8] {
    let (count, columns, blockSize) = (vectors.rowCount, vectors.columnCount, 256)
    let blocks = try Lanes.map(
      (count + blockSize - 1) / blockSize, threads: threads, tool: {},
      { (block, _) throws(NeighborSearchError) in
        var table = [Float](repeating: 0, count: subspaceCount * centroidCount)
        var codes: [UInt8] = []
        let rows = block * blockSize..<min((block + 1) * blockSize, count)
        codes.reserveCapacity(rows.count * codeSize)
        try vectors.elements.withUnsafeBufferPointer { (values) throws(NeighborSearchError) in
          for row in rows {
            try encode(
              UnsafeBufferPointer(rebasing: values[row * columns..<(row + 1) * columns]),
              table: &table, onto: &codes)
          }
        }
        return codes
      })
    return Array(blocks.joined())
  }

  /// The vector of a code: the centroids of its parts.
  ///
  /// With ``VectorMetric/cosine`` its length is about 1.
  ///
  /// - Complexity: O(d).
  /// - Throws: ``NeighborSearchError/codeLengthMismatch(expected:found:)``.
  public func decoded(_ code: some Collection<UInt8>) throws(NeighborSearchError) -> [Float] {
    guard code.count == codeSize else {
      throw .codeLengthMismatch(expected: codeSize, found: code.count)
    }
    let code = Array(code)
    return (0..<dimension).map { column in
      let subspace = column / width
      let centroid =
        bits == 8 ? code[subspace] : code[subspace / 2] >> UInt8(subspace % 2 * 4) & 15
      return lanes[column * centroidCount + Int(centroid)]
    }
  }

  private func encode(
    _ vector: UnsafeBufferPointer<Float>, table: inout [Float], onto codes: inout [UInt8]
  ) throws(NeighborSearchError) {
    compare(try prepared(vector), by: .squares, into: &table)
    table.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return }
      for subspace in 0..<subspaceCount {
        let best = CentroidComparison.least(
          table + subspace * centroidCount, centroidCount: centroidCount)
        if bits == 8 || subspace % 2 == 0 {
          codes.append(UInt8(best))
        } else {
          codes[codes.count - 1] |= UInt8(best << 4)
        }
      }
    }
  }
}
