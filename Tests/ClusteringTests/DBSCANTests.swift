import Clustering
import Foundation
import LinearAlgebra
import TestSupport
import Testing

@Suite struct DBSCANTests {
  struct Case: Decodable {
    var recipe: Recipe
    var metric: DistanceMetric
    var eps: Double
    var minSamples: Int
    /// -1 for noise.
    var labels: [Int]
    var coreSamples: [Int]

    var clustering: DBSCAN { DBSCAN(eps: eps, minSamples: minSamples, metric: metric) }
    var expected: [Int?] { labels.map { $0 < 0 ? nil : $0 } }
  }

  @Test("Labels and core samples equal scikit-learn's: of rows in both precisions and of distances")
  func goldens() throws {
    let cases = try Folders.golden("Clustering/dbscan.json", as: [Case].self)
    #expect(cases.count > 100)
    for (index, golden) in cases.enumerated() {
      let rows = try golden.recipe.embeddings
      let distances = try CondensedDistances(golden.metric, between: rows)
      let positive = try CondensedDistances(
        count: distances.count, values: distances.values.map { max($0, 0) })
      for found in [
        try golden.clustering.fit(rows), try golden.clustering.fit(rows.converted(to: Double.self)),
        try golden.clustering.fit(positive),
      ] {
        let name: Comment = "case \(index), \(golden.recipe.kind), \(golden.metric)"
        #expect(found.labels == golden.expected, name)
        #expect(found.coreSamples == golden.coreSamples, name)
        #expect(found.clusterCount == (golden.labels.max() ?? -1) + 1, name)
      }
    }
  }

  /// The definition, without any cleverness.
  static func oracle(
    _ distances: CondensedDistances<Double>, eps: Double, minSamples: Int
  ) -> [Int?] {
    let things = 0..<distances.count
    let near = things.map { thing in things.filter { distances[thing, $0] <= eps } }
    var labels = [Int?](repeating: nil, count: distances.count)
    var next = 0
    for thing in things where near[thing].count >= minSamples && labels[thing] == nil {
      var pending = [thing]
      while let thing = pending.popLast() {
        guard labels[thing] == nil else { continue }
        labels[thing] = next
        if near[thing].count >= minSamples { pending += near[thing] }
      }
      next += 1
    }
    return labels
  }

  @Test("Labels are those of the definition, on rows far from the origin and at any scale")
  func definition() throws {
    var generator = SeededGenerator(seed: 71)
    for round in 0..<40 {
      let (count, width) = (80 + round, 1 + round % 20)
      let offset = Double(sign: .plus, exponent: round % 30, significand: 1)
      let scale = Double(
        sign: .plus, exponent: [0, 400, -400, 900, -900][round % 5], significand: 1)
      let values = (0..<count * width).map { _ in
        (offset + Double.random(in: -1...1, using: &generator)) * scale
      }
      let rows = try Matrix(rowCount: count, columnCount: width, elements: values)
      let unscaled = try Matrix(
        rowCount: count, columnCount: width, elements: values.map { $0 / scale })
      let distances = try CondensedDistances(.euclidean, between: unscaled)
      let sorted = distances.values.sorted()
      for share in [0.01, 0.1, 0.5] {
        let place = Int(share * Double(sorted.count))
        let eps = (sorted[place] + sorted[place + 1]) / 2
        let found = try DBSCAN(eps: eps * scale, minSamples: 4, metric: .euclidean).fit(rows)
        #expect(
          found.labels == Self.oracle(distances, eps: eps, minSamples: 4),
          "round \(round), \(share)")
      }
    }
  }

  @Test("Things exactly as far apart as eps are neighbours")
  func ties() throws {
    let rows = try Matrix<Float>(rows: [[0, 0], [3, 4], [6, 8], [100, 0], [103, 4]])
    #expect(
      try DBSCAN(eps: 5, minSamples: 2, metric: .euclidean).fit(rows).labels == [0, 0, 0, 1, 1])
    #expect(
      try DBSCAN(eps: 5.0.nextDown, minSamples: 2, metric: .euclidean).fit(rows).labels
        == [nil, nil, nil, nil, nil])
    let found = try DBSCAN(eps: 5, minSamples: 3, metric: .euclidean).fit(rows)
    #expect(found.labels == [0, 0, 0, nil, nil])
    #expect(found.coreSamples == [1])
  }

  @Test("A thing at the edge of two clusters gets the lower label")
  func edges() throws {
    let rows = try Matrix<Float>(rows: [-4, -3, -3, -2, 0, 2, 3, 3, 4].map { [$0] })
    let found = try DBSCAN(eps: 2, minSamples: 4, metric: .euclidean).fit(rows)
    #expect(found.labels == [0, 0, 0, 0, 0, 1, 1, 1, 1])
    #expect(found.coreSamples == [0, 1, 2, 3, 5, 6, 7, 8])
    let backward = try DBSCAN(eps: 2, minSamples: 4, metric: .euclidean).fit(
      rows.rows((0..<9).reversed()))
    #expect(backward.labels == [0, 0, 0, 0, 0, 1, 1, 1, 1])
  }

  @Test("Equal things, one thing and none", arguments: DistanceMetric.allCases)
  func degenerate(_ metric: DistanceMetric) throws {
    let clustering = DBSCAN(eps: 1e-3, minSamples: 5, metric: metric)
    for columns in [1, 3, 40] {
      for count in [5, 200] {
        let same = try Matrix<Float>(repeating: 0.1, rowCount: count, columnCount: columns)
        let found = try clustering.fit(same)
        #expect(found.labels == [Int?](repeating: 0, count: count))
        #expect(found.coreSamples == Array(0..<count))
      }
      let four = try clustering.fit(
        Matrix<Float>(repeating: 7, rowCount: 4, columnCount: columns))
      #expect(four.labels == [nil, nil, nil, nil])
      #expect(four.clusterCount == 0)
      #expect(
        try clustering.fit(Matrix<Float>(repeating: 7, rowCount: 1, columnCount: columns)).labels
          == [nil])
      #expect(
        try clustering.fit(Matrix<Double>(rowCount: 0, columnCount: columns, elements: [])).labels
          == [])
    }
    let alone = DBSCAN(eps: 1, minSamples: 1, metric: metric)
    #expect(try alone.fit(Matrix<Float>(rows: [[7, 1]])).labels == [0])
  }

  @Test("Rows without columns are equal by Euclidean distance and have no direction")
  func noColumns() throws {
    let rows = try Matrix<Float>(rowCount: 6, columnCount: 0, elements: [])
    #expect(try DBSCAN(eps: 1, metric: .euclidean).fit(rows).clusterCount == 1)
    #expect(throws: ClusteringError.zeroRow(index: 0)) { try DBSCAN(eps: 1).fit(rows) }
  }

  @Test("Bad settings and bad rows are named")
  func hostile() throws {
    let rows = try Matrix<Float>(rows: [[1, 2], [3, 4]])
    for eps in [0, -1, -Double.infinity, .infinity] {
      #expect(throws: ClusteringError.invalidEps(eps)) { try DBSCAN(eps: eps).fit(rows) }
    }
    #expect(throws: ClusteringError.self) { try DBSCAN(eps: .nan).fit(rows) }
    for least in [0, -1, .min] {
      #expect(throws: ClusteringError.invalidMinSamples(least)) {
        try DBSCAN(eps: 1, minSamples: least).fit(rows)
      }
    }
    for bad in [Float.nan, .infinity, -.infinity] {
      for metric in DistanceMetric.allCases {
        #expect(throws: ClusteringError.nonFiniteRow(index: 1)) {
          try DBSCAN(eps: 1, metric: metric).fit(Matrix<Float>(rows: [[1, 2], [1, bad]]))
        }
      }
    }
    #expect(throws: ClusteringError.zeroRow(index: 1)) {
      try DBSCAN(eps: 1).fit(Matrix<Float>(rows: [[1, 2], [0, 0]]))
    }
    #expect(try DBSCAN(eps: 1, minSamples: .max).fit(rows).labels == [nil, nil])
  }

  @Test("The greatest and the smallest numbers are compared without overflow")
  func extremes() throws {
    let most = Double.greatestFiniteMagnitude
    let least = Double.leastNonzeroMagnitude
    for width in [1, 30] {
      let rows = try Matrix<Double>(
        rows: [most, most, -most, -most, 0, least].map { [Double](repeating: $0, count: width) })
      let found = try DBSCAN(eps: 1, minSamples: 2, metric: .euclidean).fit(rows)
      #expect(found.labels == [0, 0, 1, 1, 2, 2])
      let all = try DBSCAN(eps: most, minSamples: 2, metric: .euclidean).fit(rows.rows([4, 5]))
      #expect(all.labels == [0, 0])
    }
    // Near the mean of rows far apart, differences are below what single precision holds.
    var values = [[1.0, 0], [-1, 0]]
    for index in 0..<6 { values.append([1e-42 * Double(index / 3), 0]) }
    let tiny = try DBSCAN(eps: 1e-43, minSamples: 2, metric: .euclidean).fit(
      Matrix(rows: values.map { $0 + [Double](repeating: 0, count: 20) }))
    #expect(tiny.labels == [nil, nil, 0, 0, 0, 1, 1, 1])
  }

  @Test("Settings survive JSON")
  func settings() throws {
    let clustering = DBSCAN(eps: 0.25, minSamples: 7, metric: .euclidean)
    let data = try JSONEncoder().encode(clustering)
    #expect(try JSONDecoder().decode(DBSCAN.self, from: data) == clustering)
  }
}
