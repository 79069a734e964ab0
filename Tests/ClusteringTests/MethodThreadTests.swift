import Clustering
import LinearAlgebra
import TestSupport
import Testing

/// Results on several threads, for the sanitizer too.
@Suite(.serialized) struct MethodThreadTests {
  static let recipe = Recipe(
    seed: 77, rows: 700, columns: 80, groups: 25, centerBits: 14, noiseBits: 13, scaleBits: 0)

  /// What `fit` gives on one thread and on several is the same.
  private func compare<Result: Equatable>(
    _ count: Int, _ fit: (Matrix<Float>) throws -> Result
  ) throws {
    let rows = try Self.recipe.embeddings
    let before = BLASThreads.count
    defer { BLASThreads.set(before) }
    BLASThreads.set(1)
    let alone = try fit(rows)
    BLASThreads.set(count)
    #expect(try fit(rows) == alone)
  }

  @Test("DBSCAN does not depend on the number of threads", arguments: [2, 5])
  func dbscan(count: Int) throws {
    for metric in DistanceMetric.allCases {
      let eps = metric == .cosine ? 0.1 : 2e4
      try compare(count) { try DBSCAN(eps: eps, metric: metric).fit($0) }
    }
  }

  @Test("HDBSCAN does not depend on the number of threads", arguments: [2, 5])
  func hdbscan(count: Int) throws {
    for memoryLimit in [0, 1 << 30] {
      try compare(count) { try HDBSCAN(memoryLimit: memoryLimit).fit($0) }
    }
  }

  @Test("k-means and nearest labels do not depend on the number of threads", arguments: [2, 5])
  func kmeans(count: Int) throws {
    try compare(count) { try KMeans(clusterCount: 25, runs: 2, seed: 3).fit($0) }
    try compare(count) {
      try NearestLabels($0.rows(0..<300), labels: Array(0..<300)).predict($0)
    }
  }
}
