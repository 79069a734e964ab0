import Clustering
import CommandKit
import LinearAlgebra

/// The methods of `tally cluster`, and which options belong to which.
enum ClusterMethod: String, CaseIterable {
  case agglomerative, dbscan, hdbscan, kmeans

  static let option = Option(
    "method", .choice("NAME", allCases.map { ($0.rawValue, $0) }),
    help: "Merge groups (agglomerative); find crowded places of one density (dbscan) or of several "
      + "(hdbscan), and noise between them; or divide rows around N means (kmeans).",
    fallback: "agglomerative")

  static let eps = Option(
    "eps", .number("X", in: 0...1e30),
    help: "dbscan: the greatest distance of two neighbours, above 0.")
  static let minSamples = Option(
    "min-samples", .integer("N", in: 1...1_000_000),
    help: "dbscan, hdbscan: how many rows are near a core sample at least, itself included.",
    fallback: "5 for dbscan, the least cluster size for hdbscan")
  static let minClusterSize = Option(
    "min-cluster-size", .integer("N", in: 2...1_000_000),
    help: "hdbscan: how many rows a cluster has at least.", fallback: "5")
  static let selection = Option(
    "selection", .choice("NAME", [("eom", ClusterSelection.excessOfMass), ("leaf", .leaves)]),
    help: "hdbscan: select a few large clusters that last long (eom), or many small ones that are "
      + "alike inside (leaf).",
    fallback: "eom")
  static let allowSingleCluster = Flag(
    "allow-single-cluster", help: "hdbscan: let all rows be one cluster, with noise around it.")
  static let runs = Option(
    "runs", .integer("N", in: 1...10_000),
    help: "kmeans: try N starts, and take the one with the least inertia.", fallback: "1")
  static let seed = Option(
    "seed", .integer("N", in: 0...Int(UInt32.max)),
    help: "kmeans: what the random choice of first centers depends on.", fallback: "0")

  /// The options of the three methods that do not merge.
  static let options: [any OptionDeclaration] = [
    eps, minSamples, minClusterSize, selection, allowSingleCluster, runs, seed,
  ]

  /// The options that belong to this method, of those that belong to some methods only.
  private var own: [any OptionDeclaration] {
    switch self {
    case .agglomerative:
      [
        ClusterCommand.similarity, ClusterCommand.distance, ClusterCommand.clusters,
        ClusterCommand.linkage, ClusterCommand.connectivity, ClusterCommand.dendrogram,
      ]
    case .dbscan: [Self.eps, Self.minSamples]
    case .hdbscan:
      [Self.minClusterSize, Self.minSamples, Self.selection, Self.allowSingleCluster]
    case .kmeans: [ClusterCommand.clusters, Self.runs, Self.seed]
    }
  }

  /// Throws for an option of another method, and for one that is missing.
  func check(_ arguments: ParsedArguments) throws(UsageError) {
    let names = Set(own.map(\.name))
    for option in Self.allCases.flatMap(\.own) where arguments.has(option) {
      guard names.contains(option.name) else {
        let methods = Self.allCases.filter { $0.own.contains { $0.name == option.name } }
        throw UsageError(
          "--\(option.name) is about --method \(Sentence.either(methods.map(\.rawValue))); the "
            + "method is \(rawValue)")
      }
    }
    switch self {
    case .dbscan:
      guard let eps = arguments[Self.eps], eps > 0 else {
        throw UsageError("--method dbscan needs --eps, a distance above 0")
      }
    case .kmeans:
      guard arguments.has(ClusterCommand.clusters) else {
        throw UsageError("--method kmeans needs --clusters")
      }
      guard arguments[ClusterCommand.metric] ?? .euclidean == .euclidean else {
        throw UsageError("--method kmeans is about Euclidean distances: leave out --metric")
      }
    case .agglomerative, .hdbscan: break
    }
  }

  /// Clusters rows by a method that does not merge; nil for the one that does.
  ///
  /// All three compute in double precision whatever the rows are.
  func outcome(
    of rows: Matrix<Double>, _ arguments: ParsedArguments
  ) throws(ClusteringError) -> ClusterOutcome? {
    let metric = arguments[ClusterCommand.metric] ?? .cosine
    switch self {
    case .agglomerative:
      return nil
    case .dbscan:
      let method = DBSCAN(
        eps: arguments[Self.eps] ?? 0, minSamples: arguments[Self.minSamples] ?? 5, metric: metric)
      return ClusterOutcome(try method.fit(rows))
    case .hdbscan:
      let method = HDBSCAN(
        minClusterSize: arguments[Self.minClusterSize] ?? 5,
        minSamples: arguments[Self.minSamples],
        selection: arguments[Self.selection] ?? .excessOfMass,
        allowsSingleCluster: arguments[Self.allowSingleCluster], metric: metric)
      return ClusterOutcome(try method.fit(rows))
    case .kmeans:
      let method = KMeans(
        clusterCount: arguments[ClusterCommand.clusters] ?? 1, runs: arguments[Self.runs] ?? 1,
        seed: UInt32(clamping: arguments[Self.seed] ?? 0))
      return ClusterOutcome(try method.fit(rows))
    }
  }
}
