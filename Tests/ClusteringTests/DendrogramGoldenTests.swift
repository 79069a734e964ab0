import Clustering
import LinearAlgebra
import TestSupport
import Testing

/// What SciPy says about the trees of seeded inputs, of all of its seven linkages.
@Suite struct DendrogramGoldenTests {
  struct TreeCase: Decodable {
    var method: String
    var recipe: Recipe
    var tree: [[Double]]
    var isMonotonic: Bool
    var flat: [FlatCase]
    var inconsistency: [String: [[Double]]]
    var maximumDistances: [Double]
    var cophenetic: UInt32
    var correlation: Double?
    var leaves: [Int]
    var sum: Double
    /// The least sum of neighbours' distances, and that of the order SciPy takes for the best.
    var bestSum: Double
    var sciPySum: Double
    var cutTree: UInt32?
    var layouts: [String: LayoutCase?]
  }

  static let cases = Result {
    try Folders.golden("Clustering/dendrograms.json", as: [TreeCase].self)
  }

  private func forEachCase(_ body: (TreeCase, Dendrogram) throws -> Void) throws {
    let cases = try Self.cases.get()
    #expect(cases.count == 34)
    for golden in cases { try body(golden, Dendrogram(golden: golden.tree)) }
  }

  @Test("flat clusters have the numbers that fcluster gives them")
  func flatClusters() throws {
    var inversions = 0
    try forEachCase { golden, tree in
      for flat in golden.flat {
        let criterion = try flat.mergeCriterion(for: tree)
        let labels = try tree.labels(where: criterion, numbering: .sciPy)
        #expect(labels == flat.labels, "\(golden.method), \(golden.recipe.kind), \(criterion)")
        for numbering in [ClusterNumbering.scikitLearn, .appearance] {
          let others = try tree.labels(where: criterion, numbering: numbering)
          #expect(ClusterSummary.areIsomorphic(others, labels))
          #expect(Set(others) == Set(0..<Set(labels).count))
        }
      }
      if !golden.isMonotonic { inversions += 1 }
    }
    #expect(inversions > 3)
  }

  @Test("inconsistency equals SciPy's to the bit")
  func inconsistency() throws {
    try forEachCase { golden, tree in
      for (depth, table) in golden.inconsistency {
        let ours = try tree.inconsistency(depth: #require(Int(depth)))
        #expect(
          ours.map { [$0.mean, $0.deviation, Double($0.count), $0.coefficient] } == table,
          "\(golden.method), \(golden.recipe.kind), depth \(depth)")
      }
      #expect(tree.maximumDistances == golden.maximumDistances)
      #expect(tree.isMonotonic == golden.isMonotonic)
    }
  }

  @Test("cophenetic distances equal SciPy's to the bit, their correlation but for rounding")
  func cophenetic() throws {
    try forEachCase { golden, tree in
      let values = try tree.copheneticDistances().values
      let bytes = values.flatMap { value in
        (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
      }
      #expect(checksum(bytes) == golden.cophenetic)
      let distances = try CondensedDistances(.euclidean, between: golden.recipe.embeddings)
      let correlation = try tree.copheneticCorrelation(with: distances)
      if let expected = golden.correlation {
        #expect(abs(try #require(correlation) - expected) < 1e-12)
      } else {
        #expect(correlation == nil)
      }
    }
  }

  @Test("leaves stand in SciPy's order, and in the best there is")
  func leafOrders() throws {
    try forEachCase { golden, tree in
      #expect(tree.leafOrder == golden.leaves)
      let distances = try CondensedDistances(.euclidean, between: golden.recipe.embeddings)
      let best = try tree.optimallyArranged(for: distances)
      let sum = try best.neighborDistanceSum(distances)
      #expect(
        abs(sum - golden.bestSum) <= golden.bestSum * 1e-12,
        "\(golden.method), \(golden.recipe.kind)")
      // SciPy misses the optimum on many inputs: https://github.com/scipy/scipy/issues/11227.
      #expect(sum <= golden.sciPySum * (1 + 1e-12))
      #expect(abs(try tree.neighborDistanceSum(distances) - golden.sum) <= golden.sum * 1e-12)
      #expect(best.arranged(.lowerFirst) == tree.arranged(.lowerFirst))
      let rounded = try CondensedDistances(
        count: distances.count, values: distances.values.map { Float($0) })
      let single = try tree.optimallyArranged(for: rounded).neighborDistanceSum(distances)
      #expect(single >= sum * (1 - 1e-12) && single <= sum * (1 + 1e-5))
    }
  }

  @Test("numbers by appearance are those of cut_tree, for every number of clusters")
  func appearance() throws {
    var compared = 0
    try forEachCase { golden, tree in
      guard let expected = golden.cutTree else { return }
      compared += 1
      // SciPy's first column is of as many clusters as things, the last of one.
      let columns = try (1...tree.leafCount).reversed().flatMap {
        try tree.labels(cut: .count($0), numbering: .appearance)
      }
      #expect(digest(columns) == expected, "\(golden.method), \(golden.recipe.kind)")
    }
    #expect(compared > 10)
  }

  @Test("brackets, groups and leaves stand where SciPy draws them")
  func layouts() throws {
    var drawn = 0
    try forEachCase { golden, tree in
      for case (let name, let expected?) in golden.layouts {
        let layout =
          switch name {
          case "drawn": try tree.layout()
          case "last": try tree.layout(lastClusters: expected.leaves.count)
          default:
            try tree.arranged(#require(DendrogramArrangement(rawValue: name))).layout()
          }
        let differences = expected.differences(from: layout)
        #expect(differences == [], "\(golden.method), \(golden.recipe.kind), \(name)")
        drawn += 1
      }
    }
    #expect(drawn > 60)
  }
}
