import LinearAlgebra

/// Finds the rows nearest to a query by the codes of a ``ProductQuantizer``.
///
/// The query is compared as it is, and a row as the centroids of its code (asymmetric distance, in
/// the paper's section III). The distance of each part to each centroid is computed once. Then a
/// row's distance is a sum of as many numbers as its code has bytes.
///
/// Distances are estimates, so the order is one too. If the vectors are in memory or a mapped file,
/// find more rows than are needed and measure them (re-ranking):
///
/// ```swift
/// let near = try codes.withUnsafeBytes {
///   try PQSearch(quantizer: quantizer).nearest(to: query, k: 100, codes: $0, count: rows.count)
/// }
/// let exact = try FlatSearch(layout: rows.layout)
///   .nearest(to: query, k: 10, among: near.map(\.row), in: rows)
/// ```
public struct PQSearch: Hashable, Sendable {
  /// The quantizer of the codes.
  public let quantizer: ProductQuantizer

  /// Makes a search over codes of that quantizer.
  public init(quantizer: ProductQuantizer) {
    self.quantizer = quantizer
  }

  /// The `k` rows whose codes are nearest to `query`, nearest first; fewer if there are fewer.
  ///
  /// Equal distances are in the order of the rows.
  ///
  /// - Parameters:
  ///   - query: as many values as the quantizer's dimension, finite; with ``VectorMetric/cosine``
  ///     the length must not be 0.
  ///   - k: the number of rows to find, 0 or more.
  ///   - codes: the rows' codes one after the other, at any address. Any bytes are codes.
  ///   - count: the number of rows.
  ///   - isIncluded: whether a row may be found; called only for rows that are near enough. nil:
  ///     all.
  /// - Returns: the rows with their distances from the vectors that their codes stand for. Sums in
  ///   single precision round, so distances are within about (c + d / m) 2^-23 of the sum of the
  ///   terms' magnitudes, with c bytes of code and m subspaces.
  /// - Complexity: O(2^bits d + n c + n log k); O(k + 256 c) memory.
  /// - Throws: ``NeighborSearchError/dimensionMismatch(expected:found:)``,
  ///   ``NeighborSearchError/nonFinite(index:)``, ``NeighborSearchError/zeroVector``,
  ///   ``NeighborSearchError/invalidNeighborCount(_:)``,
  ///   ``NeighborSearchError/invalidRowCount(_:)``,
  ///   ``NeighborSearchError/memoryTooShort(expected:found:)``.
  public func nearest(
    to query: [Float], k: Int, codes: UnsafeRawBufferPointer, count: Int,
    isIncluded: ((Int) -> Bool)? = nil
  ) throws(NeighborSearchError) -> [Neighbor] {
    try check(k: k, codes: codes, count: count)
    return try query.withUnsafeBufferPointer { (query) throws(NeighborSearchError) in
      try nearest(to: query, k: k, codes: codes, count: count, isIncluded: isIncluded)
    }
  }

  /// The `k` rows whose codes are nearest to each of the rows of `queries`, nearest first.
  ///
  /// The result is the same to the bit as for each query by itself.
  ///
  /// - Parameters:
  ///   - queries: one query per row, finite; as many columns as the quantizer's dimension.
  ///   - k: the number of rows to find for each query, 0 or more.
  ///   - codes: the rows' codes one after the other, at any address.
  ///   - count: the number of rows.
  ///   - threads: the number of threads, each with a share of the queries; the result does not
  ///     depend on it.
  ///   - isIncluded: whether a row may be found; called from several threads at once. nil: all.
  /// - Throws: as for one query, ``NeighborSearchError/dimensionMismatch(expected:found:)`` if
  ///   there are queries.
  public func nearest(
    to queries: Matrix<Float>, k: Int, codes: UnsafeRawBufferPointer, count: Int, threads: Int = 1,
    isIncluded: (@Sendable (Int) -> Bool)? = nil
  ) throws(NeighborSearchError) -> [[Neighbor]] {
    try check(k: k, codes: codes, count: count)
    let width = queries.columnCount
    nonisolated(unsafe) let codes = codes  // Only read.
    return try Lanes.map(
      queries.rowCount, threads: threads, tool: {},
      { (row, _) throws(NeighborSearchError) in
        try queries.elements.withUnsafeBufferPointer { (values) throws(NeighborSearchError) in
          try nearest(
            to: UnsafeBufferPointer(rebasing: values[row * width..<(row + 1) * width]), k: k,
            codes: codes, count: count, isIncluded: isIncluded)
        }
      })
  }

  private func check(
    k: Int, codes: UnsafeRawBufferPointer, count: Int
  ) throws(NeighborSearchError) {
    guard k >= 0 else { throw .invalidNeighborCount(k) }
    guard (0...Int(Int32.max)).contains(count) else { throw .invalidRowCount(count) }
    // This is at most 2^31 times 2^16, so it does not overflow.
    let expected = count * quantizer.codeSize
    guard codes.count >= expected else {
      throw .memoryTooShort(expected: expected, found: codes.count)
    }
  }

  private func nearest(
    to query: UnsafeBufferPointer<Float>, k: Int, codes: UnsafeRawBufferPointer, count: Int,
    isIncluded: ((Int) -> Bool)?
  ) throws(NeighborSearchError) -> [Neighbor] {
    let table = try CodeTable(query, quantizer: quantizer)
    guard k > 0, count > 0, let base = codes.baseAddress else { return [] }
    var nearest = NearestRows(capacity: min(k, count))
    table.scan(base.assumingMemoryBound(to: UInt8.self), count: count, into: &nearest, isIncluded)
    return nearest.neighbors
  }
}

/// What each byte of a code adds to the distance from a query.
struct CodeTable {
  /// 256 terms for each byte of a code.
  private let terms: [Float]
  private let codeSize: Int
  private let metric: VectorMetric

  init(
    _ query: UnsafeBufferPointer<Float>, quantizer: ProductQuantizer
  ) throws(NeighborSearchError) {
    let vector = try quantizer.prepared(query)
    let (subspaceCount, centroidCount) = (quantizer.subspaceCount, quantizer.centroidCount)
    codeSize = quantizer.codeSize
    metric = quantizer.metric
    var table = [Float](repeating: 0, count: subspaceCount * centroidCount)
    quantizer.compare(
      vector, by: metric == .squaredEuclidean ? .squares : .products, into: &table)
    if quantizer.bits == 8 {
      terms = table
      return
    }
    // Two subspaces share a byte; the upper half of the last byte may have none.
    if subspaceCount % 2 == 1 { table += [Float](repeating: 0, count: centroidCount) }
    var pairs: [Float] = []
    pairs.reserveCapacity(256 * codeSize)
    for byte in 0..<codeSize {
      let lower = table[32 * byte..<32 * byte + 16]
      for upper in table[32 * byte + 16..<32 * byte + 32] {
        for term in lower { pairs.append(term + upper) }
      }
    }
    terms = pairs
  }

  /// Offers all rows whose codes are near enough.
  func scan(
    _ codes: UnsafePointer<UInt8>, count: Int, into nearest: inout NearestRows,
    _ isIncluded: ((Int) -> Bool)?
  ) {
    let (codeSize, metric) = (codeSize, metric)
    terms.withUnsafeBufferPointer { terms in
      guard let terms = terms.baseAddress else { return }
      var limit = nearest.limit
      for row in 0..<count {
        let sum = Self.sum(terms, codes + row &* codeSize, codeSize)
        let distance =
          switch metric {
          case .cosine: Ruler.cosineDistance(sum)
          case .innerProduct: -sum
          case .squaredEuclidean: sum
          }
        let ranked = RankedRow(distance, row: Int32(truncatingIfNeeded: row))
        if ranked < limit, isIncluded?(row) ?? true {
          nearest.offer(ranked)
          limit = nearest.limit
        }
      }
    }
  }

  /// The sum of the terms of a code; four sums at once do not wait for each other.
  @inline(__always) private static func sum(
    _ terms: UnsafePointer<Float>, _ code: UnsafePointer<UInt8>, _ count: Int
  ) -> Float {
    var (a, b, c, d): (Float, Float, Float, Float) = (0, 0, 0, 0)
    var index = 0
    while index &+ 4 <= count {
      let place = terms + 256 &* index
      a += place[Int(code[index])]
      b += place[256 &+ Int(code[index &+ 1])]
      c += place[512 &+ Int(code[index &+ 2])]
      d += place[768 &+ Int(code[index &+ 3])]
      index &+= 4
    }
    while index < count {
      a += terms[256 &* index &+ Int(code[index])]
      index &+= 1
    }
    return (a + b) + (c + d)
  }
}
