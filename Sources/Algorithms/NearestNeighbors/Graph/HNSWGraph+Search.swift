import LinearAlgebra

extension HNSWGraph {
  /// The `k` rows nearest to `query` that the walk finds, nearest first.
  ///
  /// - Parameters:
  ///   - query: as many values as the layout's dimension, finite; with ``VectorMetric/cosine`` the
  ///     length must not be 0.
  ///   - k: the number of rows to find, 0 or more. The result has fewer if the graph has fewer, or
  ///     fewer that are included.
  ///   - ef: the number of best rows that the walk keeps, at least `k` (a smaller one counts as
  ///     `k`). A greater number finds more of the true neighbours and takes more time.
  ///   - rows: the rows' memory, at an address that is a multiple of 4.
  ///   - isIncluded: whether a row may be found; must give the same answer for the same row. nil:
  ///     all. Walks pass through excluded rows. If few rows are included, walks pass through most
  ///     of the graph, and ``FlatSearch`` is faster.
  /// - Complexity: about O(ef log n d) for typical real vectors; O(n) bits and O(ef) memory.
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
  /// - Parameters:
  ///   - queries: one query per row, finite; as many columns as the layout's dimension.
  ///   - k: the number of rows to find for each query, 0 or more.
  ///   - ef: the number of best rows that each walk keeps, as for one query.
  ///   - rows: the rows' memory, at an address that is a multiple of 4.
  ///   - threads: the number of threads; the result does not depend on it.
  ///   - isIncluded: whether a row may be found, as for one query; called from several threads at
  ///     once. nil: all.
  /// - Throws: as for one query, also ``NeighborSearchError/dimensionMismatch(expected:found:)`` if
  ///   there are queries.
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
