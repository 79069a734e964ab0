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

extension HNSWGraph {
  /// Builds the graph of all rows.
  ///
  /// The result does not depend on the number of threads.
  ///
  /// - Parameters:
  ///   - rows: the rows, whose layout is the graph's.
  ///   - settings: how the graph is built; ``HNSWSettings``'s own values if nil.
  ///   - threads: the number of threads, 1 or more.
  /// - Throws: as ``init(layout:settings:rows:count:threads:)``.
  public init(
    of rows: VectorRows, settings: HNSWSettings? = nil, threads: Int = 1
  ) throws(NeighborSearchError) {
    let usual = try HNSWSettings()
    self = try rows.withUnsafeBytes { (bytes) throws(NeighborSearchError) in
      try HNSWGraph(
        layout: rows.layout, settings: settings ?? usual, rows: bytes, count: rows.count,
        threads: threads)
    }
  }

  /// Adds rows to the graph, for example those that were appended.
  ///
  /// - Parameters:
  ///   - newRows: their numbers, which are not in the graph yet.
  ///   - rows: all rows, in the graph's layout.
  ///   - threads: the number of threads, 1 or more.
  /// - Throws: as ``insert(_:rows:threads:)``;
  ///   ``NeighborSearchError/layoutMismatch(expected:found:)``.
  public mutating func insert(
    _ newRows: some Collection<Int>, in rows: VectorRows, threads: Int = 1
  ) throws(NeighborSearchError) {
    guard rows.layout == layout else {
      throw .layoutMismatch(expected: layout, found: rows.layout)
    }
    try rows.withUnsafeBytes { (bytes) throws(NeighborSearchError) in
      try insert(newRows, rows: bytes, threads: threads)
    }
  }

  /// Nearly always the `k` rows nearest to `query`, nearest first.
  ///
  /// - Parameters:
  ///   - query: as many values as the layout's dimension, finite.
  ///   - k: the number of rows to find, 0 or more.
  ///   - ef: the number of candidates that are kept during the search: more find more.
  ///   - rows: the rows that the graph was built of.
  ///   - isIncluded: whether a row may be found. nil: all.
  /// - Throws: as ``nearest(to:k:ef:rows:isIncluded:)``;
  ///   ``NeighborSearchError/layoutMismatch(expected:found:)``.
  public func nearest(
    to query: [Float], k: Int, ef: Int, in rows: VectorRows, isIncluded: ((Int) -> Bool)? = nil
  ) throws(NeighborSearchError) -> [Neighbor] {
    try rows.searched(by: layout) { (bytes) throws(NeighborSearchError) in
      try nearest(to: query, k: k, ef: ef, rows: bytes, isIncluded: isIncluded)
    }
  }

  /// Nearly always the `k` rows nearest to each query, nearest first.
  ///
  /// - Parameters:
  ///   - queries: a query a row, as many columns as the layout's dimension.
  ///   - k: the number of rows to find for each, 0 or more.
  ///   - ef: the number of candidates that are kept during each search: more find more.
  ///   - rows: the rows that the graph was built of.
  ///   - threads: the number of threads, 1 or more.
  ///   - isIncluded: whether a row may be found. nil: all.
  /// - Throws: as ``nearest(to:k:ef:rows:threads:isIncluded:)``;
  ///   ``NeighborSearchError/layoutMismatch(expected:found:)``.
  public func nearest(
    to queries: Matrix<Float>, k: Int, ef: Int, in rows: VectorRows, threads: Int = 1,
    isIncluded: (@Sendable (Int) -> Bool)? = nil
  ) throws(NeighborSearchError) -> [[Neighbor]] {
    try rows.searched(by: layout) { (bytes) throws(NeighborSearchError) in
      try nearest(
        to: queries, k: k, ef: ef, rows: bytes, threads: threads, isIncluded: isIncluded)
    }
  }
}
