/// Finds the rows nearest to a query by comparing it with all of them.
///
/// The result is exact: the `k` rows of the smallest distance, or all rows up to a distance. Equal
/// distances are in the order of the rows. One query reads every row once, at the speed of memory.
/// Many queries at once use matrix products and share the reading.
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
    return try found(
      for: query, by: NearestRows(capacity: min(k, max(count, 0))), rows: rows, count: count,
      isIncluded: isIncluded)
  }

  /// The `k` nearest of some of the rows, nearest first; fewer if there are fewer.
  ///
  /// It measures what another search found, for example one over codes (re-ranking). A row that is
  /// given twice is found once.
  ///
  /// - Parameters:
  ///   - query: as many values as the layout's dimension, as for all rows.
  ///   - k: the number of rows to find, 0 or more.
  ///   - candidates: the rows to compare, in any order, each below `count`.
  ///   - rows: the rows' memory, at an address that is a multiple of 4.
  ///   - count: the number of rows.
  /// - Complexity: O(c d + c log c) for c candidates; O(c) memory.
  /// - Throws: as for all rows; ``NeighborSearchError/rowOutOfRange(row:count:)``.
  public func nearest(
    to query: [Float], k: Int, among candidates: [Int], rows: UnsafeRawBufferPointer, count: Int
  ) throws(NeighborSearchError) -> [Neighbor] {
    guard k >= 0 else { throw .invalidNeighborCount(k) }
    try layout.check(rows, count: count)
    let prepared = try query.withUnsafeBufferPointer { (query) throws(NeighborSearchError) in
      try PreparedQuery(query, layout: layout)
    }
    if let row = candidates.first(where: { $0 < 0 || $0 >= count }) {
      throw .rowOutOfRange(row: row, count: count)
    }
    guard let base = rows.baseAddress else { return [] }
    let ranked = prepared.withRuler { ruler in
      Set(candidates).map {
        RankedRow(ruler.distance(base + $0 &* layout.rowStride), row: Int32($0))
      }
    }
    return ranked.sorted().prefix(k).map(\.neighbor)
  }

  /// What one query finds.
  func found<Collector: RowCollector>(
    for query: [Float], by collector: Collector, rows: UnsafeRawBufferPointer, count: Int,
    isIncluded: ((Int) -> Bool)?
  ) throws(NeighborSearchError) -> [Neighbor] {
    try layout.check(rows, count: count)
    let prepared = try query.withUnsafeBufferPointer { (query) throws(NeighborSearchError) in
      try PreparedQuery(query, layout: layout)
    }
    var limit = collector.limit
    guard limit != .nearest, count > 0, let base = rows.baseAddress else { return [] }
    var found = collector
    let stride = layout.rowStride
    prepared.withRuler { ruler in
      for row in 0..<count {
        let ranked = RankedRow(ruler.distance(base + row &* stride), row: Int32(row))
        if ranked < limit, isIncluded?(row) ?? true {
          found.offer(ranked)
          limit = found.limit
        }
      }
    }
    return found.neighbors
  }
}
