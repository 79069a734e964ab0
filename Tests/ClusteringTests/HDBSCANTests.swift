import Clustering
import Foundation
import LinearAlgebra
import TestSupport
import Testing

@Suite struct HDBSCANTests {
  struct Case: Decodable {
    var recipe: Recipe
    /// A metric, or "precomputed" for given Euclidean distances.
    var metric: String
    var minClusterSize: Int
    var minSamples: Int?
    var selection: ClusterSelection?
    var allowsSingleCluster: Bool?
    /// -1 for noise.
    var labels: [Int]
    /// float32 in base64.
    var probabilities: String

    var clustering: HDBSCAN {
      HDBSCAN(
        minClusterSize: minClusterSize, minSamples: minSamples,
        selection: selection ?? .excessOfMass, allowsSingleCluster: allowsSingleCluster ?? false,
        metric: DistanceMetric(rawValue: metric) ?? .euclidean)
    }

    var expectedProbabilities: [Float] {
      let bytes = [UInt8](Data(base64Encoded: probabilities) ?? Data())
      return bytes.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count, by: 4).map {
          Float(
            bitPattern: UInt32(
              littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)))
        }
      }
    }
  }

  static func cases() throws -> [Case] {
    try Folders.golden("Clustering/hdbscan.json", as: [Case].self)
  }

  @Test("Labels and probabilities equal scikit-learn's, of rows and of distances")
  func goldens() throws {
    let cases = try Self.cases()
    #expect(cases.count > 100)
    for (index, golden) in cases.enumerated() {
      let rows = try golden.recipe.embeddings
      let clustering = golden.clustering
      let found: HDBSCANAssignment
      if golden.metric == "precomputed" {
        found = try clustering.fit(CondensedDistances(.euclidean, between: rows))
      } else {
        found = try clustering.fit(rows)
        if index % 4 == 0 {
          #expect(try clustering.fit(rows.converted(to: Double.self)) == found)
        }
        var frugal = clustering
        frugal.memoryLimit = 0
        if rows.rowCount < 100 { #expect(try frugal.fit(rows) == found) }
      }
      let name: Comment = "case \(index), \(golden.recipe.kind), \(golden.metric)"
      #expect(found.labels == golden.labels.map { $0 < 0 ? nil : $0 }, name)
      #expect(found.clusterCount == (golden.labels.max() ?? -1) + 1, name)
      let expected = golden.expectedProbabilities
      #expect(found.probabilities.count == expected.count)
      for (ours, theirs) in zip(found.probabilities, expected) {
        #expect(abs(ours - Double(theirs)) < 1e-6, name)
      }
    }
  }

  @Test("Scale, place and precision of the rows play no part")
  func invariance() throws {
    for golden in try Self.cases().filter({ $0.metric == "euclidean" }).prefix(10) {
      let rows = try golden.recipe.embeddings.converted(to: Double.self)
      let expected = try golden.clustering.fit(rows)
      for exponent in [-1000, 40, 990] {
        var scaled = rows
        for row in 0..<rows.rowCount {
          for column in 0..<rows.columnCount {
            scaled[row, column] = Double(
              sign: .plus, exponent: exponent, significand: rows[row, column])
          }
        }
        #expect(try golden.clustering.fit(scaled) == expected)
      }
      var moved = rows
      for row in 0..<rows.rowCount {
        for column in 0..<rows.columnCount { moved[row, column] += 0x1p30 }
      }
      #expect(try golden.clustering.fit(moved) == expected)
    }
  }

  @Test("A straggler far from two crowds is noise, and one nearer to one of them is weakly in it")
  func crowds() throws {
    var places: [Float] = [0, 1, 2, 3, 500, 100, 101, 102, 103]
    let clustering = HDBSCAN(minClusterSize: 3, minSamples: 2, metric: .euclidean)
    let found = try clustering.fit(Matrix(rows: places.map { [$0] }))
    #expect(found.labels == [0, 0, 0, 0, nil, 1, 1, 1, 1])
    #expect(found.probabilities == [1, 1, 1, 1, 0, 1, 1, 1, 1])
    places[4] = 43
    let nearer = try clustering.fit(Matrix(rows: places.map { [$0] }))
    #expect(nearer.labels == [0, 0, 0, 0, 0, 1, 1, 1, 1])
    #expect(nearer.probabilities == [1, 1, 1, 1, 0.025, 1, 1, 1, 1])
    var single = clustering
    single.minClusterSize = 5
    #expect(try single.fit(Matrix(rows: places.map { [$0] })).clusterCount == 0)
    single.allowsSingleCluster = true
    #expect(try single.fit(Matrix(rows: places.map { [$0] })).clusterCount == 1)
  }

  @Test("Equal things, one thing and none", arguments: DistanceMetric.allCases)
  func degenerate(_ metric: DistanceMetric) throws {
    for selection in ClusterSelection.allCases {
      for columns in [1, 3, 40] {
        let same = try Matrix<Float>(repeating: 0.1, rowCount: 60, columnCount: columns)
        let found = try HDBSCAN(selection: selection, metric: metric).fit(same)
        // As in scikit-learn: they never split into two clusters.
        let zeros = try CondensedDistances<Float>(
          count: 60, values: [Float](repeating: 0, count: 60 * 59 / 2))
        #expect(try found == HDBSCAN(selection: selection).fit(zeros))
        #expect(found.labels.count == 60)
      }
      let none = try Matrix<Double>(rowCount: 0, columnCount: 3, elements: [])
      #expect(try HDBSCAN(selection: selection, metric: metric).fit(none).labels == [])
      let one = try HDBSCAN(minSamples: 1, selection: selection, metric: metric).fit(
        Matrix<Float>(rows: [[1, 2]]))
      #expect(one.labels == [nil] && one.probabilities == [0] && one.clusterCount == 0)
      let two = try HDBSCAN(minClusterSize: 2, selection: selection, metric: metric).fit(
        Matrix<Float>(rows: [[1, 2], [3, 1]]))
      #expect(two.labels == [nil, nil])
    }
    let rows = try Matrix<Float>(rowCount: 6, columnCount: 0, elements: [])
    #expect(try HDBSCAN(metric: .euclidean).fit(rows).labels.count == 6)
  }

  @Test("Bad settings and bad rows are named")
  func hostile() throws {
    let rows = try Matrix<Float>(rows: [[1, 2], [3, 4], [5, 6]])
    for size in [1, 0, -1, .min] {
      #expect(throws: ClusteringError.invalidMinClusterSize(size)) {
        try HDBSCAN(minClusterSize: size).fit(rows)
      }
    }
    for least in [0, -1, .min] {
      #expect(throws: ClusteringError.invalidMinSamples(least)) {
        try HDBSCAN(minSamples: least).fit(rows)
      }
    }
    #expect(throws: ClusteringError.tooFew(things: 3, needed: 5)) { try HDBSCAN().fit(rows) }
    #expect(throws: ClusteringError.tooFew(things: 3, needed: .max)) {
      try HDBSCAN(minClusterSize: .max).fit(rows)
    }
    #expect(try HDBSCAN(minClusterSize: .max, minSamples: 2).fit(rows).clusterCount == 0)
    for bad in [Float.nan, .infinity, -.infinity] {
      for metric in DistanceMetric.allCases {
        #expect(throws: ClusteringError.nonFiniteRow(index: 1)) {
          try HDBSCAN(minClusterSize: 2, metric: metric).fit(
            Matrix<Float>(rows: [[1, 2], [1, bad]]))
        }
      }
    }
    #expect(throws: ClusteringError.zeroRow(index: 1)) {
      try HDBSCAN(minClusterSize: 2).fit(Matrix<Float>(rows: [[1, 2], [0, 0]]))
    }
  }

  @Test("Settings survive JSON")
  func settings() throws {
    let clustering = HDBSCAN(minClusterSize: 7, minSamples: 3, selection: .leaves)
    let data = try JSONEncoder().encode(clustering)
    #expect(try JSONDecoder().decode(HDBSCAN.self, from: data) == clustering)
  }
}
