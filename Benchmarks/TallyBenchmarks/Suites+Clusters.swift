import Clustering
import LinearAlgebra

extension Benchmark {
  /// Clustering by other methods than by merging.
  static let clusters: [Benchmark] =
    [
      // The answer is the sum of both measures.
      Benchmark(name: "cluster/agreement-10000-101x97", tolerance: 1e-6) { _ in
        let labels = (0..<10_000).map { $0 * $0 % 101 }
        let others = (0..<10_000).map { $0 % 97 }
        return {
          let found = try ClusterAgreement(labels, others)
          return 1 + found.adjustedRandIndex + found.adjustedMutualInformation
        }
      },
      // The answer is the sum of the nearest rows' numbers.
      Benchmark(name: "cluster/nearest-labels-2000-of-5000x512") { settings in
        let embeddings = try SeededInput.embeddings(count: 7000, dimension: 512, seed: 7)
        let known = try NearestLabels(
          embeddings.rows(0..<5000), labels: Array(0..<5000), metric: .euclidean)
        let others = embeddings.rows(5000..<7000)
        BLASThreads.set(settings.threads)
        return { Double(try known.predict(others).reduce(0, +)) }
      },
    ] + [.ward, .average].map(connected) + SeededInput.EmbeddingShape.allCases.flatMap(methods)

  /// Rows in a grid whose neighbours are those beside one another; the answer is the size of the
  /// largest of ten clusters.
  private static func connected(_ linkage: Linkage) -> Benchmark {
    Benchmark(name: "cluster/connected-\(linkage)-64x64x3") { _ in
      let embeddings = try SeededInput.embeddings(
        count: 4096, dimension: 3, seed: 7, shape: .overlapping)
      let grid = (0..<4096).flatMap { cell in
        [(cell, cell + 1), (cell, cell + 64)].filter { _, other in
          other < 4096 && (other - cell == 64 || other % 64 > 0)
        }
      }
      let graph = try Connectivity(count: 4096, pairs: grid)
      let clustering = AgglomerativeClustering(
        linkage: linkage, metric: .euclidean, cut: .count(10))
      return {
        let found = try clustering.fit(embeddings, connectivity: graph)
        return try Double(ClusterSummary(labels: found.labels).sizes.max() ?? 0)
      }
    }
  }

  private static func methods(_ shape: SeededInput.EmbeddingShape) -> [Benchmark] {
    [
      dbscan("cosine-5000x512", shape, (5000, 512), DBSCAN(eps: 0.2)),
      dbscan("euclidean-5000x512", shape, (5000, 512), DBSCAN(eps: 9, metric: .euclidean)),
      dbscan("euclidean-5000x10", shape, (5000, 10), DBSCAN(eps: 0.9, metric: .euclidean)),
      dbscan("euclidean-50000x2", shape, (50_000, 2), DBSCAN(eps: 0.02, metric: .euclidean)),
      hdbscan("cosine-2000x512", shape, (2000, 512), .cosine),
      hdbscan("euclidean-2000x512", shape, (2000, 512), .euclidean),
      hdbscan("euclidean-5000x10", shape, (5000, 10), .euclidean),
      hdbscan("euclidean-10000x2", shape, (10_000, 2), .euclidean),
      kmeans((10_000, 128), shape, clusters: 50, isSeeded: false),
      kmeans((10_000, 128), shape, clusters: 50, isSeeded: true),
      kmeans((2000, 512), shape, clusters: 20, isSeeded: true),
      kmeans((50_000, 2), shape, clusters: 8, isSeeded: true),
    ]
  }

  /// From the first rows or from a seed, twenty iterations at most; the answer is the inertia.
  private static func kmeans(
    _ size: (rows: Int, columns: Int), _ shape: SeededInput.EmbeddingShape, clusters: Int,
    isSeeded: Bool
  ) -> Benchmark {
    Benchmark(
      name: "cluster/kmeans-\(isSeeded ? "seeded" : "given")-\(size.rows)x\(size.columns)-\(shape)",
      tolerance: 0.01
    ) { settings in
      let embeddings = try SeededInput.embeddings(
        count: size.rows, dimension: size.columns, seed: 7, shape: shape)
      let start = embeddings.rows(0..<clusters).converted(to: Double.self)
      let clustering = KMeans(clusterCount: clusters, seed: 1, iterationLimit: 20)
      BLASThreads.set(settings.threads)
      return {
        try isSeeded
          ? clustering.fit(embeddings).inertia : clustering.fit(embeddings, from: start).inertia
      }
    }
  }

  /// The answer is the number of rows: in which order equally long edges are taken, which the peer
  /// leaves to the processor, decides about everything else.
  private static func hdbscan(
    _ name: String, _ shape: SeededInput.EmbeddingShape, _ size: (rows: Int, columns: Int),
    _ metric: DistanceMetric
  ) -> Benchmark {
    Benchmark(
      name: "cluster/hdbscan-\(name)-\(shape)",
      isLarge: metric == .euclidean && size.columns > 100
    ) { settings in
      let embeddings = try SeededInput.embeddings(
        count: size.rows, dimension: size.columns, seed: 7, shape: shape)
      let clustering = HDBSCAN(minClusterSize: 10, metric: metric)
      BLASThreads.set(settings.threads)
      return { Double(try clustering.fit(embeddings).labels.count) }
    }
  }

  /// The answer is the number of clusters and of core samples.
  private static func dbscan(
    _ name: String, _ shape: SeededInput.EmbeddingShape, _ size: (rows: Int, columns: Int),
    _ clustering: DBSCAN
  ) -> Benchmark {
    Benchmark(name: "cluster/dbscan-\(name)-\(shape)") { settings in
      let embeddings = try SeededInput.embeddings(
        count: size.rows, dimension: size.columns, seed: 7, shape: shape)
      BLASThreads.set(settings.threads)
      return {
        let found = try clustering.fit(embeddings)
        return Double(found.clusterCount + found.coreSamples.count)
      }
    }
  }
}
