import LinearAlgebra

extension FlatSearch {
  /// The `k` rows nearest to `query`, nearest first; fewer if there are fewer.
  ///
  /// - Parameters:
  ///   - query: as many values as the layout's dimension, finite; with ``VectorMetric/cosine`` the
  ///     length must not be 0.
  ///   - k: the number of rows to find, 0 or more.
  ///   - rows: the rows, in the layout of this search.
  ///   - isIncluded: whether a row may be found; called only for rows that are near enough. nil:
  ///     all.
  /// - Complexity: O(n d + n log k); O(k) memory.
  /// - Throws: as ``nearest(to:k:rows:count:isIncluded:)``;
  ///   ``NeighborSearchError/layoutMismatch(expected:found:)``.
  public func nearest(
    to query: [Float], k: Int, in rows: VectorRows, isIncluded: ((Int) -> Bool)? = nil
  ) throws(NeighborSearchError) -> [Neighbor] {
    try rows.searched(by: layout) { (bytes) throws(NeighborSearchError) in
      try nearest(to: query, k: k, rows: bytes, count: rows.count, isIncluded: isIncluded)
    }
  }

  /// The `k` nearest of some of the rows, nearest first; fewer if there are fewer.
  ///
  /// - Parameters:
  ///   - query: as many values as the layout's dimension, as for all rows.
  ///   - k: the number of rows to find, 0 or more.
  ///   - candidates: the rows to compare, in any order.
  ///   - rows: the rows, in the layout of this search.
  /// - Complexity: O(c d + c log c) for c candidates; O(c) memory.
  /// - Throws: as ``nearest(to:k:among:rows:count:)``;
  ///   ``NeighborSearchError/layoutMismatch(expected:found:)``.
  public func nearest(
    to query: [Float], k: Int, among candidates: [Int], in rows: VectorRows
  ) throws(NeighborSearchError) -> [Neighbor] {
    try rows.searched(by: layout) { (bytes) throws(NeighborSearchError) in
      try nearest(to: query, k: k, among: candidates, rows: bytes, count: rows.count)
    }
  }

  /// The `k` rows nearest to each query, nearest first.
  ///
  /// - Parameters:
  ///   - queries: a query a row, as many columns as the layout's dimension.
  ///   - k: the number of rows to find for each, 0 or more.
  ///   - rows: the rows, in the layout of this search.
  ///   - threads: the number of threads, 1 or more.
  ///   - isIncluded: whether a row may be found. nil: all.
  /// - Complexity: O(m n d) for m queries.
  /// - Throws: as ``nearest(to:k:rows:count:threads:isIncluded:)``;
  ///   ``NeighborSearchError/layoutMismatch(expected:found:)``.
  public func nearest(
    to queries: Matrix<Float>, k: Int, in rows: VectorRows, threads: Int = 1,
    isIncluded: (@Sendable (Int) -> Bool)? = nil
  ) throws(NeighborSearchError) -> [[Neighbor]] {
    try rows.searched(by: layout) { (bytes) throws(NeighborSearchError) in
      try nearest(
        to: queries, k: k, rows: bytes, count: rows.count, threads: threads, isIncluded: isIncluded)
    }
  }

  /// All rows up to a distance from `query`, nearest first.
  ///
  /// - Parameters:
  ///   - query: as many values as the layout's dimension, finite.
  ///   - distance: the greatest distance, by the layout's metric.
  ///   - rows: the rows, in the layout of this search.
  ///   - isIncluded: whether a row may be found. nil: all.
  /// - Complexity: O(n d + f log f) for f rows found.
  /// - Throws: as ``neighbors(of:within:rows:count:isIncluded:)``;
  ///   ``NeighborSearchError/layoutMismatch(expected:found:)``.
  public func neighbors(
    of query: [Float], within distance: Float, in rows: VectorRows,
    isIncluded: ((Int) -> Bool)? = nil
  ) throws(NeighborSearchError) -> [Neighbor] {
    try rows.searched(by: layout) { (bytes) throws(NeighborSearchError) in
      try neighbors(
        of: query, within: distance, rows: bytes, count: rows.count, isIncluded: isIncluded)
    }
  }

  /// All rows up to a distance from each query, nearest first.
  ///
  /// - Parameters:
  ///   - queries: a query a row, as many columns as the layout's dimension.
  ///   - distance: the greatest distance, by the layout's metric.
  ///   - rows: the rows, in the layout of this search.
  ///   - threads: the number of threads, 1 or more.
  ///   - isIncluded: whether a row may be found. nil: all.
  /// - Complexity: O(m n d) for m queries.
  /// - Throws: as ``neighbors(of:within:rows:count:threads:isIncluded:)``;
  ///   ``NeighborSearchError/layoutMismatch(expected:found:)``.
  public func neighbors(
    of queries: Matrix<Float>, within distance: Float, in rows: VectorRows, threads: Int = 1,
    isIncluded: (@Sendable (Int) -> Bool)? = nil
  ) throws(NeighborSearchError) -> [[Neighbor]] {
    try rows.searched(by: layout) { (bytes) throws(NeighborSearchError) in
      try neighbors(
        of: queries, within: distance, rows: bytes, count: rows.count, threads: threads,
        isIncluded: isIncluded)
    }
  }
}
