/// Finds the rows nearest to a query by looking at all of them.
///
/// The answer is exact: the `k` rows of the smallest distance, equal distances in the order of the
/// rows. One query reads every row once, which is as fast as memory is; many queries at once go
/// through matrix products and share the reading.
public struct FlatSearch: Hashable, Sendable {
  /// How the rows lie in memory.
  public let layout: VectorLayout

  /// Searches rows of that layout.
  public init(layout: VectorLayout) {
    self.layout = layout
  }

  /// The `k` rows nearest to `query`, nearest first; fewer if there are fewer.
  ///
  /// - Parameters:
  ///   - query: As many values as the layout's dimension, finite; with ``VectorMetric/cosine`` of
  ///     any length but 0.
  ///   - k: How many rows to find, 0 or more.
  ///   - rows: The rows' memory, at an address that 4 divides.
  ///   - count: How many rows there are.
  ///   - isIncluded: Which rows may be found; asked only about those that are near enough. nil:
  ///     all.
  /// - Returns: Rows with a distance of NaN or infinity, which only overflow or damaged memory
  ///   gives, come last.
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
