import Clustering
import LinearAlgebra
import TestSupport
import Testing

@Suite struct ConnectivityTests {
  struct Case: Decodable {
    var recipe: Recipe
    var metric: DistanceMetric
    var pairs: [Int]
    var count: Int
    var threshold: Double
    /// Labels by linkage.
    var byCount: [String: [Int]]
    var byDistance: [String: [Int]]

    var connectivity: Connectivity {
      get throws {
        try Connectivity(
          count: recipe.rows,
          pairs: stride(from: 0, to: pairs.count, by: 2).map { (pairs[$0], pairs[$0 + 1]) })
      }
    }
  }

  static func cases() throws -> [Case] {
    try Folders.golden("Clustering/connected.json", as: [Case].self)
  }

  @Test("Labels along a graph equal scikit-learn's, in single linkage up to their numbers")
  func goldens() throws {
    let cases = try Self.cases()
    #expect(cases.count == 80)
    for (index, golden) in cases.enumerated() {
      let rows = try golden.recipe.embeddings
      for (cut, answers) in [
        (DendrogramCut.count(golden.count), golden.byCount),
        (.distance(golden.threshold), golden.byDistance),
      ] {
        for linkage in [Linkage.average, .complete, .single, .ward] {
          guard let expected = answers[linkage.rawValue] else { continue }
          let clustering = AgglomerativeClustering(
            linkage: linkage, metric: golden.metric, cut: cut)
          let found = try clustering.fit(rows, connectivity: golden.connectivity)
          let name: Comment = "case \(index), \(golden.recipe.kind), \(linkage), \(cut)"
          if linkage == .single {
            #expect(ClusterSummary.areIsomorphic(found.labels, expected), name)
          } else {
            #expect(found.labels == expected, name)
          }
          #expect(found.clusterCount == Set(expected).count, name)
        }
      }
    }
  }

  @Test(
    "With an edge between all pairs, groups are those without a graph", arguments: Linkage.allCases)
  func complete(_ linkage: Linkage) throws {
    for recipe in ClusteringPropertyTests.recipes.prefix(12) {
      let metric = ClusteringPropertyTests.metric(for: linkage)
      let all = (0..<recipe.rows).flatMap { one in (0..<one).map { (one, $0) } }
      let graph = try Connectivity(count: recipe.rows, pairs: all)
      for count in 1...min(5, recipe.rows) {
        let clustering = AgglomerativeClustering(
          linkage: linkage, metric: metric, cut: .count(count))
        let rows = try recipe.embeddings
        let found = try clustering.fit(rows, connectivity: graph)
        let expected = try clustering.fit(rows)
        #expect(
          ClusterSummary.areIsomorphic(found.labels, expected.labels),
          "\(recipe.rows) rows, \(count) clusters")
        for (merge, other) in zip(found.dendrogram.merges, expected.dendrogram.merges) {
          #expect(abs(merge.distance - other.distance) <= 1e-6 * other.distance)
        }
      }
    }
  }

  @Test(
    "Every cluster is connected, and distances give what rows give", arguments: Linkage.allCases)
  func connected(_ linkage: Linkage) throws {
    for golden in try Self.cases() where golden.metric == .euclidean {
      let graph = try golden.connectivity
      let rows = try golden.recipe.embeddings
      let clustering = AgglomerativeClustering(
        linkage: linkage, metric: .euclidean, cut: .count(min(golden.count, 7)))
      let found = try clustering.fit(rows, connectivity: graph)
      if linkage != .ward {
        let distances = try CondensedDistances(.euclidean, between: rows)
        #expect(try clustering.fit(distances, connectivity: graph) == found)
      }
      // A chain's clusters are stretches of it.
      let isChain = golden.pairs == (0..<golden.recipe.rows - 1).flatMap { [$0, $0 + 1] }
      if isChain {
        let changes = zip(found.labels, found.labels.dropFirst()).count { $0 != $1 }
        #expect(changes == found.clusterCount - 1)
      }
    }
  }

  @Test("Rows that are alike but not neighbours stay apart")
  func chain() throws {
    let rows = try Matrix<Float>(rows: [0, 0, 9, 9, 0, 0].map { [$0] })
    let graph = try Connectivity(count: 6, pairs: (0..<5).map { ($0, $0 + 1) })
    for linkage in Linkage.allCases {
      let clustering = AgglomerativeClustering(
        linkage: linkage, metric: .euclidean, cut: .distance(5))
      let found = try clustering.fit(rows, connectivity: graph)
      #expect(ClusterSummary.areIsomorphic(found.labels, [0, 0, 1, 1, 2, 2]), "\(linkage)")
      #expect(found.clusterCount == 3)
    }
  }

  @Test(
    "Parts without an edge between them are joined by their nearest things",
    arguments: Linkage.allCases)
  func parts(_ linkage: Linkage) throws {
    let rows = try Matrix<Float>(rows: [0, 10, 1, 11, 2, 100].map { [$0] })
    let clustering = AgglomerativeClustering(
      linkage: linkage, metric: .euclidean, cut: .count(3))
    let none = try Connectivity(count: 6, pairs: [(Int, Int)]())
    let found = try clustering.fit(rows, connectivity: none)
    #expect(ClusterSummary.areIsomorphic(found.labels, [0, 1, 0, 1, 0, 2]))
    #expect(found.dendrogram.merges.count == 5)
  }

  @Test("No things, one thing, equal things and things that neighbour themselves")
  func degenerate() throws {
    for linkage in Linkage.allCases {
      let clustering = AgglomerativeClustering(
        linkage: linkage, metric: .euclidean, cut: .distance(1))
      let none = try clustering.fit(
        Matrix<Float>(rowCount: 0, columnCount: 2, elements: []),
        connectivity: Connectivity(count: 0, pairs: [(Int, Int)]()))
      #expect(none.labels == [] && none.clusterCount == 0)
      let one = try clustering.fit(
        Matrix<Float>(rows: [[1, 2]]), connectivity: Connectivity(count: 1, pairs: [(0, 0)]))
      #expect(one.labels == [0] && one.clusterCount == 1)
      let pairs = (0..<20).map { ($0, ($0 + 1) % 20) }
      let ring = try Connectivity(count: 20, pairs: pairs + pairs + (0..<20).map { ($0, $0) })
      #expect(try ring == Connectivity(count: 20, pairs: pairs.map { ($0.1, $0.0) }))
      let same = try Matrix<Float>(repeating: 3, rowCount: 20, columnCount: 2)
      #expect(try clustering.fit(same, connectivity: ring).clusterCount == 1)
      let empty = try Matrix<Float>(rowCount: 20, columnCount: 0, elements: [])
      #expect(try clustering.fit(empty, connectivity: ring).clusterCount == 1)
    }
  }

  @Test("Bad pairs, counts, cuts and rows are named")
  func hostile() throws {
    for pair in [(-1, 0), (0, 3), (Int.min, Int.max)] {
      #expect(throws: ClusteringError.pairOutOfRange(index: 1)) {
        try Connectivity(count: 3, pairs: [(0, 1), pair])
      }
    }
    for count in [-1, .min, Int.max] {
      #expect(throws: ClusteringError.tooMany(things: count)) {
        try Connectivity(count: count, pairs: [(Int, Int)]())
      }
    }
    let graph = try Connectivity(count: 3, pairs: [(0, 1), (1, 2)])
    let rows = try Matrix<Float>(rows: [[1, 2], [3, 4]])
    let clustering = AgglomerativeClustering(metric: .euclidean, cut: .count(2))
    #expect(throws: ClusteringError.connectivityCount(found: 3, expected: 2)) {
      try clustering.fit(rows, connectivity: graph)
    }
    let distances = try CondensedDistances<Double>(count: 2, values: [1])
    #expect(throws: ClusteringError.connectivityCount(found: 3, expected: 2)) {
      try clustering.fit(distances, connectivity: graph)
    }
    let ward = AgglomerativeClustering(linkage: .ward, metric: .euclidean, cut: .count(2))
    #expect(throws: ClusteringError.wardNeedsRows) {
      try ward.fit(distances, connectivity: graph)
    }
    for bad in [Float.nan, .infinity] {
      for metric in DistanceMetric.allCases {
        #expect(throws: ClusteringError.nonFiniteRow(index: 1)) {
          try AgglomerativeClustering(metric: metric, cut: .count(2)).fit(
            Matrix<Float>(rows: [[1, 2], [bad, 1], [1, 1]]), connectivity: graph)
        }
      }
    }
    let three = try Matrix<Double>(rows: [[1, 2], [1e300, 1], [1, 1]])
    #expect(throws: ClusteringError.rowOverflow(index: 1)) {
      try clustering.fit(three, connectivity: graph)
    }
    #expect(throws: ClusteringError.invalidClusterCount(found: 4, things: 3)) {
      try AgglomerativeClustering(metric: .euclidean, cut: .count(4)).fit(
        three, connectivity: graph)
    }
    #expect(throws: ClusteringError.invalidThreshold(-1)) {
      try AgglomerativeClustering(cut: .distance(-1)).fit(three, connectivity: graph)
    }
    #expect(throws: ClusteringError.zeroRow(index: 2)) {
      try AgglomerativeClustering(cut: .count(1)).fit(
        Matrix<Float>(rows: [[1, 2], [1, 1], [0, 0]]), connectivity: graph)
    }
  }
}
