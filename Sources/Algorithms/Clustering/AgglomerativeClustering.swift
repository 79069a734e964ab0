import LinearAlgebra

/// Groups embeddings by merging the two nearest groups again and again, up to a distance or down to
/// a number of groups.
///
/// Labels equal those of scikit-learn's `AgglomerativeClustering` (1.9 on SciPy 1.17, x86-64)
/// element by element, numbering included, and the dendrogram's ``Dendrogram/linkageMatrix`` has
/// the merges of SciPy's `linkage`. Distances of merges equal SciPy's to the bit, or to 1e-12 in
/// average linkage of the cosine distances of single-precision rows.
///
/// Ties are broken as SciPy breaks them, by the roundings of its sums: duplicates among the rows
/// give its labels too. Average linkage of cosine distances does so up to 3000 rows whose distances
/// ``memoryLimit`` has room for; of more, those first in order come first.
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
  /// The cut, where merging ends.
  public var cut: DendrogramCut
  /// How many bytes of distances average linkage of cosine distances may hold at most; if there are
  /// more, it holds the mean of every cluster instead.
  public var memoryLimit: Int

  /// With more rows SciPy's sums, which only ties need, would take most of the time.
  private static let mostTiedRows = 3000

  /// Describes a clustering; nothing is checked before it is used.
  public init(
    linkage: Linkage = .average, metric: DistanceMetric = .cosine, cut: DendrogramCut,
    memoryLimit: Int = 2 << 30
  ) {
    self.linkage = linkage
    self.metric = metric
    self.cut = cut
    self.memoryLimit = memoryLimit
  }

  /// Clusters the rows of `embeddings`; they need not be normalized.
  ///
  /// No rows give no labels; one row gives the label 0.
  ///
  /// - Complexity: O(n² d) time for n rows of d values, and memory for n² / 2 distances of 8 bytes.
  ///   Average linkage of cosine distances needs 4 bytes per distance, at most ``memoryLimit`` in
  ///   all, and n d values of 16 bytes. Its time is O(n k d) if the rows form k groups farther
  ///   apart than the cut.
  /// - Throws: ``ClusteringError``: ``ClusteringError/zeroRow(index:)`` or
  ///   ``ClusteringError/nonFiniteRow(index:)`` for the first bad row,
  ///   ``ClusteringError/distanceOverflow(row:other:)``, ``ClusteringError/invalidThreshold(_:)``,
  ///   ``ClusteringError/invalidClusterCount(found:things:)``,
  ///   ``ClusteringError/tooMany(things:)``, ``ClusteringError/wardNeedsEuclidean(found:)``.
  public func fit(_ embeddings: Matrix<Float>) throws(ClusteringError) -> ClusterAssignment {
    try check(things: embeddings.rowCount, areEmbeddings: true)
    if metric == .cosine, linkage == .average {
      let (tree, hasTies) = try AverageCosine(embeddings, memoryLimit: memoryLimit)
        .tree(cutAt: cut.threshold)
      let bytes = try 8 * CondensedDistances<Double>.pairCount(of: embeddings.rowCount)
      if !hasTies || embeddings.rowCount > Self.mostTiedRows || bytes > memoryLimit {
        return try assignment(tree)
      }
    }
    return try fit(CondensedDistances(metric, between: embeddings), areEmbeddings: true)
  }

  /// Clusters the rows of `embeddings` by distances in double precision.
  ///
  /// - Throws: as for single precision.
  public func fit(_ embeddings: Matrix<Double>) throws(ClusteringError) -> ClusterAssignment {
    try check(things: embeddings.rowCount, areEmbeddings: true)
    return try fit(CondensedDistances(metric, between: embeddings), areEmbeddings: true)
  }

  /// Clusters things by their `distances`; the metric plays no part.
  ///
  /// - Complexity: O(n²) time; a copy of the distances is changed, except in single linkage.
  /// - Throws: ``ClusteringError/invalidThreshold(_:)``,
  ///   ``ClusteringError/invalidClusterCount(found:things:)``.
  public func fit(
    _ distances: CondensedDistances<Double>
  ) throws(ClusteringError) -> ClusterAssignment {
    try fit(distances, areEmbeddings: false)
  }

  /// Clusters things by their `distances` in single precision.
  ///
  /// - Throws: as for double precision.
  public func fit(
    _ distances: CondensedDistances<Float>
  ) throws(ClusteringError) -> ClusterAssignment {
    try fit(distances, areEmbeddings: false)
  }

  // Generic, but reached through the functions above alone, so that the compiler makes a version
  // for each precision: the general one is thirty times slower.
  private func fit<Scalar: MatrixScalar>(
    _ distances: CondensedDistances<Scalar>, areEmbeddings: Bool
  ) throws(ClusteringError) -> ClusterAssignment {
    let dendrogram: Dendrogram
    switch linkage {
    case .average, .complete, .weighted, .ward:
      var clusters = CondensedClusters(distances, linkage: linkage)
      dendrogram = Dendrogram(leafCount: distances.count, found: clusters.chainedMerges())
    case .single:
      // scikit-learn has SciPy do the work except here, where it leaves the pairs as they are
      // found.
      let sortsPairs = !(areEmbeddings && metric == .euclidean)
      dendrogram = Dendrogram(
        leafCount: distances.count, found: MinimumSpanningTree.edges(distances),
        sortsPairs: sortsPairs)
    }
    return try assignment(dendrogram)
  }

  private func assignment(_ dendrogram: Dendrogram) throws(ClusteringError) -> ClusterAssignment {
    let labels = try dendrogram.labels(cut: cut)
    return ClusterAssignment(
      labels: labels, clusterCount: labels.reduce(0) { max($0, $1 + 1) }, dendrogram: dendrogram)
  }

  /// Finds a bad cut or an impossible combination before the distances cost their time.
  func check(things: Int, areEmbeddings: Bool) throws(ClusteringError) {
    if areEmbeddings, linkage == .ward, metric != .euclidean {
      throw .wardNeedsEuclidean(found: metric)
    }
    switch cut {
    case .distance(let threshold) where !(threshold >= 0):
      throw .invalidThreshold(threshold)
    case .count(let count) where count < 1 || (things > 0 && count > things):
      throw .invalidClusterCount(found: count, things: things)
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
