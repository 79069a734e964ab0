import LinearAlgebra

extension FlatSearch {
  /// All rows up to a distance from `query`, nearest first (range search).
  ///
  /// The result is the same to the bit as the beginning of
  /// ``nearest(to:k:rows:count:isIncluded:)`` with a `k` of all rows. A row at exactly `distance` is
  /// found too. For at most `k` rows, search for the `k` nearest and cut the result.
  ///
  /// - Parameters:
  ///   - query: as many values as the layout's dimension, finite; with ``VectorMetric/cosine`` the
  ///     length must not be 0.
  ///   - distance: the greatest distance, in the layout's ``VectorMetric``: one minus the least
  ///     cosine, the negated least inner product, or the square of a radius. Infinity finds all
  ///     rows, and a finite number none whose distance is NaN.
  ///   - rows: the rows' memory, at an address that is a multiple of 4.
  ///   - count: the number of rows.
  ///   - isIncluded: whether a row may be found; called only for rows that are near enough. nil:
  ///     all.
  /// - Complexity: O(n d + m log m) for m rows found; O(m) memory: 16 bytes for each row found, and
  ///   up to 24 more until the rows are sorted.
  /// - Throws: as the search for the `k` nearest; ``NeighborSearchError/distanceIsNaN``.
  public func neighbors(
    of query: [Float], within distance: Float, rows: UnsafeRawBufferPointer, count: Int,
    isIncluded: ((Int) -> Bool)? = nil
  ) throws(NeighborSearchError) -> [Neighbor] {
    guard !distance.isNaN else { throw .distanceIsNaN }
    return try found(
      for: query, by: RowsWithin(distance: distance), rows: rows, count: count,
      isIncluded: isIncluded)
  }

  /// All rows up to a distance from each of the rows of `queries`, nearest first.
  ///
  /// The result is the same to the bit as for each query by itself. Matrix products exclude rows as
  /// in ``nearest(to:k:rows:count:threads:isIncluded:)``.
  ///
  /// - Parameters:
  ///   - queries: one query per row, finite; as many columns as the layout's dimension.
  ///   - distance: the greatest distance, as for one query.
  ///   - rows: the rows' memory, at an address that is a multiple of 4.
  ///   - count: the number of rows.
  ///   - threads: the number of threads, each with a share of the rows; the result does not depend
  ///     on it. For more than 1, OpenBLAS should use one thread (`OPENBLAS_NUM_THREADS=1`).
  ///   - isIncluded: whether a row may be found; called only for rows that are near enough, from
  ///     several threads at once. nil: all.
  /// - Complexity: O(n d q + m log m) for q queries and m rows found in all; O(m) memory, and
  ///   512 (q + d) values for each thread.
  /// - Throws: as for one query, ``NeighborSearchError/dimensionMismatch(expected:found:)`` if
  ///   there are queries.
  public func neighbors(
    of queries: Matrix<Float>, within distance: Float, rows: UnsafeRawBufferPointer, count: Int,
    threads: Int = 1, isIncluded: (@Sendable (Int) -> Bool)? = nil
  ) throws(NeighborSearchError) -> [[Neighbor]] {
    guard !distance.isNaN else { throw .distanceIsNaN }
    return try found(
      for: queries, by: RowsWithin(distance: distance), rows: rows, count: count,
      threads: threads, isIncluded: isIncluded)
  }
}
