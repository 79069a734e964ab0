import LinearAlgebra

extension ProductQuantizer {
  /// Makes a quantizer whose codebooks fit example vectors.
  ///
  /// Each codebook is found by k-means, from rows that the seed chooses. The result is the same to
  /// the bit for the same rows and seed, on any processor and any number of threads. All rows are
  /// used. 256 rows for each centroid are enough: 65,536 with 8 bits. If there are more, pass a
  /// random sample.
  ///
  /// - Parameters:
  ///   - rows: the examples, one per row; at least one for each centroid: 256 or 16.
  ///   - subspaceCount: the number of subspaces, a divisor of the number of columns.
  ///   - bits: the bits of a code for each subspace: 8 or 4.
  ///   - metric: the metric for comparing vectors.
  ///   - seed: what the random choice of the first centroids depends on.
  ///   - iterationLimit: how many times centroids move at most, 1 or more.
  ///   - threads: the number of threads, each with a share of the subspaces.
  /// - Complexity: O(2^bits n d) an iteration; O(n) memory, and 4 n d / m + 20 n bytes for each
  ///   thread with m subspaces.
  /// - Throws: ``NeighborSearchError/invalidDimension(_:)``,
  ///   ``NeighborSearchError/invalidSubspaceCount(_:dimension:)``,
  ///   ``NeighborSearchError/invalidCodeBits(_:)``,
  ///   ``NeighborSearchError/invalidIterationLimit(_:)``,
  ///   ``NeighborSearchError/tooFewTrainingRows(found:needed:)``,
  ///   ``NeighborSearchError/nonFinite(index:)``; ``NeighborSearchError/zeroVector`` with
  ///   ``VectorMetric/cosine`` only.
  public init(
    training rows: Matrix<Float>, subspaceCount: Int, bits: Int = 8,
    metric: VectorMetric = .cosine, seed: UInt64 = 0, iterationLimit: Int = 25, threads: Int = 1
  ) throws(NeighborSearchError) {
    let layout = try VectorLayout(dimension: rows.columnCount, metric: metric)
    let dimension = layout.dimension
    guard subspaceCount >= 1, dimension % subspaceCount == 0 else {
      throw .invalidSubspaceCount(subspaceCount, dimension: dimension)
    }
    guard bits == 4 || bits == 8 else { throw .invalidCodeBits(bits) }
    guard iterationLimit >= 1 else { throw .invalidIterationLimit(iterationLimit) }
    guard rows.rowCount >= 1 << bits else {
      throw .tooFewTrainingRows(found: rows.rowCount, needed: 1 << bits)
    }
    let factors = try rows.elements.withUnsafeBufferPointer {
      (values) throws(NeighborSearchError) in
      try (0..<rows.rowCount).map { (row) throws(NeighborSearchError) in
        try layout.checkedFactor(
          for: UnsafeBufferPointer(rebasing: values[row * dimension..<(row + 1) * dimension]))
      }
    }
    let width = dimension / subspaceCount
    let books = Lanes.map(
      subspaceCount, threads: threads, tool: {},
      { subspace, _ in
        var parts: [Float] = []
        parts.reserveCapacity(rows.rowCount * width)
        for (row, factor) in factors.enumerated() {
          let start = row * dimension + subspace * width
          for value in rows.elements[start..<start + width] {
            parts.append(Float(Double(value) * factor))
          }
        }
        var training = CodebookTraining(
          parts: parts, width: width, centroidCount: 1 << bits,
          generator: SplitMix(seed: seed, stream: subspace))
        training.run(iterationLimit: iterationLimit)
        return Matrix(unchecked: training.centroids, rowCount: 1 << bits, columnCount: width)
      })
    try self.init(codebooks: books, metric: metric)
  }
}
