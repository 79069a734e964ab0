import LinearAlgebra

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
    try rows.searched(by: layout) { (bytes) throws(NeighborSearchError) in
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
