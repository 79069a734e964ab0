import LinearAlgebra

/// Finds clusters of different densities, and noise between them, without a distance to be given.
///
/// Things are merged from the densest places on (single linkage of *mutual reachability*: the
/// distance of two things, or the distance to their ``minSamples``th nearest, if that is more).
/// Merges of fewer than ``minClusterSize`` things are not clusters. Of the clusters in the tree that
/// is left, those are selected that last longest.
///
/// Labels and probabilities equal those of scikit-learn's `HDBSCAN` (1.9), element by element.
/// Merges at the same distance are taken in the order in which they are found; scikit-learn's order
/// depends on the processor, and so do its labels then. Results do not depend on the number of
/// threads.
///
/// ```swift
/// let groups = try HDBSCAN(minClusterSize: 10).fit(embeddings)
/// print(groups.labels, groups.probabilities)
/// ```
///
/// Sources: Campello, Moulavi and Sander, "Density-based clustering based on hierarchical density
/// estimates", PAKDD 2013; McInnes and Healy, "Accelerated hierarchical density based clustering",
/// ICDMW 2017.
public struct HDBSCAN: Hashable, Sendable, Codable {
  /// How many things a cluster has at least: 2 or more.
  public var minClusterSize: Int
  /// How many things are within a thing's core distance, itself included: 1 or more; nil for
  /// ``minClusterSize``.
  ///
  /// More make more things noise.
  public var minSamples: Int?
  /// Which clusters of the tree are selected.
  public var selection: ClusterSelection
  /// Whether all things may be one cluster, with noise around it.
  public var allowsSingleCluster: Bool
  /// How far apart two embeddings are.
  public var metric: DistanceMetric
  /// How many bytes of products may be held at most; if there are more, each is computed twice.
  public var memoryLimit: Int

  /// Describes a clustering; nothing is checked before it is used.
  public init(
    minClusterSize: Int = 5, minSamples: Int? = nil, selection: ClusterSelection = .excessOfMass,
    allowsSingleCluster: Bool = false, metric: DistanceMetric = .cosine, memoryLimit: Int = 2 << 30
  ) {
    self.minClusterSize = minClusterSize
    self.minSamples = minSamples
    self.selection = selection
    self.allowsSingleCluster = allowsSingleCluster
    self.metric = metric
    self.memoryLimit = memoryLimit
  }

  /// Clusters the rows of `embeddings`; they need not be normalized.
  ///
  /// No rows give no labels. Cosine distances below 1e-14 count as 0: they are rounding of copies.
  ///
  /// - Complexity: O(n² d) time for n rows of d values, and 12 n d bytes. With more than 64 columns
  ///   also memory for n² products of 4 bytes, if ``memoryLimit`` has room for them.
  /// - Throws: ``ClusteringError``: ``ClusteringError/zeroRow(index:)`` (cosine only) or
  ///   ``ClusteringError/nonFiniteRow(index:)`` for the first bad row,
  ///   ``ClusteringError/invalidMinClusterSize(_:)``, ``ClusteringError/invalidMinSamples(_:)``,
  ///   ``ClusteringError/tooFew(things:needed:)`` if there are fewer rows than ``minSamples``,
  ///   ``ClusteringError/tooMany(things:)``.
  public func fit(_ embeddings: Matrix<Float>) throws(ClusteringError) -> HDBSCANAssignment {
    try check(things: embeddings.rowCount)
    return try fit(embeddings.converted(to: Double.self))
  }

  /// Clusters the rows of `embeddings` in double precision.
  ///
  /// - Throws: as for single precision.
  public func fit(_ embeddings: Matrix<Double>) throws(ClusteringError) -> HDBSCANAssignment {
    let neighbors = try check(things: embeddings.rowCount)
    let rows = try ComparableRows(embeddings, metric: metric, eps: 1)
    let edges = ReachableRows(rows, memoryLimit: memoryLimit).edges(neighbors: neighbors)
    return assignment(things: embeddings.rowCount, edges)
  }

  /// Clusters things by their `distances`; the metric plays no part.
  ///
  /// - Complexity: O(n²) time, O(n) memory beside the distances.
  /// - Throws: ``ClusteringError/invalidMinClusterSize(_:)``,
  ///   ``ClusteringError/invalidMinSamples(_:)``, ``ClusteringError/tooFew(things:needed:)``,
  ///   ``ClusteringError/tooMany(things:)``.
  @_specialize(where Scalar == Double)
  @_specialize(where Scalar == Float)
  public func fit<Scalar: MatrixScalar>(
    _ distances: CondensedDistances<Scalar>
  ) throws(ClusteringError) -> HDBSCANAssignment {
    let neighbors = try check(things: distances.count)
    return assignment(
      things: distances.count, ReachTree.edges(distances, neighbors: neighbors))
  }

  private func assignment(things: Int, _ edges: [FoundMerge]) -> HDBSCANAssignment {
    guard things > 1 else {
      return HDBSCANAssignment(
        labels: [Int?](repeating: nil, count: things), clusterCount: 0,
        probabilities: [Double](repeating: 0, count: things))
    }
    let tree = CondensedTree(
      Dendrogram(leafCount: things, found: edges, sortsPairs: false),
      minClusterSize: minClusterSize)
    let clusters =
      switch selection {
      case .excessOfMass: tree.excessOfMass(includingRoot: allowsSingleCluster)
      case .leaves: tree.leaves
      }
    return tree.assignment(to: clusters)
  }

  /// Finds bad settings, and the number of things within a core distance.
  @discardableResult
  private func check(things: Int) throws(ClusteringError) -> Int {
    guard minClusterSize >= 2 else { throw .invalidMinClusterSize(minClusterSize) }
    let neighbors = minSamples ?? minClusterSize
    guard neighbors >= 1 else { throw .invalidMinSamples(neighbors) }
    guard things < Int32.max else { throw .tooMany(things: things) }
    guard things == 0 || neighbors <= things else {
      throw .tooFew(things: things, needed: neighbors)
    }
    return neighbors
  }
}

/// Which clusters of a tree ``HDBSCAN`` selects.
public enum ClusterSelection: String, Hashable, Sendable, Codable, CaseIterable {
  /// Those with the greatest excess of mass: a few large clusters, which last longest in all.
  case excessOfMass
  /// The leaves of the tree: many small clusters, which are alike inside.
  case leaves
}

/// What ``HDBSCAN`` found.
public struct HDBSCANAssignment: Hashable, Sendable {
  /// One label a thing, in order, counted from 0; nil for noise.
  public let labels: [Int?]
  /// How many clusters there are.
  public let clusterCount: Int
  /// How strongly each thing belongs to its cluster, 0...1; 0 for noise.
  public let probabilities: [Double]
}
