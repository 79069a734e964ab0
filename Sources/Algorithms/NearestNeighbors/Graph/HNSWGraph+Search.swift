import LinearAlgebra

extension HNSWGraph {
  /// The `k` rows nearest to `query` that the walk finds, nearest first.
  ///
  /// - Parameters:
  ///   - query: As many values as the layout's dimension, finite; with ``VectorMetric/cosine`` of
  ///     any length but 0.
  ///   - k: How many rows to find, 0 or more. There are fewer in the result if there are fewer
  ///     in the graph, or fewer that are included.
  ///   - ef: How many rows the walk has in view, at least `k` (a smaller one counts as `k`). More
  ///     find more of the true neighbours, for time.
  ///   - rows: The rows' memory, at an address that 4 divides.
  ///   - isIncluded: Which rows may be found; must give the same answer for the same row. nil: all.
  ///     Walks go through rows that are not included: where few are, they go through most of the
  ///     graph, and ``FlatSearch`` is faster.
  /// - Complexity: O(ef log n d) or so, for what neighbours in real vectors are like; O(n) bits and
  ///   O(ef) memory.
  /// - Throws: ``NeighborSearchError/dimensionMismatch(expected:found:)``,
  ///   ``NeighborSearchError/nonFinite(index:)``, ``NeighborSearchError/zeroVector``,
  ///   ``NeighborSearchError/invalidNeighborCount(_:)``,
  ///   ``NeighborSearchError/memoryTooShort(expected:found:)``, ``NeighborSearchError/misaligned``.
  public func nearest(
    to query: [Float], k: Int, ef: Int, rows: UnsafeRawBufferPointer,
    isIncluded: ((Int) -> Bool)? = nil
  ) throws(NeighborSearchError) -> [Neighbor] {
    try check(k: k, rows: rows)
    let scratch = WalkScratch(layout: layout, rowCapacity: rowCapacity, links: settings.links)
    return try query.withUnsafeBufferPointer { (query) throws(NeighborSearchError) in
      try nearest(
        to: query, k: k, ef: ef, rows: rows, scratch: scratch, isIncluded: isIncluded)
    }
  }

  /// The `k` rows nearest to each of the rows of `queries` that the walks find.
  ///
  /// - Parameter threads: How many threads to search on; the result does not depend on it.
  /// - Throws: as for one query, also ``NeighborSearchError/dimensionMismatch(expected:found:)``
  ///   if there are queries.
  public func nearest(
    to queries: Matrix<Float>, k: Int, ef: Int, rows: UnsafeRawBufferPointer, threads: Int = 1,
    isIncluded: (@Sendable (Int) -> Bool)? = nil
  ) throws(NeighborSearchError) -> [[Neighbor]] {
    try check(k: k, rows: rows)
    let width = queries.columnCount
    nonisolated(unsafe) let rows = rows  // Only read.
    return try Lanes.map(
      queries.rowCount, threads: threads,
      tool: { WalkScratch(layout: layout, rowCapacity: rowCapacity, links: settings.links) },
      { (index, scratch) throws(NeighborSearchError) in
        try queries.elements.withUnsafeBufferPointer { (values) throws(NeighborSearchError) in
          try nearest(
            to: UnsafeBufferPointer(rebasing: values[index * width..<(index + 1) * width]), k: k,
            ef: ef, rows: rows, scratch: scratch, isIncluded: isIncluded)
        }
      })
  }

  private func check(k: Int, rows: UnsafeRawBufferPointer) throws(NeighborSearchError) {
    guard k >= 0 else { throw .invalidNeighborCount(k) }
    try layout.check(rows, count: rowCapacity)
  }

  private func nearest(
    to query: UnsafeBufferPointer<Float>, k: Int, ef: Int, rows: UnsafeRawBufferPointer,
    scratch: WalkScratch, isIncluded: ((Int) -> Bool)?
  ) throws(NeighborSearchError) -> [Neighbor] {
    let prepared = try PreparedQuery(query, layout: layout)
    guard k > 0, count > 0, let base = rows.baseAddress else { return [] }
    let breadth = min(max(ef, k), count)
    let found = tables.withView(rows: base, stride: layout.rowStride) { view in
      prepared.withRuler { ruler in
        let start = view.descend(ruler, to: 0)
        scratch.forget()
        var accepts: ((Int32) -> Bool)?
        if removedCount > 0 || isIncluded != nil {
          accepts = { row in
            view.states[Int(row)] == GraphTables.State.live && isIncluded?(Int(row)) ?? true
          }
        }
        view.walk(
          from: start, level: 0, breadth: breadth, ruler, scratch: scratch, accepts: accepts)
        return scratch.found.sorted
      }
    }
    return found.prefix(k).map(\.neighbor)
  }
}
