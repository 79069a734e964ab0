import LinearAlgebra

extension FlatSearch {
  /// The `k` rows nearest to each of the rows of `queries`, nearest first: the same to the bit as
  /// for each query by itself.
  ///
  /// Blocks of rows are multiplied with all queries at once. The products only say which rows
  /// cannot be among the nearest, with the most that their rounding may amount to left as a margin;
  /// those that remain, a few of each query's, are measured as for one query.
  ///
  /// - Parameters:
  ///   - threads: How many threads to search on, each with a share of the rows; the result does not
  ///     depend on it. For more than 1, ``BLASThreads`` should be 1.
  ///   - isIncluded: Which rows may be found; asked only about those that are near enough, by
  ///     several threads at once. nil: all.
  /// - Complexity: O(n d q) for q queries; O(q k) memory and 512 (q + d) values, for each thread.
  /// - Throws: as for one query, ``NeighborSearchError/dimensionMismatch(expected:found:)`` where
  ///   there are queries.
  public func nearest(
    to queries: Matrix<Float>, k: Int, rows: UnsafeRawBufferPointer, count: Int, threads: Int = 1,
    isIncluded: (@Sendable (Int) -> Bool)? = nil
  ) throws -> [[Neighbor]] {
    guard k >= 0 else { throw NeighborSearchError.invalidNeighborCount(k) }
    try layout.check(rows, count: count)
    let width = queries.columnCount
    let prepared = try queries.elements.withUnsafeBufferPointer { values in
      try (0..<queries.rowCount).map {
        try PreparedQuery(
          UnsafeBufferPointer(rebasing: values[$0 * width..<($0 + 1) * width]), layout: layout)
      }
    }
    guard k > 0, count > 0, !prepared.isEmpty, let base = rows.baseAddress else {
      return prepared.map { _ in [] }
    }
    nonisolated(unsafe) let memory = base  // Only read.
    // Scores of a block are to stay in the processor's cache.
    let groupSize = 256
    var result: [[Neighbor]] = []
    for start in stride(from: 0, to: prepared.count, by: groupSize) {
      let group = QueryGroup(
        layout: layout, queries: Array(prepared[start..<min(start + groupSize, prepared.count)]))
      let blockCount = (count + QueryGroup.blockSize - 1) / QueryGroup.blockSize
      let lanes = min(max(threads, 1), blockCount)
      let parts = try Lanes.map(lanes, threads: lanes, tool: {}) { lane, _ in
        let first = blockCount * lane / lanes * QueryGroup.blockSize
        let end = min(blockCount * (lane + 1) / lanes * QueryGroup.blockSize, count)
        return group.nearest(
          k: min(k, count), in: first..<end, of: memory, isIncluded: isIncluded)
      }
      for query in group.queries.indices {
        var nearest = parts[0][query]
        for part in parts.dropFirst() {
          for row in part[query].heap { nearest.offer(row) }
        }
        result.append(nearest.neighbors)
      }
    }
    return result
  }
}

/// Queries that are multiplied with blocks of rows together.
private struct QueryGroup: Sendable {
  /// Rows in a block: as many as fit into the second-level cache, more or less.
  static let blockSize = 512

  let layout: VectorLayout
  let queries: [PreparedQuery]
  /// The queries' values, row after row.
  private let values: [Float]
  /// The queries' lengths.
  private let lengths: [Float]

  init(layout: VectorLayout, queries: [PreparedQuery]) {
    self.layout = layout
    self.queries = queries
    let vectors = queries.map(\.vector)
    values = vectors.flatMap { $0 }
    lengths = vectors.map { vector in
      Float(vector.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot().nextUp)
    }
  }

  /// For each query the nearest of a range of rows.
  func nearest(
    k: Int, in range: Range<Int>, of memory: UnsafeRawPointer, isIncluded: ((Int) -> Bool)?
  ) -> [NearestRows] {
    let dimension = layout.dimension
    var nearest = [NearestRows](repeating: NearestRows(capacity: k), count: queries.count)
    var scores = [Float](repeating: 0, count: queries.count * Self.blockSize)
    let needsUnpacking = layout.precision != .float32
    var unpacked = [Float](repeating: 0, count: needsUnpacking ? Self.blockSize * dimension : 0)
    var halfSquares = [Float](repeating: 0, count: Self.blockSize)
    for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.blockSize) {
      let count = min(Self.blockSize, range.upperBound - start)
      let packed = memory + start * layout.rowStride
      unpacked.withUnsafeMutableBufferPointer { unpacked in
        for row in 0..<(needsUnpacking ? count : 0) {
          layout.decode(
            packed + row * layout.rowStride, into: unpacked.baseAddress! + row * dimension)
        }
        let block =
          needsUnpacking
          ? UnsafePointer(unpacked.baseAddress!) : packed.assumingMemoryBound(to: Float.self)
        multiply(block, count, into: &scores)
        let longest = measure(block, count, halfSquares: &halfSquares)
        for query in queries.indices {
          offer(
            packed, start, count, query: query, scores: scores, halfSquares: halfSquares,
            longest: longest, to: &nearest[query], isIncluded)
        }
      }
    }
    return nearest
  }

  /// The products of all queries with the rows of a block, a query after the other.
  private func multiply(_ block: UnsafePointer<Float>, _ count: Int, into scores: inout [Float]) {
    let shape = GEMMShape(
      m: Int32(queries.count), n: Int32(count), k: Int32(layout.dimension), transposesB: true,
      cStride: Int32(Self.blockSize))
    values.withUnsafeBufferPointer { values in
      scores.withUnsafeMutableBufferPointer { scores in
        BLAS.uncheckedGEMM(
          shape, a: values.baseAddress!, b: block, c: scores.baseAddress!)
      }
    }
  }

  /// Half the squared lengths of a block's rows, where distances need them, and the largest length.
  private func measure(
    _ block: UnsafePointer<Float>, _ count: Int, halfSquares: inout [Float]
  ) -> Float {
    // Rows of length 1, but for rounding.
    if layout.metric == .cosine { return 1.01 }
    let dimension = layout.dimension
    var largest: Float = 0
    for row in 0..<count {
      let values = block + row * dimension
      let square = Products.dot(values, values, dimension)
      halfSquares[row] = square / 2
      // Not `max`, which may drop NaN.
      largest = largest > square ? largest : square
    }
    return largest.squareRoot() * 1.01
  }

  /// Measures the rows of a block whose scores do not rule them out, and offers them.
  private func offer(
    _ packed: UnsafeRawPointer, _ start: Int, _ count: Int, query: Int, scores: [Float],
    halfSquares: [Float], longest: Float, to nearest: inout NearestRows,
    _ isIncluded: ((Int) -> Bool)?
  ) {
    let length = lengths[query]
    // A sum of d products is off by d rounding errors of |q| |r| at most (Higham, "Accuracy and
    // Stability of Numerical Algorithms", section 3.1). Both sums are, and the row's square too;
    // the rest is for what is rounded around them.
    let isEuclidean = layout.metric == .squaredEuclidean
    let sums = length * longest + (isEuclidean ? longest * longest + length * length : 0)
    let margin = Float(4 * layout.dimension + 64) * 0x1p-24 * sums
    queries[query].withRuler { ruler in
      scores.withUnsafeBufferPointer { scores in
        halfSquares.withUnsafeBufferPointer { halfSquares in
          let scores = scores.baseAddress! + query * Self.blockSize
          var limit = nearest.limit
          var needed = neededScore(limit, length: length) - margin
          for row in 0..<count {
            let score = isEuclidean ? scores[row] - halfSquares[row] : scores[row]
            // Turned round, so that NaN is measured.
            if score < needed { continue }
            let ranked = RankedRow(
              ruler.distance(packed + row &* layout.rowStride), row: Int32(start &+ row))
            if ranked < limit, isIncluded?(start + row) ?? true {
              nearest.offer(ranked)
              limit = nearest.limit
              needed = neededScore(limit, length: length) - margin
            }
          }
        }
      }
    }
  }

  /// The score that a row must have to be as near as `limit`, but for rounding.
  private func neededScore(_ limit: RankedRow, length: Float) -> Float {
    let distance = limit == .farthest ? Float.infinity : limit.distance
    switch layout.metric {
    case .cosine: return 1 - distance
    case .innerProduct: return -distance
    // |q - r|² = |q|² - 2 (q·r - |r|² / 2)
    case .squaredEuclidean: return (length * length - distance) / 2
    }
  }
}
