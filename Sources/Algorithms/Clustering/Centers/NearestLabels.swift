import LinearAlgebra

/// Gives other rows the label of the nearest row that has one.
///
/// Agglomerative clustering, ``DBSCAN`` and ``HDBSCAN`` have no centers, and their clusters any
/// shape, so the nearest neighbour decides. ``KMeansClusters`` predicts by the nearest center
/// instead. Equal to scikit-learn's `KNeighborsClassifier(n_neighbors=1)`, except that the first of
/// equally near rows decides.
///
/// ```swift
/// let groups = try AgglomerativeClustering(cut: .distance(0.2)).fit(embeddings)
/// let known = try NearestLabels(embeddings, labels: groups.labels)
/// let labels = try known.predict(others)
/// ```
public struct NearestLabels<Label: Hashable & Sendable>: Sendable {
  /// One label per row, in order.
  public let labels: [Label]
  /// How far apart two rows are.
  public let metric: DistanceMetric
  private let mean: [Double]
  /// The rows, moved by the mean, one after the other.
  private let values: [Double]
  private let width: Int

  /// Takes rows with their labels, at least one.
  ///
  /// - Throws: ``ClusteringError/labelCount(labels:rows:)``,
  ///   ``ClusteringError/tooFew(things:needed:)``, ``ClusteringError/zeroRow(index:)`` (cosine
  ///   only), ``ClusteringError/nonFiniteRow(index:)``, ``ClusteringError/rowOverflow(index:)`` for
  ///   a length above 1e140 (Euclidean only), ``ClusteringError/tooMany(things:)``.
  public init(
    _ embeddings: Matrix<Float>, labels: [Label], metric: DistanceMetric = .cosine
  ) throws(ClusteringError) {
    try self.init(embeddings.converted(to: Double.self), labels: labels, metric: metric)
  }

  /// Takes rows in double precision with their labels.
  ///
  /// - Throws: as for single precision.
  public init(
    _ embeddings: Matrix<Double>, labels: [Label], metric: DistanceMetric = .cosine
  ) throws(ClusteringError) {
    guard labels.count == embeddings.rowCount else {
      throw .labelCount(labels: labels.count, rows: embeddings.rowCount)
    }
    guard !labels.isEmpty else { throw .tooFew(things: 0, needed: 1) }
    guard labels.count < Int32.max else { throw .tooMany(things: labels.count) }
    self.labels = labels
    self.metric = metric
    let rows = try MovedRows(embeddings.comparable(by: metric))
    (mean, values, width) = (rows.mean, rows.values, rows.width)
  }

  /// The label of each row: that of the nearest row with a label, the first of several.
  ///
  /// - Complexity: O(m n d) for m rows and n with labels, of d values.
  /// - Throws: ``ClusteringError/columnCount(found:expected:)``; the rest as for rows with labels.
  public func predict(_ rows: Matrix<Float>) throws(ClusteringError) -> [Label] {
    try predict(rows.converted(to: Double.self))
  }

  /// The label of each row in double precision.
  ///
  /// - Throws: as for single precision.
  public func predict(_ rows: Matrix<Double>) throws(ClusteringError) -> [Label] {
    guard rows.columnCount == width else {
      throw .columnCount(found: rows.columnCount, expected: width)
    }
    guard rows.rowCount < Int32.max else { throw .tooMany(things: rows.rowCount) }
    let moved = try MovedRows(rows.comparable(by: metric), mean: mean)
    var nearest = [Int32](repeating: 0, count: moved.count)
    moved.assign(to: values, labels: &nearest)
    return nearest.map { labels[Int($0)] }
  }
}

extension Matrix<Double> {
  /// Rows whose Euclidean distances are in the order of the metric's.
  fileprivate func comparable(by metric: DistanceMetric) throws(ClusteringError) -> Matrix {
    metric == .cosine ? try normalizedForClustering() : self
  }
}
