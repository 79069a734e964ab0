import LinearAlgebra

/// Finds crowded places: clusters of any shape and number, and noise between them.
///
/// A thing is a core sample if at least ``minSamples`` things, itself included, are within ``eps``
/// of it. Core samples within ``eps`` of one another are in one cluster. Any other thing within
/// ``eps`` of a core sample joins that sample's cluster, and the rest is noise.
///
/// Labels equal those of scikit-learn's `DBSCAN` (1.9) on double precision, element by element.
/// Clusters are numbered by their first core sample. A thing that is near to core samples of several
/// clusters gets the lowest of their labels. Results do not depend on the number of threads.
/// scikit-learn takes some distances from matrix products: its labels may differ if a distance
/// equals ``eps`` up to their rounding.
///
/// ```swift
/// let groups = try DBSCAN(eps: 0.2, minSamples: 5).fit(embeddings)
/// print(groups.clusterCount, groups.labels.count { $0 == nil })
/// ```
///
/// Source: Ester, Kriegel, Sander and Xu, "A density-based algorithm for discovering clusters in
/// large spatial databases with noise", KDD 1996.
public struct DBSCAN: Hashable, Sendable, Codable {
  /// The greatest distance of two neighbours, above 0.
  public var eps: Double
  /// How many things a core sample has within ``eps``, itself included: 1 or more.
  public var minSamples: Int
  /// How far apart two embeddings are.
  public var metric: DistanceMetric

  /// Describes a clustering; nothing is checked before it is used.
  public init(eps: Double, minSamples: Int = 5, metric: DistanceMetric = .cosine) {
    self.eps = eps
    self.minSamples = minSamples
    self.metric = metric
  }

  /// Clusters the rows of `embeddings`; they need not be normalized.
  ///
  /// Distances are compared in double precision if single precision cannot decide. No rows give no
  /// labels.
  ///
  /// - Complexity: O(n² d) time for n rows of d values. It is near O(n) if few rows share a cube
  ///   whose sides are ``eps`` (Euclidean distances). O(n ``minSamples`` + n d) memory.
  /// - Throws: ``ClusteringError``: ``ClusteringError/zeroRow(index:)`` (cosine only) or
  ///   ``ClusteringError/nonFiniteRow(index:)`` for the first bad row,
  ///   ``ClusteringError/invalidEps(_:)``, ``ClusteringError/invalidMinSamples(_:)``,
  ///   ``ClusteringError/tooMany(things:)``.
  public func fit(_ embeddings: Matrix<Float>) throws(ClusteringError) -> DBSCANAssignment {
    try check(things: embeddings.rowCount)
    return try fit(embeddings.converted(to: Double.self))
  }

  /// Clusters the rows of `embeddings` in double precision.
  ///
  /// - Throws: as for single precision.
  public func fit(_ embeddings: Matrix<Double>) throws(ClusteringError) -> DBSCANAssignment {
    let count = embeddings.rowCount
    try check(things: count)
    let rows = try ComparableRows(embeddings, metric: metric, eps: eps)
    let reach = DensityReach(count: count, minSamples: minSamples)
    if !CubeGrid.forEachClosePair(of: rows, { reach.join($0, $1) }) {
      rows.forEachClosePair { reach.join($0, $1) }
    }
    return reach.assignment()
  }

  /// Clusters things by their `distances`; the metric plays no part.
  ///
  /// - Complexity: O(n²) time, O(n ``minSamples``) memory beside the distances.
  /// - Throws: ``ClusteringError/invalidEps(_:)``, ``ClusteringError/invalidMinSamples(_:)``,
  ///   ``ClusteringError/tooMany(things:)``.
  @_specialize(where Scalar == Double)
  @_specialize(where Scalar == Float)
  public func fit<Scalar: MatrixScalar>(
    _ distances: CondensedDistances<Scalar>
  ) throws(ClusteringError) -> DBSCANAssignment {
    try check(things: distances.count)
    let reach = DensityReach(count: distances.count, minSamples: minSamples)
    var pair = 0
    for first in 0..<distances.count {
      for second in first + 1..<max(distances.count, first + 1) {
        if Double(distances.values[pair]) <= eps { reach.join(first, second) }
        pair += 1
      }
    }
    return reach.assignment()
  }

  private func check(things: Int) throws(ClusteringError) {
    guard eps > 0, eps.isFinite else { throw .invalidEps(eps) }
    guard minSamples >= 1 else { throw .invalidMinSamples(minSamples) }
    guard things < Int32.max else { throw .tooMany(things: things) }
  }
}

/// What ``DBSCAN`` found.
public struct DBSCANAssignment: Hashable, Sendable {
  /// One label a thing, in order, counted from 0; nil for noise.
  public let labels: [Int?]
  /// How many clusters there are.
  public let clusterCount: Int
  /// The core samples, ascending.
  public let coreSamples: [Int]
}
