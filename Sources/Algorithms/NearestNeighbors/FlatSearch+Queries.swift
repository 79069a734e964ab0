import LinearAlgebra

extension FlatSearch {
  /// The `k` rows nearest to each of the rows of `queries`, nearest first.
  ///
  /// The result is the same to the bit as for each query by itself. Blocks of rows are multiplied
  /// with all queries at once. The products only exclude rows that cannot be among the nearest,
  /// with the greatest possible rounding error as a margin. The few remaining rows of each query
  /// are measured as for one query.
  ///
  /// - Parameters:
  ///   - queries: one query per row, finite; as many columns as the layout's dimension.
  ///   - k: the number of rows to find for each query, 0 or more.
  ///   - rows: the rows' memory, at an address that is a multiple of 4.
  ///   - count: the number of rows.
  ///   - threads: the number of threads, each with a share of the rows; the result does not depend
  ///     on it. For more than 1, OpenBLAS should use one thread (`OPENBLAS_NUM_THREADS=1`).
  ///   - isIncluded: whether a row may be found; called only for rows that are near enough, from
  ///     several threads at once. nil: all.
  /// - Complexity: O(n d q) for q queries; O(q k) memory and 512 (q + d) values, for each thread.
  /// - Throws: as for one query, ``NeighborSearchError/dimensionMismatch(expected:found:)`` if
  ///   there are queries.
  public func nearest(
    to queries: Matrix<Float>, k: Int, rows: UnsafeRawBufferPointer, count: Int, threads: Int = 1,
    isIncluded: (@Sendable (Int) -> Bool)? = nil
  ) throws(NeighborSearchError) -> [[Neighbor]] {
    guard k >= 0 else { throw .invalidNeighborCount(k) }
    return try found(
      for: queries, by: NearestRows(capacity: min(k, max(count, 0))), rows: rows, count: count,
      threads: threads, isIncluded: isIncluded)
  }

  /// What each of many queries finds.
  func found<Collector: RowCollector>(
    for queries: Matrix<Float>, by collector: Collector, rows: UnsafeRawBufferPointer, count: Int,
    threads: Int, isIncluded: (@Sendable (Int) -> Bool)?
  ) throws(NeighborSearchError) -> [[Neighbor]] {
    try layout.check(rows, count: count)
    let width = queries.columnCount
    let prepared = try queries.elements.withUnsafeBufferPointer {
      (values) throws(NeighborSearchError) in
      try (0..<queries.rowCount).map { (row) throws(NeighborSearchError) in
        try PreparedQuery(
          UnsafeBufferPointer(rebasing: values[row * width..<(row + 1) * width]), layout: layout)
      }
    }
    guard collector.limit != .nearest, count > 0, !prepared.isEmpty, let base = rows.baseAddress
    else { return prepared.map { _ in [] } }
    nonisolated(unsafe) let memory = base  // Only read.
    // The scores of a block should stay in the processor's cache.
    let groupSize = 256
    var result: [[Neighbor]] = []
    for start in stride(from: 0, to: prepared.count, by: groupSize) {
      let group = QueryGroup(
        layout: layout, queries: Array(prepared[start..<min(start + groupSize, prepared.count)]))
      let blockCount = (count + QueryGroup.blockSize - 1) / QueryGroup.blockSize
      let lanes = min(max(threads, 1), blockCount)
      let parts = Lanes.map(lanes, threads: lanes, tool: {}) { lane, _ in
        let first = blockCount * lane / lanes * QueryGroup.blockSize
        let end = min(blockCount * (lane + 1) / lanes * QueryGroup.blockSize, count)
        return group.collected(
          by: collector, in: first..<end, of: memory, isIncluded: isIncluded)
      }
      for query in group.queries.indices {
        var rows = parts[0][query]
        for part in parts.dropFirst() { rows.merge(part[query]) }
        result.append(rows.neighbors)
      }
    }
    return result
  }
}
