import LinearAlgebra

/// Divides rows into a given number of clusters, each around the mean of its members (k-means).
///
/// It starts at some centers and repeats two steps: each row joins the nearest center, and each
/// center moves to the mean of its rows (Lloyd's method). It ends when no row changes its cluster,
/// when the centers move little, or at ``iterationLimit``.
///
/// From given centers, labels and the number of iterations equal those of scikit-learn's `KMeans`
/// (1.9) on double precision. Centers and inertia equal them up to rounding. From a seed it takes
/// the same random numbers, so that the result equals `KMeans(n_clusters, n_init, random_state)`.
/// Rounding may decide otherwise in three places. A row may have two equally near centers. Several
/// empty clusters may be given the same far rows in another order. A start may have to choose among
/// rows that are all at centers already. Results do not depend on the number of threads.
///
/// ```swift
/// let clusters = try KMeans(clusterCount: 8, runs: 10, seed: 1).fit(embeddings)
/// print(clusters.labels, clusters.inertia)
/// let label = try clusters.predict(others)
/// ```
///
/// Distances are Euclidean. For directions, normalize the rows first.
///
/// Sources: Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28
/// (1982); Arthur and Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007.
public struct KMeans: Hashable, Sendable, Codable {
  /// How many clusters there are: from 1 to the number of rows.
  public var clusterCount: Int
  /// How many starts are tried, 1 or more; the one with the least inertia is taken.
  public var runs: Int
  /// What the random choice of the first centers depends on.
  public var seed: UInt32
  /// How many times centers move at most: 1 or more.
  public var iterationLimit: Int
  /// How little the centers move at the end: the sum of their squared moves, as a share of the mean
  /// variance of a column; 0 or more.
  public var tolerance: Double

  /// Describes a clustering; nothing is checked before it is used.
  public init(
    clusterCount: Int, runs: Int = 1, seed: UInt32 = 0, iterationLimit: Int = 300,
    tolerance: Double = 1e-4
  ) {
    self.clusterCount = clusterCount
    self.runs = runs
    self.seed = seed
    self.iterationLimit = iterationLimit
    self.tolerance = tolerance
  }

  /// Clusters rows, from centers that are chosen at random among them (k-means++).
  ///
  /// Each next center is the best of `2 + ln k` rows, which are drawn with a probability that is
  /// their squared distance to the centers so far.
  ///
  /// - Complexity: O(n k d) time an iteration, and O(n k d log k) for each start; 12 n d bytes.
  /// - Throws: ``ClusteringError``: ``ClusteringError/nonFiniteRow(index:)``,
  ///   ``ClusteringError/rowOverflow(index:)`` for a length above 1e140,
  ///   ``ClusteringError/invalidClusterCount(found:things:)``,
  ///   ``ClusteringError/invalidRunCount(_:)``, ``ClusteringError/invalidIterationLimit(_:)``,
  ///   ``ClusteringError/invalidTolerance(_:)``, ``ClusteringError/tooMany(things:)``.
  public func fit(_ rows: Matrix<Float>) throws(ClusteringError) -> KMeansClusters {
    try check(things: rows.rowCount)
    return try best(MovedRows(rows))
  }

  /// Clusters rows in double precision, from centers that are chosen at random among them.
  ///
  /// - Throws: as for single precision.
  public func fit(_ rows: Matrix<Double>) throws(ClusteringError) -> KMeansClusters {
    try check(things: rows.rowCount)
    return try best(MovedRows(rows))
  }

  /// The best of all runs.
  private func best(_ moved: MovedRows) throws(ClusteringError) -> KMeansClusters {
    guard runs >= 1 else { throw .invalidRunCount(runs) }
    var generator = MersenneTwister(seed: seed)
    var best: LloydRun?
    for _ in 0..<runs {
      let start = PlusPlusStart.centers(
        clusterCount, of: moved, generator: &generator)
      let run = LloydRun(
        moved, from: start, iterationLimit: iterationLimit, tolerance: tolerance)
      // Rounding must not choose between runs that found the same clusters.
      if let current = best,
        run.inertia >= current.inertia || ClusterSummary.areIsomorphic(run.labels, current.labels)
      {
        continue
      }
      best = run
    }
    return KMeansClusters(best, rows: moved)
  }

  /// Clusters rows from given centers, one row per cluster; ``runs`` and ``seed`` play no part.
  ///
  /// A center that no row is nearest to moves to the row that is farthest from its own center.
  ///
  /// - Throws: as from centers at random; also ``ClusteringError/centerCount(found:expected:)``,
  ///   ``ClusteringError/columnCount(found:expected:)``, ``ClusteringError/badCenter(index:)``.
  public func fit(
    _ rows: Matrix<Float>, from centers: Matrix<Double>
  ) throws(ClusteringError) -> KMeansClusters {
    try check(things: rows.rowCount, columns: rows.columnCount, centers: centers)
    return run(try MovedRows(rows), from: centers)
  }

  /// Clusters rows in double precision from given centers.
  ///
  /// - Throws: as for single precision.
  public func fit(
    _ rows: Matrix<Double>, from centers: Matrix<Double>
  ) throws(ClusteringError) -> KMeansClusters {
    try check(things: rows.rowCount, columns: rows.columnCount, centers: centers)
    return run(try MovedRows(rows), from: centers)
  }

  private func run(_ moved: MovedRows, from centers: Matrix<Double>) -> KMeansClusters {
    let run = LloydRun(
      moved, from: moved.moved(centers), iterationLimit: iterationLimit, tolerance: tolerance)
    return KMeansClusters(run, rows: moved)
  }

  private func check(
    things: Int, columns: Int, centers: Matrix<Double>
  ) throws(ClusteringError) {
    try check(things: things)
    guard centers.rowCount == clusterCount else {
      throw .centerCount(found: centers.rowCount, expected: clusterCount)
    }
    guard centers.columnCount == columns else {
      throw .columnCount(found: centers.columnCount, expected: columns)
    }
    for index in 0..<centers.rowCount where !centers[row: index].isWithinSquares {
      throw .badCenter(index: index)
    }
  }

  private func check(things: Int) throws(ClusteringError) {
    guard things < Int32.max else { throw .tooMany(things: things) }
    guard clusterCount >= 1, clusterCount <= things else {
      throw .invalidClusterCount(found: clusterCount, things: things)
    }
    guard iterationLimit >= 1 else { throw .invalidIterationLimit(iterationLimit) }
    guard tolerance >= 0, tolerance.isFinite else { throw .invalidTolerance(tolerance) }
  }
}

/// What ``KMeans`` found.
public struct KMeansClusters: Hashable, Sendable {
  /// One label a row, in order: the number of its center.
  public let labels: [Int]
  /// The centers, one row per cluster.
  public let centers: Matrix<Double>
  /// The sum of the squared distances of the rows to their centers.
  public let inertia: Double
  /// How many times the centers moved.
  public let iterations: Int

  /// How many clusters there are, with those that have no row.
  public var clusterCount: Int { centers.rowCount }

  /// A result, with the centers moved back from the rows' mean.
  init(_ run: LloydRun?, rows: MovedRows) {
    labels = run?.labels ?? []
    inertia = run?.inertia ?? 0
    iterations = run?.iterations ?? 0
    var values = run?.centers ?? []
    for index in values.indices { values[index] += rows.mean[index % rows.width] }
    centers = Matrix(
      unchecked: values, rowCount: run?.centerCount ?? 0, columnCount: rows.width)
  }

  /// The label of each of other rows: the number of the nearest center, the first of several.
  ///
  /// - Complexity: O(n k d).
  /// - Throws: ``ClusteringError/columnCount(found:expected:)``,
  ///   ``ClusteringError/nonFiniteRow(index:)``, ``ClusteringError/rowOverflow(index:)``,
  ///   ``ClusteringError/tooMany(things:)``.
  public func predict(_ rows: Matrix<Float>) throws(ClusteringError) -> [Int] {
    try check(rows: rows.rowCount, columns: rows.columnCount)
    return labels(of: try MovedRows(rows, mean: centers.columnMeans))
  }

  /// The label of each of other rows in double precision.
  ///
  /// - Throws: as for single precision.
  public func predict(_ rows: Matrix<Double>) throws(ClusteringError) -> [Int] {
    try check(rows: rows.rowCount, columns: rows.columnCount)
    return labels(of: try MovedRows(rows, mean: centers.columnMeans))
  }

  private func labels(of moved: MovedRows) -> [Int] {
    var labels = [Int32](repeating: 0, count: moved.count)
    moved.assign(to: moved.moved(centers), labels: &labels)
    return labels.map { Int($0) }
  }

  private func check(rows: Int, columns: Int) throws(ClusteringError) {
    guard columns == centers.columnCount else {
      throw .columnCount(found: columns, expected: centers.columnCount)
    }
    guard rows < Int32.max else { throw .tooMany(things: rows) }
  }
}
