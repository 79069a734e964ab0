/// Finds the rows nearest to a query by comparing it with all of them.
///
/// The result is exact: the `k` rows of the smallest distance; equal distances are in the order of
/// the rows. One query reads every row once, at the speed of memory. Many queries at once use
/// matrix products and share the reading.
public struct FlatSearch: Hashable, Sendable {
  /// The layout of the rows in memory.
  public let layout: VectorLayout

  /// Makes a search over rows of that layout.
  public init(layout: VectorLayout) {
    self.layout = layout
  }

  /// The `k` rows nearest to `query`, nearest first; fewer if there are fewer.
  ///
  /// - Parameters:
  ///   - query: as many values as the layout's dimension, finite; with ``VectorMetric/cosine`` the
  ///     length must not be 0.
  ///   - k: the number of rows to find, 0 or more.
  ///   - rows: the rows' memory, at an address that is a multiple of 4.
  ///   - count: the number of rows.
  ///   - isIncluded: whether a row may be found; called only for rows that are near enough. nil:
  ///     all.
  /// - Returns: the rows; those with a distance of NaN or infinity, which only overflow or damaged
  ///   memory gives, come last.
  /// - Complexity: O(n d + n log k); O(k) memory.
  /// - Throws: ``NeighborSearchError/dimensionMismatch(expected:found:)``,
  ///   ``NeighborSearchError/nonFinite(index:)``, ``NeighborSearchError/zeroVector``,
  ///   ``NeighborSearchError/invalidNeighborCount(_:)``,
  ///   ``NeighborSearchError/invalidRowCount(_:)``,
  ///   ``NeighborSearchError/memoryTooShort(expected:found:)``, ``NeighborSearchError/misaligned``.
  public func nearest(
    to query: [Float], k: Int, rows: UnsafeRawBufferPointer, count: Int,
    isIncluded: ((Int) -> Bool)? = nil
  ) throws(NeighborSearchError) -> [Neighbor] {
    guard k >= 0 else { throw .invalidNeighborCount(k) }
    try layout.check(rows, count: count)
    let prepared = try query.withUnsafeBufferPointer { (query) throws(NeighborSearchError) in
      try PreparedQuery(query, layout: layout)
    }
    guard k > 0, count > 0, let base = rows.baseAddress else { return [] }
    var nearest = NearestRows(capacity: min(k, count))
    let stride = layout.rowStride
    prepared.withRuler { ruler in
      var limit = nearest.limit
      for row in 0..<count {
        let ranked = RankedRow(ruler.distance(base + row &* stride), row: Int32(row))
        if ranked < limit, isIncluded?(row) ?? true {
          nearest.offer(ranked)
          limit = nearest.limit
        }
      }
    }
    return nearest.neighbors
  }
}
