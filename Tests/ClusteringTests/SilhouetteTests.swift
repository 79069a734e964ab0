import Clustering
import LinearAlgebra
import TestSupport
import Testing

@Suite struct SilhouetteTests {
  struct SilhouetteCase: Decodable {
    var recipe: Recipe
    var metric: DistanceMetric
    /// The silhouettes of all things by the number of clusters the tree is cut into.
    var samples: [String: [Double]]
  }

  @Test func silhouettesEqualThoseOfScikitLearn() throws {
    let cases = try Folders.golden("Clustering/silhouettes.json", as: [SilhouetteCase].self)
    #expect(cases.count == 20)
    for (index, golden) in cases.enumerated() {
      let distances = try CondensedDistances(golden.metric, between: golden.recipe.embeddings)
      let tree = try AgglomerativeClustering(cut: .count(1)).fit(distances).dendrogram
      for (count, expected) in golden.samples {
        let labels = try tree.labels(cut: .count(try #require(Int(count))))
        let silhouette = try Silhouette(labels: labels, distances: distances)
        // Sums are taken in another order: a difference of two near means loses some digits.
        for (ours, theirs) in zip(silhouette.samples, expected) {
          #expect(abs(ours - theirs) < 1e-7, "case \(index), \(count) clusters")
        }
        #expect(silhouette.samples.count == expected.count)
      }
      let best = try #require(try tree.bestCut(into: 2...8, distances: distances))
      let means = golden.samples.mapValues { $0.reduce(0, +) / Double($0.count) }
      let greatest = try #require(means.values.max())
      #expect(abs(best.silhouette.mean - greatest) < 1e-7, "case \(index)")
    }
  }

  struct MetricCase: Decodable {
    var recipe: Recipe
    var labels: [Int]
    /// The silhouettes of all things by metric.
    var samples: [String: [Double]]
  }

  @Test("silhouettes of rows by every metric equal scikit-learn's, in both precisions")
  func metrics() throws {
    let cases = try Folders.golden("Clustering/metric_silhouettes.json", as: [MetricCase].self)
    #expect(cases.count == 38)
    for golden in cases {
      #expect(golden.samples.count == DistanceMetric.allCases.count)
      for metric in DistanceMetric.allCases {
        let distances = try CondensedDistances(metric, between: golden.recipe.embeddings)
        let rounded = try CondensedDistances(
          count: distances.count, values: distances.values.map { Float($0) })
        let ours = try Silhouette(labels: golden.labels, distances: distances)
        let single = try Silhouette(labels: golden.labels, distances: rounded)
        let expected = try #require(golden.samples[metric.rawValue])
        for (index, value) in expected.enumerated() {
          // Rows that are all but duplicates: scikit-learn takes their distances from products, which
          // leaves them few digits.
          let tolerance = golden.recipe.kind.contains("duplicates") ? 1e-4 : 1e-8
          let name: Comment = "\(golden.recipe.kind), \(metric), row \(index)"
          #expect(abs(ours.samples[index] - value) < tolerance, name)
          #expect(abs(single.samples[index] - value) < max(tolerance, 1e-5), name)
        }
        #expect(ours.samples.count == expected.count)
      }
    }
  }

  @Test func twoTightGroupsHaveNearlyOne() throws {
    // Two pairs, each 1 apart, 100 between them.
    let distances = try CondensedDistances<Double>(
      count: 4, values: [1, 100, 100, 100, 100, 1])
    let silhouette = try Silhouette(labels: [0, 0, 1, 1], distances: distances)
    #expect(silhouette.samples == [0.99, 0.99, 0.99, 0.99])
    #expect(abs(silhouette.mean - 0.99) < 1e-15)
    let wrong = try Silhouette(labels: [0, 1, 0, 1], distances: distances)
    #expect(wrong.mean < 0)
  }

  @Test func aThingAloneAndThingsInOnePlaceHaveZero() throws {
    let distances = try CondensedDistances<Float>(count: 3, values: [0, 0, 0])
    #expect(try Silhouette(labels: [0, 0, 1], distances: distances).samples == [0, 0, 0])
    let apart = try CondensedDistances<Float>(count: 3, values: [1, 5, 5])
    #expect(try Silhouette(labels: [0, 0, 2], distances: apart).samples[2] == 0)
  }

  @Test(arguments: [[0, 0, 0], [0, 1, 2], [1, 1, 1]])
  func oneClusterOrAsManyAsThingsHaveNone(labels: [Int]) throws {
    let distances = try CondensedDistances<Double>(count: 3, values: [1, 2, 3])
    #expect(
      throws: ClusteringError.noSilhouette(clusters: Set(labels).count, things: 3)
    ) { try Silhouette(labels: labels, distances: distances) }
  }

  @Test func labelsThatFitNothingAreRefused() throws {
    let distances = try CondensedDistances<Double>(count: 3, values: [1, 2, 3])
    #expect(throws: ClusteringError.labelCount(labels: 2, rows: 3)) {
      try Silhouette(labels: [0, 1], distances: distances)
    }
    #expect(throws: ClusteringError.labelOutOfRange(index: 1, label: -1)) {
      try Silhouette(labels: [0, -1, 1], distances: distances)
    }
    #expect(throws: ClusteringError.labelOutOfRange(index: 2, label: .max)) {
      try Silhouette(labels: [0, 1, .max], distances: distances)
    }
    let none = try CondensedDistances<Double>(count: 0, values: [])
    #expect(throws: ClusteringError.noSilhouette(clusters: 0, things: 0)) {
      try Silhouette(labels: [], distances: none)
    }
  }

  @Test func aTreeOfTwoThingsHasNoBestCut() throws {
    let two = try CondensedDistances<Double>(count: 2, values: [1])
    let tree = try AgglomerativeClustering(cut: .count(1)).fit(two).dendrogram
    #expect(try tree.bestCut(into: 2...8, distances: two)?.labels == nil)
    let five = try CondensedDistances<Double>(
      count: 5, values: [Double](repeating: 1, count: 10))
    let flat = try AgglomerativeClustering(cut: .count(1)).fit(five).dendrogram
    #expect(try flat.bestCut(into: 5...8, distances: five)?.labels == nil)
    // All cuts are equally bad: the fewest clusters are taken.
    #expect(try flat.bestCut(into: 1...8, distances: five)?.silhouette.mean == 0)
    #expect(Set(try #require(try flat.bestCut(into: 1...8, distances: five)).labels).count == 2)
    #expect(throws: ClusteringError.self) { try tree.bestCut(into: 2...3, distances: five) }
  }
}
