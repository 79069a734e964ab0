import LinearAlgebra

extension FlatSearch {
  /// The `k` rows nearest to each of `queries`' rows.
  ///
  /// - Throws: as for one query.
  public func nearest(
    to queries: Matrix<Float>, k: Int, rows: UnsafeRawBufferPointer, count: Int, threads: Int = 1,
    isIncluded: (@Sendable (Int) -> Bool)? = nil
  ) throws -> [[Neighbor]] {
    try (0..<queries.rowCount).map {
      try nearest(
        to: Array(queries[row: $0]), k: k, rows: rows, count: count, isIncluded: isIncluded)
    }
  }
}
