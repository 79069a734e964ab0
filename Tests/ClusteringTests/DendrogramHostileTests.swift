import Clustering
import LinearAlgebra
import TestSupport
import Testing

/// Trees and arguments that nobody would wish for.
@Suite struct DendrogramHostileTests {
  typealias Merge = Dendrogram.Merge

  /// Two pairs; the second is nearer than the first, and their union nearer than it.
  static let inverted = [
    Merge(left: 0, right: 1, distance: 3, size: 2),
    Merge(left: 2, right: 3, distance: 1, size: 2),
    Merge(left: 4, right: 5, distance: 2, size: 4),
  ]

  static func chain(_ count: Int, isLeftmost: Bool = true) throws -> Dendrogram {
    let merges = (0..<count - 1).map { index in
      let cluster = index == 0 ? 0 : count + index - 1
      return Merge(
        left: isLeftmost ? cluster : index + 1, right: isLeftmost ? index + 1 : cluster,
        distance: Double(index), size: index + 2)
    }
    return try Dendrogram(leafCount: count, merges: merges)
  }

  @Test("a chain of 100,000 things needs no deep stack", arguments: [true, false])
  func deepChains(isLeftmost: Bool) throws {
    let count = 100_000
    let tree = try Self.chain(count, isLeftmost: isLeftmost)
    let order = isLeftmost ? Array(0..<count) : (0..<count).reversed()
    #expect(tree.leafOrder == order)
    #expect(tree.maximumDistances.last == Double(count - 2))
    #expect(tree.arranged(.largerFirst).leafOrder.suffix(count - 2) == Array(2..<count)[...])
    let inconsistency = try tree.inconsistency(depth: 3)
    #expect(inconsistency[count - 2].mean == Double(count - 3))
    #expect(inconsistency[count - 2].count == 3)
    for numbering in ClusterNumbering.allCases {
      let labels = try tree.labels(where: .distance(atMost: 9), numbering: numbering)
      #expect(Set(labels).count == count - 10)
      #expect(Set(labels[...10]).count == 1)
      let first = numbering == .sciPy ? 1 : 0
      #expect(labels.min() == first)
      let few = try tree.labels(where: .count(atMost: 3), numbering: numbering)
      #expect(Set(few).count == 3)
      #expect(Set(few[..<(count - 2)]).count == 1)
      #expect(try tree.labels(cut: .count(count), numbering: numbering).count == count)
    }
    let leaders = try tree.leaders(of: tree.labels(cut: .count(2)))
    #expect(Set(leaders.values) == [2 * count - 3, count - 1])
    let layout = try tree.layout(groupsBelow: 50)
    #expect(layout.leaves == order)
    #expect(layout.width == Double(count) * 10 && layout.height == Double(count - 2))
    #expect(layout.brackets.count { $0.group == 0 } == 50)
    #expect(layout.brackets.allSatisfy { $0.left < $0.right })
    #expect(try tree.layout(lastClusters: 2).brackets.count == 1)
  }

  @Test("cophenetic distances and the best order of a chain of 1,500 things")
  func orderedChain() throws {
    let count = 1500
    let tree = try Self.chain(count)
    let cophenetic = try tree.copheneticDistances()
    #expect(cophenetic[0, 1] == 0 && cophenetic[3, 700] == 699)
    // Things on a line in their order: no order is better than that.
    let line = try CondensedDistances<Double>(
      count: count,
      values: (0..<count).flatMap { one in
        (one + 1..<max(count, one + 1)).map { Double($0 - one) }
      })
    let best = try tree.arranged(.largerFirst).optimallyArranged(for: line)
    #expect(try best.neighborDistanceSum(line) == Double(count - 1))
  }

  @Test("inversions are refused, or allowed where asked for, and cut by what is below")
  func inversions() throws {
    #expect(
      throws: ClusteringError.invalidMerge(
        index: 1, reason: "has a distance that is not finite or below the one before")
    ) { try Dendrogram(leafCount: 4, merges: Self.inverted) }
    let tree = try Dendrogram(leafCount: 4, merges: Self.inverted, allowsInversions: true)
    #expect(!tree.isMonotonic)
    #expect(tree.maximumDistances == [3, 1, 3])
    // The first pair is at 3: at 2.5 it does not hold, so that neither does what is above it.
    #expect(try tree.clusterCount(cut: .distance(2.5)) == 3)
    let labels = try tree.labels(cut: .distance(2.5))
    #expect(Set(labels) == [0, 1, 2])
    #expect(labels[2] == labels[3])
    #expect(try tree.labels(where: .distance(atMost: 2.5), numbering: .sciPy) == [1, 2, 3, 3])
    #expect(try tree.labels(where: .distance(atMost: 3), numbering: .sciPy) == [1, 1, 1, 1])
    // SciPy, which takes the merges to be sorted, finds one cluster here.
    let three = try tree.labels(where: .count(atMost: 3))
    #expect(ClusterSummary.areIsomorphic(three, [0, 1, 2, 2]))
    #expect(try tree.copheneticDistances().values == [3, 2, 2, 2, 2, 1])
    #expect(try tree.layout().brackets.map(\.leftBase) == [0, 0, 3])

    var merges = Self.inverted
    for bad in [-1, Double.nan, .infinity] {
      merges[1].distance = bad
      #expect(
        throws: ClusteringError.invalidMerge(
          index: 1, reason: "has a distance that is not finite or below 0")
      ) { try Dendrogram(leafCount: 4, merges: merges, allowsInversions: true) }
    }
  }

  @Test("a merge before that of its part is refused, inversions or not")
  func mergesOutOfOrder() {
    var merges = Self.inverted
    merges[0].left = 5
    #expect(throws: ClusteringError.self) {
      try Dendrogram(leafCount: 4, merges: merges, allowsInversions: true)
    }
  }

  @Test("arguments out of range are errors that name them")
  func badArguments() throws {
    let tree = try Self.chain(4)
    for depth in [0, -1, Int.min] {
      #expect(throws: ClusteringError.invalidDepth(depth)) { try tree.inconsistency(depth: depth) }
      #expect(throws: ClusteringError.invalidDepth(depth)) {
        try tree.labels(where: .inconsistency(atMost: 1, depth: depth))
      }
    }
    #expect(try tree.inconsistency(depth: .max).count == 3)
    #expect(throws: ClusteringError.invalidThreshold(-1)) {
      try tree.labels(where: .distance(atMost: -1))
    }
    #expect {
      try tree.labels(where: .distance(atMost: .nan))
    } throws: { error in
      if case ClusteringError.invalidThreshold(let value) = error { value.isNaN } else { false }
    }
    for criterion in [
      MergeCriterion.inconsistency(atMost: .nan, depth: 2), .values([0, 0, 0], atMost: .nan),
    ] {
      #expect(throws: ClusteringError.invalidMergeThreshold) {
        try tree.labels(where: criterion)
      }
    }
    for count in [0, -1, Int.min] {
      let error = ClusteringError.invalidClusterCount(found: count, things: 4)
      #expect(throws: error) { try tree.labels(where: .count(atMost: count)) }
      #expect(throws: error) { try tree.labels(where: .valueCount([0, 1, 2], atMost: count)) }
    }
    #expect(try tree.labels(where: .count(atMost: .max), numbering: .sciPy) == [1, 2, 3, 4])
    for values in [[], [1], [1, 2, 3, 4]] as [[Double]] {
      let error = ClusteringError.mergeValueCount(merges: 3, found: values.count)
      #expect(throws: error) { try tree.maximaBelow(values) }
      #expect(throws: error) { try tree.labels(where: .values(values, atMost: 1)) }
      #expect(throws: error) { try tree.labels(where: .valueCount(values, atMost: 2)) }
    }
    #expect(throws: ClusteringError.invalidMergeValue(index: 1)) {
      try tree.maximaBelow([0, .nan, 1])
    }
    #expect(try tree.maximaBelow([.infinity, -.infinity, 1]) == [.infinity, .infinity, .infinity])
    for threshold in [-1, -Double.infinity] {
      #expect(throws: ClusteringError.invalidThreshold(threshold)) {
        try tree.layout(groupsBelow: threshold)
      }
    }
    for count in [Int.min, -1, 0, 1, 5, .max] {
      #expect(throws: ClusteringError.invalidLayout(clusters: count, things: 4)) {
        try tree.layout(lastClusters: count)
      }
    }
    let distances = try CondensedDistances<Float>(count: 3, values: [1, 2, 3])
    let error = ClusteringError.distanceCount(things: 4, expected: 6, found: 3)
    #expect(throws: error) { try tree.copheneticCorrelation(with: distances) }
    #expect(throws: error) { try tree.optimallyArranged(for: distances) }
    #expect(throws: error) { try tree.neighborDistanceSum(distances) }
  }

  @Test("labels that are no cut of the tree have no leaders")
  func brokenClusters() throws {
    let tree = try Self.chain(4)
    #expect(try tree.leaders(of: [7, 7, 7, -2]) == [7: 5, -2: 3])
    #expect(try tree.leaders(of: [0, 0, 0, 0]) == [0: 6])
    #expect(throws: ClusteringError.labelCount(labels: 3, rows: 4)) {
      try tree.leaders(of: [0, 0, 0])
    }
    #expect(throws: ClusteringError.brokenCluster(label: 0)) { try tree.leaders(of: [0, 1, 0, 1]) }
    #expect(throws: ClusteringError.brokenCluster(label: 1)) { try tree.leaders(of: [4, 1, 1, 4]) }
  }

  @Test("matrices that are no tree are refused, row by row")
  func badMatrices() throws {
    let good: [[Double]] = [[0, 1, 1, 2], [2, 3, 1, 2], [4, 5, 2, 4]]
    #expect(try Dendrogram(linkageMatrix: Matrix(rows: good)).leafCount == 4)
    for (row, column, value) in [
      (0, 0, -1), (0, 1, 4), (1, 1, 2.5), (2, 0, 6), (1, 0, 0), (2, 3, 3), (1, 3, -2),
      (0, 2, -0.5), (1, 2, 0.5), (2, 2, .nan), (2, 2, .infinity), (1, 0, .nan), (2, 1, 1e300),
      (0, 3, .infinity),
    ] {
      var rows = good
      rows[row][column] = value
      let matrix = try Matrix<Double>(rows: rows)
      #expect {
        try Dendrogram(linkageMatrix: matrix)
      } throws: { error in
        if case ClusteringError.invalidMerge(row, _) = error { true } else { false }
      }
    }
    let narrow = try Matrix<Double>(rowCount: 0, columnCount: 3, elements: [])
    #expect(throws: ClusteringError.self) { try Dendrogram(linkageMatrix: narrow) }
  }

  @Test("trees of nothing, of one thing and of two", arguments: 0...2)
  func smallTrees(count: Int) throws {
    let merges = count == 2 ? [Merge(left: 0, right: 1, distance: 0, size: 2)] : []
    let tree = try Dendrogram(leafCount: count, merges: merges)
    #expect(tree.leafOrder == Array(0..<count))
    #expect(tree.isMonotonic)
    #expect(tree.maximumDistances == merges.map(\.distance))
    #expect(try tree.inconsistency().map(\.coefficient) == merges.map { _ in 0 })
    let distances = try CondensedDistances<Double>(
      count: count, values: merges.map { _ in 1.0 })
    #expect(try tree.copheneticDistances().values == merges.map { _ in 0 })
    #expect(try tree.copheneticCorrelation(with: distances) == nil)
    #expect(try tree.optimallyArranged(for: distances) == tree)
    #expect(try tree.neighborDistanceSum(distances) == Double(merges.count))
    for numbering in ClusterNumbering.allCases {
      let first = numbering == .sciPy ? 1 : 0
      #expect(
        try tree.labels(where: .distance(atMost: 0), numbering: numbering)
          == [Int](repeating: first, count: count))
      #expect(try tree.labels(where: .count(atMost: 9), numbering: numbering).count == count)
    }
    for arrangement in DendrogramArrangement.allCases {
      #expect(tree.arranged(arrangement).leafOrder.sorted() == Array(0..<count))
    }
    #expect(try tree.leaders(of: [Int](repeating: 3, count: count)).count == min(count, 1))
    let layout = try tree.layout()
    #expect(layout.leaves.count == count && layout.brackets.count == merges.count)
    #expect(layout.leafGroups == [Int?](repeating: nil, count: count))
    if count > 0 {
      #expect(try Dendrogram(linkageMatrix: tree.linkageMatrix) == tree)
    }
  }

  @Test("no correlation of distances that are all equal, and one of 1 with the tree's own")
  func correlations() throws {
    let tree = try Self.chain(5)
    let equal = try CondensedDistances<Double>(count: 5, values: .init(repeating: 0.1, count: 10))
    #expect(try tree.copheneticCorrelation(with: equal) == nil)
    let own = try tree.copheneticDistances()
    #expect(abs(try #require(try tree.copheneticCorrelation(with: own)) - 1) < 1e-12)
    // The unit plays no part, even where squares or sums are too large or too small for numbers.
    let plain = try CondensedDistances(count: 5, values: (0..<10).map { Double($0) })
    let expected = try tree.copheneticCorrelation(with: plain)
    for unit in [0x1p1020, 0x1p-1074, 0x1p-600] {
      let scaled = try CondensedDistances(count: 5, values: plain.values.map { $0 * unit })
      #expect(try tree.copheneticCorrelation(with: scaled) == expected)
    }
  }
}
