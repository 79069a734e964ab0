import Clustering
import LinearAlgebra
import TestSupport
import Testing

/// What holds for any input, against the definition computed without any cleverness.
@Suite struct ClusteringPropertyTests {
  static let recipes: [Recipe] = (0..<24).map { (index: Int) -> Recipe in
    Recipe(
      seed: UInt64(index) + 900, rows: 2 + index * 2, columns: 3 + index * 5 % 41,
      groups: 1 + index / 3, centerBits: 14, noiseBits: [12, 16, 9][index % 3], scaleBits: 0)
  }

  /// Merges the nearest two clusters, by the definition of the linkage on the members, until `cut`.
  static func oracle(
    _ distances: CondensedDistances<Double>, _ linkage: Linkage, threshold: Double
  ) -> [[Int]] {
    var clusters = (0..<distances.count).map { [$0] }
    // These depend on how a cluster came about: their distances by the clusters' members.
    var tree: [[[Int]]: Double] = [:]
    if linkage == .weighted || linkage == .ward {
      for one in 0..<distances.count {
        for other in 0..<distances.count { tree[[[one], [other]]] = distances[one, other] }
      }
    }
    while clusters.count > 1 {
      var best = (distance: Double.infinity, first: 0, second: 0)
      for first in clusters.indices {
        for second in clusters.indices where second > first {
          let between = clusters[first].flatMap { one in
            clusters[second].map { distances[one, $0] }
          }
          let distance =
            switch linkage {
            case .average: between.reduce(0, +) / Double(between.count)
            case .complete: between.max() ?? 0
            case .single: between.min() ?? 0
            case .weighted, .ward: tree[[clusters[first], clusters[second]]] ?? .infinity
            }
          if distance < best.distance { best = (distance, first, second) }
        }
      }
      guard best.distance < threshold else { break }
      let (a, b) = (clusters[best.first], clusters[best.second])
      clusters.remove(at: best.second)
      clusters[best.first] = a + b
      if !tree.isEmpty {
        for other in clusters where other != a + b {
          let (one, two) = (tree[[a, other]] ?? 0, tree[[b, other]] ?? 0)
          let (x, y, z) = (Double(a.count), Double(b.count), Double(other.count))
          let distance =
            linkage == .weighted
            ? (one + two) / 2
            : (((x + z) * one * one + (y + z) * two * two - z * best.distance * best.distance)
              / (x + y + z)).squareRoot()
          tree[[a + b, other]] = distance
          tree[[other, a + b]] = distance
        }
      }
    }
    return clusters.map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }

  /// Ward's linkage is of Euclidean distances alone.
  static func metric(for linkage: Linkage) -> DistanceMetric {
    linkage == .ward ? .euclidean : .cosine
  }

  static func groups(_ labels: [Int]) throws -> [[Int]] {
    try ClusterSummary(labels: labels).clusters.map(\.members).sorted { $0[0] < $1[0] }
  }

  @Test(arguments: Linkage.allCases)
  func groupsAreThoseOfTheDefinition(_ linkage: Linkage) throws {
    for recipe in Self.recipes.prefix(14) {
      let distances = try CondensedDistances(.cosine, between: recipe.embeddings)
      for threshold in [0.05, 0.2, 0.5, 0.8] {
        let clustering = AgglomerativeClustering(linkage: linkage, cut: .distance(threshold))
        let labels = try clustering.fit(distances).labels
        #expect(
          try Self.groups(labels) == Self.oracle(distances, linkage, threshold: threshold))
      }
    }
  }

  @Test(arguments: Linkage.allCases)
  func labelsCountFromZeroAndCutsAreNested(_ linkage: Linkage) throws {
    for recipe in Self.recipes {
      let distances = try CondensedDistances(.cosine, between: recipe.embeddings)
      let dendrogram = try AgglomerativeClustering(linkage: linkage, cut: .count(1))
        .fit(distances).dendrogram
      var coarser = try dendrogram.labels(cut: .count(1))
      for count in 1...recipe.rows {
        let labels = try dendrogram.labels(cut: .count(count))
        #expect(Set(labels) == Set(0..<count))
        // Things that are apart in a coarser cut are apart in a finer one.
        var parents: [Int: Int] = [:]
        for (label, coarse) in zip(labels, coarser) {
          #expect(parents.updateValue(coarse, forKey: label) ?? coarse == coarse)
        }
        coarser = labels
      }
    }
  }

  @Test(arguments: Linkage.allCases)
  func aThresholdAtAMergeUndoesIt(_ linkage: Linkage) throws {
    for recipe in Self.recipes {
      let clustering = AgglomerativeClustering(
        linkage: linkage, metric: Self.metric(for: linkage), cut: .count(1))
      let dendrogram = try clustering.fit(recipe.embeddings).dendrogram
      for (index, merge) in dendrogram.merges.enumerated() where merge.distance > 0 {
        let at = try dendrogram.clusterCount(cut: .distance(merge.distance))
        let above = try dendrogram.clusterCount(cut: .distance(merge.distance.nextUp))
        #expect(at >= recipe.rows - index)
        #expect(above <= recipe.rows - index - 1)
        #expect(Set(try dendrogram.labels(cut: .distance(merge.distance))).count == at)
      }
    }
  }

  @Test func theLengthOfARowPlaysNoPart() throws {
    for recipe in Self.recipes {
      let embeddings = try recipe.embeddings
      var generator = SeededGenerator(seed: recipe.seed)
      var scaled = embeddings
      for row in 0..<scaled.rowCount {
        let scale = Float(
          sign: .plus, exponent: .random(in: -40...40, using: &generator), significand: 1)
        for column in 0..<scaled.columnCount { scaled[row, column] *= scale }
      }
      #expect(
        try CondensedDistances(.cosine, between: scaled)
          == CondensedDistances(.cosine, between: embeddings))
    }
  }

  @Test func theOrderOfTheRowsDecidesNoMembership() throws {
    for recipe in Self.recipes {
      let embeddings = try recipe.embeddings
      var generator = SeededGenerator(seed: recipe.seed)
      let order = (0..<recipe.rows).shuffled(using: &generator)
      let clustering = AgglomerativeClustering(cut: .distance(0.3))
      let labels = try clustering.fit(embeddings).labels
      let shuffled = try clustering.fit(embeddings.rows(order)).labels
      var back = labels
      for (place, row) in order.enumerated() { back[row] = shuffled[place] }
      #expect(try Self.groups(back) == Self.groups(labels))
    }
  }

  @Test func distancesByProductsCrossBlocks() throws {
    // More rows than a block of products has, with a last block of one row and of one too few.
    for rows in [127, 128, 129, 130, 257] {
      let recipe = Recipe(
        seed: UInt64(rows), rows: rows, columns: 5, groups: 3, centerBits: 14, noiseBits: 14,
        scaleBits: 1)
      let embeddings = try recipe.embeddings
      let found = try CondensedDistances(cosineBetween: embeddings)
      let reference = try CondensedDistances(.cosine, between: embeddings)
      #expect(found.values.count == rows * (rows - 1) / 2)
      let worst = zip(found.values, reference.values).reduce(0) { worst, pair in
        max(worst, abs(Double(pair.0) - pair.1))
      }
      #expect(worst < 1e-6)
    }
  }

  @Test func singlePrecisionDistancesCluster() throws {
    let recipe = Self.recipes[20]
    let exact = try CondensedDistances(.cosine, between: recipe.embeddings)
    let rounded = try CondensedDistances(
      count: exact.count, values: exact.values.map { Float($0) })
    for linkage in Linkage.allCases {
      let clustering = AgglomerativeClustering(linkage: linkage, cut: .distance(0.3))
      #expect(try clustering.fit(rounded).labels == clustering.fit(exact).labels)
    }
  }
}
