import Clustering
import LinearAlgebra
import Testing

@Suite struct ClusterSummaryTests {
  @Test func sizesMembersAndTheLargest() throws {
    let summary = try ClusterSummary(labels: [2, 0, 2, 1, 0])
    #expect(summary.sizes == [2, 1, 2])
    #expect(summary.largest == 0)
    #expect(summary.clusters[2].members == [0, 2])
    #expect(summary.clusters[2].medoid == nil)
    #expect(try ClusterSummary(labels: [1, 1, 0]).largest == 1)
    #expect(try ClusterSummary(labels: []).largest == nil)
    #expect(try ClusterSummary(labels: [2, 2, 2]).sizes == [0, 0, 3])
  }

  @Test func wrongLabelsAreErrors() throws {
    for label in [-1, 3, Int.max, Int.min] {
      #expect(throws: ClusteringError.labelOutOfRange(index: 1, label: label)) {
        try ClusterSummary(labels: [0, label, 0])
      }
    }
    let rows = try Matrix<Float>(rows: [[1, 0], [0, 0]])
    #expect(throws: ClusteringError.labelCount(labels: 3, rows: 2)) {
      try ClusterSummary(labels: [0, 0, 0], embeddings: rows)
    }
    #expect(throws: ClusteringError.zeroRow(index: 1)) {
      try ClusterSummary(labels: [0, 0], embeddings: rows)
    }
  }

  @Test func theMedoidIsTheMostTypicalMember() throws {
    let rows = try Matrix<Float>(rows: [[1, 0], [5, 5], [0, 3], [-1, -1]])
    let summary = try ClusterSummary(labels: [0, 0, 0, 1], embeddings: rows)
    #expect(summary.clusters[0].medoid == 1)
    // Cosines of the three pairs: twice the root of a half, and 0.
    let mean = try #require(summary.clusters[0].meanSimilarity)
    #expect(abs(mean - 2 * 0.5.squareRoot() / 3) < 1e-12)
    #expect(summary.clusters[1].medoid == 3)
    #expect(summary.clusters[1].meanSimilarity == 1)
  }

  @Test func equallyTypicalMembersGiveTheFirst() throws {
    let rows = try Matrix<Float>(rows: [[0.1, 0.7], [0.3, 2.1], [0.1, 0.7], [0.7, 0.1]])
    let summary = try ClusterSummary(labels: [1, 1, 1, 0], embeddings: rows)
    #expect(summary.clusters.map(\.medoid) == [3, 0])
    #expect(abs(try #require(summary.clusters[1].meanSimilarity) - 1) < 1e-7)
  }

  @Test func theSummaryAgreesWithEveryPair() throws {
    let recipe = Recipe(
      seed: 5, rows: 40, columns: 17, groups: 4, centerBits: 14, noiseBits: 14, scaleBits: 2)
    let embeddings = try recipe.embeddings
    let distances = try CondensedDistances(.cosine, between: embeddings)
    let labels = try AgglomerativeClustering(cut: .count(5)).fit(distances).labels
    let summary = try ClusterSummary(labels: labels, embeddings: embeddings)
    for cluster in summary.clusters {
      let members = cluster.members
      let means = members.map { one in
        members.reduce(0) { $0 + 1 - distances[one, $1] } / Double(members.count)
      }
      let medoid = try #require(cluster.medoid.flatMap(members.firstIndex(of:)))
      #expect(means[medoid] > (means.max() ?? 2) - 1e-8)
      if members.count > 1 {
        let pairs = Double(members.count * (members.count - 1))
        let total = means.reduce(0, +) * Double(members.count) - Double(members.count)
        #expect(abs(try #require(cluster.meanSimilarity) - total / pairs) < 1e-9)
      }
    }
  }
}
