import Clustering
import LinearAlgebra
import TestSupport
import Testing

/// The cases of SciPy's own tests as data: inputs and the numbers that are expected.
///
/// They are those of `scipy/cluster/tests/test_hierarchy.py`; `Fixtures/generate/scipy_suite.py` says what becomes of each test.
@Suite struct SciPySuiteTests {
  struct Suite: Decodable {
    var tests: [String: String]
    var linkages: [LinkageCase]
    var badDistances: [String: [Double]]
    var trees: [TreeCase]
    var inconsistency: [String: [[Double]]]
    var cophenetic: CopheneticCase
    var rows: [[Double]]
    var flat: [FlatCase]
    var leaders: LeadersCase
    var isomorphisms: [IsomorphismCase]
    var validity: [ValidityCase]
    var monotonicity: [MonotonicityCase]
    var layouts: [DrawingCase]
    var cutTree: [[Int]]
    var optimal: [OptimalCase]

    func tree(_ name: String) throws -> Dendrogram {
      try Dendrogram(golden: #require(trees.first { $0.tree == name }).matrix)
    }
  }

  struct LinkageCase: Decodable {
    var test: String
    var linkage: String
    var distances: [Double]?
    var rows: [[Double]]?
    var matrix: [[Double]]

    func check(_ linkage: Linkage) throws {
      let clustering = AgglomerativeClustering(
        linkage: linkage, metric: .euclidean, cut: .count(1))
      let tree: Dendrogram
      if let rows {
        tree = try clustering.fit(Matrix<Double>(rows: rows)).dendrogram
      } else {
        let distances = try CondensedDistances<Double>(
          count: matrix.count + 1, values: #require(distances))
        tree = try clustering.fit(distances).dendrogram
      }
      let ours = tree.linkageMatrix
      #expect(ours.rowCount == matrix.count)
      for (row, expected) in matrix.enumerated() {
        for (column, value) in expected.enumerated() {
          #expect(
            abs(ours[row, column] - value) <= 1e-5 * value, "\(test), \(linkage), row \(row)")
        }
      }
    }
  }

  struct TreeCase: Decodable {
    var tree: String
    var things: Int
    var matrix: [[Double]]
    var isMonotonic: Bool
    var leaves: [Int]
    var maximumDistances: [Double]
    var maximumCoefficients: [Double]
    var maximumDeviations: [Double]
  }

  struct CopheneticCase: Decodable {
    var distances: [Double]
    var cophenetic: [Double]
    var correlation: Double
  }

  struct LeadersCase: Decodable {
    var labels: [Int]
    var nodes: [Int]
    var of: [Int]
  }

  struct IsomorphismCase: Decodable {
    var test: String
    var one: [Int]
    var other: [Int]
    var isSame: Bool
  }

  struct ValidityCase: Decodable {
    var test: String
    var matrix: [[Double]]
    var isValid: Bool
  }

  struct MonotonicityCase: Decodable {
    var test: String
    var matrix: [[Double]]
    var isMonotonic: Bool
  }

  struct DrawingCase: Decodable {
    var test: String
    var matrix: [[Double]]
    var threshold: Double?
    var last: Int?
    var layout: LayoutCase
  }

  struct OptimalCase: Decodable {
    var matrix: [[Double]]
    var distances: [Double]
    var expected: [[Double]]
  }

  static let suite = Result { try Folders.golden("Clustering/scipy_suite.json", as: Suite.self) }

  @Test("every test of SciPy's is accounted for")
  func fates() throws {
    let fates = try Self.suite.get().tests.values
    #expect(fates.count == 98)
    #expect(fates.count { $0.hasPrefix("golden") } == 57)
    #expect(fates.count { $0.hasPrefix("property") } == 14)
    #expect(fates.count { $0.hasPrefix("differs: ") } == 8)
    #expect(fates.count { $0.hasPrefix("not: ") } == 19)
  }

  @Test("linkage matrices")
  func linkageMatrices() throws {
    var compared = 0
    for golden in try Self.suite.get().linkages
    where !["weighted", "ward"].contains(golden.linkage) {
      try golden.check(#require(Linkage(rawValue: golden.linkage)))
      compared += 1
    }
    #expect(compared == 11)
  }

  @Test("distances that SciPy refuses are refused")
  func badDistances() throws {
    #expect(throws: ClusteringError.invalidDistance(row: 0, other: 1)) {
      try CondensedDistances<Double>(count: 4, values: [.nan, 0, 0, 0, 0, 0])
    }
    let negative = try #require(Self.suite.get().badDistances["negative"])
    #expect(throws: ClusteringError.invalidDistance(row: 1, other: 2)) {
      try CondensedDistances<Double>(count: 3, values: negative)
    }
  }

  @Test("sizes, leaves, monotonicity and maxima of trees")
  func trees() throws {
    let suite = try Self.suite.get()
    for golden in suite.trees {
      let tree = try Dendrogram(golden: golden.matrix)
      #expect(tree.leafCount == golden.things)
      #expect(tree.isMonotonic == golden.isMonotonic)
      #expect(tree.leafOrder == golden.leaves)
      #expect(tree.maximumDistances == golden.maximumDistances)
      let inconsistency = try tree.inconsistency()
      #expect(
        try tree.maximaBelow(inconsistency.map(\.coefficient)) == golden.maximumCoefficients)
      #expect(try tree.maximaBelow(inconsistency.map(\.deviation)) == golden.maximumDeviations)
      let root = try #require(tree.merges.last)
      let parts = try [root.left, root.right].map { node in
        node < tree.leafCount ? [node] : try Self.subtree(of: node, in: tree)
      }
      #expect(tree.leafOrder == parts[0] + parts[1])
    }
    #expect(suite.trees.count == 18)
    #expect(suite.trees.contains { !$0.isMonotonic })
  }

  /// The leaves under a merge, by taking its part of the tree for a tree of its own.
  private static func subtree(of node: Int, in tree: Dendrogram) throws -> [Int] {
    let merge = tree.merges[node - tree.leafCount]
    return try [merge.left, merge.right].flatMap {
      $0 < tree.leafCount ? [$0] : try subtree(of: $0, in: tree)
    }
  }

  @Test("inconsistency of the tdist tree, depths 1 to 4")
  func inconsistency() throws {
    let suite = try Self.suite.get()
    let tree = try suite.tree("tdist single")
    #expect(suite.inconsistency.count == 4)
    for (depth, table) in suite.inconsistency {
      let ours = try tree.inconsistency(depth: #require(Int(depth)))
      for (one, other) in zip(ours, table) {
        // The table has eight places.
        #expect(abs(one.mean - other[0]) < 1e-7 * other[0])
        #expect(abs(one.deviation - other[1]) <= 1e-7 * other[1])
        #expect(Double(one.count) == other[2])
        #expect(abs(one.coefficient - other[3]) < 1e-8)
      }
    }
  }

  @Test("cophenetic distances and correlation of the tdist tree")
  func cophenetic() throws {
    let suite = try Self.suite.get()
    let tree = try suite.tree("tdist single")
    #expect(try tree.copheneticDistances().values == suite.cophenetic.cophenetic)
    let distances = try CondensedDistances(count: 6, values: suite.cophenetic.distances)
    let correlation = try #require(try tree.copheneticCorrelation(with: distances))
    #expect(abs(correlation - suite.cophenetic.correlation) < 1e-10)
  }

  @Test("flat clusters, of the tree and of the rows")
  func flatClusters() throws {
    let suite = try Self.suite.get()
    #expect(suite.flat.count == 19)
    let rows = try Matrix<Double>(rows: suite.rows)
    let clustering = AgglomerativeClustering(linkage: .single, metric: .euclidean, cut: .count(1))
    let fitted = try clustering.fit(rows).dendrogram
    for flat in suite.flat {
      let name = try #require(flat.tree)
      let tree = try suite.tree(name)
      let labels = try tree.labels(where: flat.mergeCriterion(for: tree), numbering: .sciPy)
      #expect(ClusterSummary.areIsomorphic(labels, flat.labels), "\(flat)")
      if flat.isExact == true { #expect(labels == flat.labels) }
      if name == "Q single" {
        let others = try fitted.labels(where: flat.mergeCriterion(for: fitted))
        #expect(ClusterSummary.areIsomorphic(others, flat.labels), "\(flat)")
      }
    }
  }

  @Test("leaders of flat clusters")
  func leaders() throws {
    let suite = try Self.suite.get()
    let leaders = try suite.tree("Q single").leaders(of: suite.leaders.labels)
    #expect(leaders == Dictionary(uniqueKeysWithValues: zip(suite.leaders.of, suite.leaders.nodes)))
  }

  @Test("labellings that part things alike")
  func isomorphisms() throws {
    let cases = try Self.suite.get().isomorphisms
    #expect(cases.count == 9)
    for golden in cases {
      #expect(ClusterSummary.areIsomorphic(golden.one, golden.other) == golden.isSame)
      #expect(ClusterSummary.areIsomorphic(golden.other, golden.one) == golden.isSame)
    }
  }

  @Test("matrices that are linkages, and that are not")
  func validity() throws {
    let cases = try Self.suite.get().validity
    #expect(cases.count == 5)
    for golden in cases {
      let matrix = try Matrix<Double>(rows: golden.matrix)
      if golden.isValid {
        #expect(try Dendrogram(linkageMatrix: matrix).leafCount == golden.matrix.count + 1)
      } else {
        #expect(throws: ClusteringError.self) { try Dendrogram(linkageMatrix: matrix) }
      }
    }
  }

  @Test("monotonic matrices, and others, which are refused unless inversions are allowed")
  func monotonicity() throws {
    let cases = try Self.suite.get().monotonicity
    #expect(cases.count == 8)
    for golden in cases {
      #expect(try Dendrogram(golden: golden.matrix).isMonotonic == golden.isMonotonic)
      let matrix = try Matrix<Double>(rows: golden.matrix)
      if golden.isMonotonic {
        #expect(try Dendrogram(linkageMatrix: matrix).isMonotonic)
      } else {
        #expect(throws: ClusteringError.self) { try Dendrogram(linkageMatrix: matrix) }
      }
    }
  }

  @Test("brackets, colors and leaves of drawings")
  func drawings() throws {
    let cases = try Self.suite.get().layouts
    #expect(cases.count == 5)
    for golden in cases {
      let layout = try Dendrogram(golden: golden.matrix)
        .layout(groupsBelow: golden.threshold, lastClusters: golden.last)
      #expect(golden.layout.differences(from: layout) == [], "\(golden.test)")
    }
  }

  @Test("cuts into 50, 1, 5 and 10 clusters, numbered by appearance")
  func cutTree() throws {
    let suite = try Self.suite.get()
    let tree = try suite.tree("cut tree")
    for (count, labels) in zip([50, 1, 5, 10], suite.cutTree) {
      #expect(try tree.labels(cut: .count(count), numbering: .appearance) == labels)
    }
    #expect(suite.cutTree.count == 4)
  }

  @Test("optimal leaf orders, which may be mirrored")
  func optimalOrders() throws {
    let cases = try Self.suite.get().optimal
    #expect(cases.count == 2)
    for golden in cases {
      let tree = try Dendrogram(golden: golden.matrix)
      let expected = try Dendrogram(golden: golden.expected)
      let distances = try CondensedDistances(count: tree.leafCount, values: golden.distances)
      let ordered = try tree.optimallyArranged(for: distances)
      let order = ordered.leafOrder
      #expect(order == expected.leafOrder || order == expected.leafOrder.reversed())
      #expect(
        try ordered.neighborDistanceSum(distances) == expected.neighborDistanceSum(distances))
      #expect(
        ordered.orderedLinkageMatrix == expected.orderedLinkageMatrix
          || order == expected.leafOrder.reversed())
    }
  }
}
