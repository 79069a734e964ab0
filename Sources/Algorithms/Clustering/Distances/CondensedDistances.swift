import LinearAlgebra

/// The distances between every two of `count` things, each pair once.
///
/// The order is that of SciPy's condensed distance matrix: (0, 1), (0, 2) ... (0, n-1), (1, 2) ...,
/// `count * (count - 1) / 2` values in all. A thing's distance to itself is 0 and not stored.
public struct CondensedDistances<Scalar: MatrixScalar>: Hashable, Sendable {
  /// How many things there are distances between.
  public let count: Int
  /// The distances, in SciPy's order.
  public let values: [Scalar]

  /// Takes distances that were computed elsewhere.
  ///
  /// - Throws: ``ClusteringError/distanceCount(things:expected:found:)``,
  ///   ``ClusteringError/tooMany(things:)``, ``ClusteringError/invalidDistance(row:other:)`` for
  ///   the first that is negative, NaN or infinite.
  public init(count: Int, values: [Scalar]) throws(ClusteringError) {
    let expected = try Self.pairCount(of: count)
    guard values.count == expected else {
      throw .distanceCount(things: count, expected: expected, found: values.count)
    }
    self.init(unchecked: values, count: count)
    if let index = values.firstIndex(where: { !($0 >= 0 && $0.isFinite) }) {
      let (row, other) = pair(at: index)
      throw .invalidDistance(row: row, other: other)
    }
  }

  init(unchecked values: [Scalar], count: Int) {
    self.count = count
    self.values = values
  }

  /// The distance between two things, each in `0..<count`.
  public subscript(first: Int, second: Int) -> Scalar {
    precondition(first >= 0 && first < count && second >= 0 && second < count, "no such thing")
    if first == second { return 0 }
    return values[Self.index(min(first, second), max(first, second), count: count)]
  }

  /// The place of the pair of `first` < `second` among the values.
  static func index(_ first: Int, _ second: Int, count: Int) -> Int {
    rowOffset(first, count: count) + second
  }

  /// The offset that, added to `second`, gives the place of the pair (`first`, `second`); -1 for
  /// row 0.
  static func rowOffset(_ first: Int, count: Int) -> Int {
    first * count - first * (first + 1) / 2 - first - 1
  }

  /// The pair whose distance is at `index`.
  func pair(at index: Int) -> (Int, Int) {
    var row = 0
    var start = 0
    while index - start >= count - 1 - row {
      start += count - 1 - row
      row += 1
    }
    return (row, row + 1 + index - start)
  }

  /// `count * (count - 1) / 2`, if that many values can be addressed.
  static func pairCount(of count: Int) throws(ClusteringError) -> Int {
    let (product, overflow) = count.multipliedReportingOverflow(by: max(count, 1) - 1)
    guard count >= 0, !overflow,
      !(product / 2).multipliedReportingOverflow(by: MemoryLayout<Scalar>.stride).overflow
    else { throw .tooMany(things: count) }
    return product / 2
  }
}
