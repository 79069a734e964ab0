import Clustering
import LinearAlgebra
import TestSupport
import Testing

/// What holds for any tree, against definitions without any cleverness.
@Suite struct DendrogramPropertyTests {
  /// A tree of things merged at random, and random distances between them.
  static func random(
    _ count: Int, seed: UInt64, inversions: Bool = false
  ) throws -> (tree: Dendrogram, distances: CondensedDistances<Double>) {
    var generator = SeededGenerator(seed: seed)
    var open = Array(0..<count)
    var sizes = [Int](repeating: 1, count: count)
    var height = 0.0
    let merges = (0..<max(count - 1, 0)).map { index in
      let left = open.remove(at: .random(in: 0..<open.count, using: &generator))
      let right = open.remove(at: .random(in: 0..<open.count, using: &generator))
      // Small numbers, so that some tie.
      let step = Double(Int.random(in: 0...3, using: &generator))
      height = inversions ? step : height + step
      open.append(count + index)
      sizes.append(sizes[left] + sizes[right])
      return Dendrogram.Merge(left: left, right: right, distance: height, size: sizes.last ?? 0)
    }
    let distances = try CondensedDistances<Double>(
      count: count, values: (0..<count * max(count - 1, 0) / 2).map { _ in generator.unit() })
    return (
      try Dendrogram(leafCount: count, merges: merges, allowsInversions: inversions), distances
    )
  }

  /// The things under every node.
  static func members(_ tree: Dendrogram) -> [[Int]] {
    tree.merges.reduce(into: (0..<tree.leafCount).map { [$0] }) { members, merge in
      members.append(members[merge.left] + members[merge.right])
    }
  }

  @Test("the best order is the best of all the turns there are", arguments: 2...9)
  func bestOrders(count: Int) throws {
    for seed in 0..<UInt64(count < 8 ? 20 : 4) {
      let (tree, distances) = try Self.random(count, seed: seed)
      var least = Double.infinity
      for turns in 0..<1 << (count - 1) {
        let orders = tree.merges.enumerated().reduce(into: (0..<count).map { [$0] }) {
          orders, step in
          let (one, other) = (orders[step.element.left], orders[step.element.right])
          orders.append(turns >> step.offset & 1 == 0 ? one + other : other + one)
        }
        let order = orders[orders.count - 1]
        least = min(
          least, zip(order, order.dropFirst()).reduce(0) { $0 + distances[$1.0, $1.1] })
      }
      let best = try tree.optimallyArranged(for: distances)
      #expect(abs(try best.neighborDistanceSum(distances) - least) < 1e-12)
      #expect(best.merges.last == tree.merges.last)
      for (one, other) in zip(best.merges, tree.merges) {
        #expect(Set([one.left, one.right]) == Set([other.left, other.right]))
        #expect(one.distance == other.distance && one.size == other.size)
      }
    }
  }

  /// Both trees under one last merge; the things of the second are numbered after the first's.
  static func joined(_ first: Dendrogram, _ second: Dendrogram) throws -> Dendrogram {
    let count = first.leafCount + second.leafCount
    func moved(_ tree: Dendrogram, things: Int, merges: Int) -> [Dendrogram.Merge] {
      tree.merges.map { merge in
        var merge = merge
        for side in [\Dendrogram.Merge.left, \.right] {
          let node = merge[keyPath: side]
          merge[keyPath: side] =
            node < tree.leafCount ? node + things : node - tree.leafCount + count + merges
        }
        return merge
      }
    }
    let merges =
      moved(first, things: 0, merges: 0)
      + moved(second, things: first.leafCount, merges: first.merges.count)
    let last = Dendrogram.Merge(
      left: count + first.merges.count - 1, right: count + merges.count - 1, distance: 1e6,
      size: count)
    return try Dendrogram(leafCount: count, merges: merges + [last], allowsInversions: true)
  }

  @Test("many things: tiles, odd ends and remainders change nothing", arguments: [true, false])
  func largeOrders(isWideFirst: Bool) throws {
    // One part is wider than a tile, and deeper than one.
    let (wide, small) = (try Self.random(283, seed: 50).tree, try Self.random(38, seed: 51).tree)
    let tree = try isWideFirst ? Self.joined(wide, small) : Self.joined(small, wide)
    let distances = try Self.random(tree.leafCount, seed: 52).distances
    let best = try tree.optimallyArranged(for: distances)
    let sum = try best.neighborDistanceSum(distances)
    // The mirrored tree takes other sides through the same sums: it has to find the same least one.
    func turned(_ merge: Dendrogram.Merge) -> Dendrogram.Merge {
      .init(left: merge.right, right: merge.left, distance: merge.distance, size: merge.size)
    }
    let mirrored = try Dendrogram(
      leafCount: tree.leafCount, merges: tree.merges.map(turned), allowsInversions: true)
    let other = try mirrored.optimallyArranged(for: distances).neighborDistanceSum(distances)
    #expect(abs(other - sum) < 1e-9)
    // No single turn makes it better.
    let better = try tree.merges.indices.filter { index in
      var merges = best.merges
      merges[index] = turned(merges[index])
      let changed = try Dendrogram(
        leafCount: tree.leafCount, merges: merges, allowsInversions: true)
      return try changed.neighborDistanceSum(distances) < sum - 1e-9
    }
    #expect(better == [])
  }

  @Test("cophenetic distances are those of the first merge with both")
  func cophenetic() throws {
    for seed in 0..<40 as Range<UInt64> {
      let count = 2 + Int(seed) % 13
      let (tree, _) = try Self.random(count, seed: seed, inversions: seed % 2 == 1)
      let members = Self.members(tree)
      let distances = try tree.copheneticDistances()
      for one in 0..<count {
        for other in 0..<one {
          let merge = tree.merges.indices.first {
            members[count + $0].contains(one) && members[count + $0].contains(other)
          }
          #expect(distances[one, other] == tree.merges[try #require(merge)].distance)
        }
      }
    }
  }

  @Test("flat clusters are the largest parts whose merges all hold")
  func flatClusters() throws {
    for seed in 0..<60 as Range<UInt64> {
      let count = 1 + Int(seed) % 17
      let (tree, _) = try Self.random(count, seed: seed, inversions: seed % 2 == 1)
      let cophenetic = try tree.copheneticDistances()
      for threshold in [0, 1, 2, 3, 5, 8] as [Double] {
        let labels = try tree.labels(where: .distance(atMost: threshold))
        // In a tree without inversions: whether two things are together is a matter of their merge.
        if tree.isMonotonic {
          let isRight = (0..<count).allSatisfy { one in
            (0..<one).allSatisfy { other in
              (labels[one] == labels[other]) == (cophenetic[one, other] <= threshold)
            }
          }
          #expect(isRight)
        }
        let leaders = try tree.leaders(of: labels)
        #expect(leaders.count == Set(labels).count)
        let held = leaders.values.filter { $0 >= count }
        #expect(held.allSatisfy { tree.maximumDistances[$0 - count] <= threshold })
        #expect(
          try tree.labels(where: .values(tree.merges.map(\.distance), atMost: threshold)) == labels)
        #expect(try tree.labels(cut: .distance(threshold.nextUp)) == labels)
      }
      for most in 1...count + 2 {
        let labels = try tree.labels(where: .count(atMost: most))
        let found = Set(labels).count
        #expect(found <= most)
        // The next lower threshold would leave too many.
        let lower = tree.maximumDistances.filter { height in
          (try? tree.labels(where: .distance(atMost: height)).max() ?? -1) ?? 0 < most
        }
        if most < count {
          let least = try #require(lower.min())
          #expect(try tree.labels(where: .distance(atMost: least)) == labels)
        } else {
          #expect(found == count)
        }
      }
    }
  }

  @Test("trees of any number of things are trees, and fit their distances alone")
  func sizes() throws {
    // SciPy's tests of is_valid_linkage, num_obs_linkage and correspond at sizes 2 to 20.
    for count in 2...20 {
      let (_, distances) = try Self.random(count, seed: UInt64(count))
      let tree = try AgglomerativeClustering(linkage: .single, cut: .count(1))
        .fit(distances).dendrogram
      let matrix = tree.linkageMatrix
      #expect(try Dendrogram(linkageMatrix: matrix) == tree)
      #expect(tree.leafCount == count)
      for other in 2...20 where other != count {
        let (_, others) = try Self.random(other, seed: 1)
        #expect(throws: ClusteringError.self) { try tree.copheneticCorrelation(with: others) }
      }
      for (column, value) in [(0, -2.0), (1, -2), (2, -0.5), (3, -2)] {
        var bad = matrix
        bad[(count - 1) / 2, column] = value
        #expect(throws: ClusteringError.self) { try Dendrogram(linkageMatrix: bad) }
      }
    }
  }

  @Test("labels by another name part things alike, one thing elsewhere does not", arguments: 2...5)
  func isomorphisms(clusters: Int) {
    var generator = SeededGenerator(seed: UInt64(clusters))
    for _ in 0..<3 {
      let labels = (0..<1000).map { _ in Int.random(in: 0..<clusters, using: &generator) }
      let names = (0..<clusters).shuffled(using: &generator)
      var others = labels.map { names[$0] }
      #expect(ClusterSummary.areIsomorphic(labels, others))
      #expect(ClusterSummary.areIsomorphic(others, labels))
      for _ in 0..<5 { others[.random(in: 0..<1000, using: &generator)] += 1 }
      for index in others.indices { others[index] %= clusters }
      #expect(!ClusterSummary.areIsomorphic(labels, others))
      #expect(!ClusterSummary.areIsomorphic(others, labels))
      #expect(!ClusterSummary.areIsomorphic(labels, Array(labels.dropLast())))
    }
  }
}
