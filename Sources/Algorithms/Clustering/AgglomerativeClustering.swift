import LinearAlgebra

/// Groups embeddings by merging the two nearest groups again and again, up to a distance or down to a
/// number of groups.
///
/// With the reference arithmetic, labels equal those of scikit-learn's `AgglomerativeClustering` (1.9
/// on SciPy 1.17, x86-64) element by element, numbering included, ties and duplicates included; and the
/// dendrogram's ``Dendrogram/linkageMatrix`` equals that of SciPy's `linkage`.
///
/// ```swift
/// let clustering = AgglomerativeClustering(linkage: .average, cut: .distance(0.2))
/// let groups = try clustering.fit(embeddings)
/// print(groups.labels, groups.clusterCount)
/// ```
public struct AgglomerativeClustering: Hashable, Sendable, Codable {
  /// How far apart two clusters are.
  public var linkage: Linkage
  /// How far apart two embeddings are.
  public var metric: DistanceMetric
  /// Where the merging ends.
  public var cut: DendrogramCut
  /// With how much care distances are computed.
  public var arithmetic: DistanceArithmetic
  /// What is held in memory.
  public var method: ClusteringMethod
  /// How many bytes of distances ``ClusteringMethod/automatic`` may hold at most.
  public var memoryLimit: Int

  /// Describes a clustering; nothing is checked before it is used.
  public init(
    linkage: Linkage = .average, metric: DistanceMetric = .cosine, cut: DendrogramCut,
    arithmetic: DistanceArithmetic = .reference, method: ClusteringMethod = .automatic,
    memoryLimit: Int = 2 << 30
  ) {
    self.linkage = linkage
    self.metric = metric
    self.cut = cut
    self.arithmetic = arithmetic
    self.method = method
    self.memoryLimit = memoryLimit
  }

  /// Clusters the rows of `embeddings`; they need not be normalized.
  ///
  /// No rows give no labels; one row gives the label 0.
  ///
  /// - Complexity: O(n² d) time for n rows of d values; memory for n² / 2 distances of 8 bytes (4 in
  ///   the fast arithmetic) and for n d values of 8 bytes, twice. Average linkage of cosine distances in the
  ///   fast arithmetic takes O(n k d) time where rows fall into k groups farther apart than the cut, and
  ///   never more memory than ``memoryLimit`` beside n d values of 16 bytes.
  /// - Throws: ``ClusteringError``: ``ClusteringError/zeroRow(index:)`` or
  ///   ``ClusteringError/nonFiniteRow(index:)`` for the first bad row,
  ///   ``ClusteringError/invalidThreshold(_:)``,
  ///   ``ClusteringError/invalidClusterCount(found:things:)``,
  ///   ``ClusteringError/tooMany(things:)``, ``ClusteringError/wardNeedsEuclidean(found:)``,
  ///   ``ClusteringError/noClusterSums``.
  public func fit(_ embeddings: Matrix<Float>) throws -> ClusterAssignment {
    try check(things: embeddings.rowCount, areEmbeddings: true)
    switch (arithmetic, metric) {
    case (.fast, .cosine) where linkage == .average:
      if method == .automatic,
        let tree = SmallTree.dendrogram(
          of: embeddings, cutAt: cut.threshold, memoryLimit: memoryLimit)
      {
        return try assignment(tree)
      }
      let engine = AverageCosine(
        embeddings: embeddings, rows: try embeddings.unitRows(),
        method: method, memoryLimit: memoryLimit)
      return try assignment(
        Dendrogram(
          leafCount: embeddings.rowCount, found: engine.merges(cutAt: cut.threshold)))
    case _ where method == .clusterSums: throw ClusteringError.noClusterSums
    case (.reference, _):
      return try fit(CondensedDistances(metric, between: embeddings), areEmbeddings: true)
    case (.fast, .cosine):
      return try fit(CondensedDistances(cosineBetween: embeddings), areEmbeddings: true)
    case (.fast, .euclidean):
      return try fit(CondensedDistances(euclideanBetween: embeddings), areEmbeddings: true)
    }
  }

  /// Clusters the rows of `embeddings` in double precision, whatever the arithmetic.
  ///
  /// - Throws: as for single precision, and ``ClusteringError/distanceOverflow(row:other:)``.
  public func fit(_ embeddings: Matrix<Double>) throws -> ClusterAssignment {
    try check(things: embeddings.rowCount, areEmbeddings: true)
    return try fit(CondensedDistances(metric, between: embeddings), areEmbeddings: true)
  }

  /// Clusters things by their `distances`; the metric plays no part.
  ///
  /// - Complexity: O(n²) time; a copy of the distances is changed, except in single linkage.
  /// - Throws: ``ClusteringError/invalidThreshold(_:)``,
  ///   ``ClusteringError/invalidClusterCount(found:things:)``.
  public func fit(_ distances: CondensedDistances<Double>) throws -> ClusterAssignment {
    try fit(distances, areEmbeddings: false)
  }

  /// Clusters things by their `distances` in single precision.
  ///
  /// - Throws: as for double precision.
  public func fit(_ distances: CondensedDistances<Float>) throws -> ClusterAssignment {
    try fit(distances, areEmbeddings: false)
  }

  // Generic, but reached through the functions above alone, so that the compiler makes a version for
  // each precision: the general one is thirty times slower.
  private func fit<Scalar: MatrixScalar>(
    _ distances: CondensedDistances<Scalar>, areEmbeddings: Bool
  ) throws -> ClusterAssignment {
    let dendrogram: Dendrogram
    switch linkage {
    case .average, .complete, .weighted, .ward:
      var chain = NearestNeighborChain(distances, linkage: linkage)
      dendrogram = Dendrogram(leafCount: distances.count, found: chain.merges())
    case .single:
      // scikit-learn has SciPy do the work except here, where it leaves the pairs as they are found.
      let sortsPairs = !(areEmbeddings && metric == .euclidean)
      dendrogram = Dendrogram(
        leafCount: distances.count, found: MinimumSpanningTree.edges(distances),
        sortsPairs: sortsPairs)
    }
    return try assignment(dendrogram)
  }

  private func assignment(_ dendrogram: Dendrogram) throws -> ClusterAssignment {
    let labels = try dendrogram.labels(cut: cut)
    return ClusterAssignment(
      labels: labels, clusterCount: labels.reduce(0) { max($0, $1 + 1) }, dendrogram: dendrogram)
  }

  /// Finds a bad cut or an impossible combination before the distances cost their time.
  private func check(things: Int, areEmbeddings: Bool) throws {
    if areEmbeddings, linkage == .ward, metric != .euclidean {
      throw ClusteringError.wardNeedsEuclidean(found: metric)
    }
    switch cut {
    case .distance(let threshold) where !(threshold >= 0):
      throw ClusteringError.invalidThreshold(threshold)
    case .count(let count) where count < 1 || (things > 0 && count > things):
      throw ClusteringError.invalidClusterCount(found: count, things: things)
    case .distance, .count: break
    }
  }
}

/// What clustering found.
public struct ClusterAssignment: Hashable, Sendable {
  /// One label a thing, in order, counted from 0.
  public let labels: [Int]
  /// How many clusters there are.
  public let clusterCount: Int
  /// All merges, also those beyond the cut.
  public let dendrogram: Dendrogram
}
