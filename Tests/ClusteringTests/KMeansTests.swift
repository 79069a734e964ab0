import Clustering
import Foundation
import LinearAlgebra
import TestSupport
import Testing

@Suite struct KMeansTests {
  struct Case: Decodable {
    var recipe: Recipe
    var clusters: Int
    var seed: UInt32?
    var runs: Int?
    var starts: [Int]?
    var limit: Int?
    var labels: [Int]
    var inertia: Double
    var iterations: Int
    var centers: [[Double]]?
    var predicted: [Int]

    func fit(_ rows: Matrix<Double>) throws -> KMeansClusters {
      let clustering = KMeans(
        clusterCount: clusters, runs: runs ?? 1, seed: seed ?? 0, iterationLimit: limit ?? 300)
      guard let starts else { return try clustering.fit(rows) }
      return try clustering.fit(rows, from: rows.rows(starts))
    }
  }

  static func cases() throws -> [Case] {
    try Folders.golden("Clustering/kmeans.json", as: [Case].self)
  }

  @Test("Labels, centers, inertia, iterations and predictions equal scikit-learn's")
  func goldens() throws {
    let cases = try Self.cases()
    #expect(cases.count > 60)
    for (index, golden) in cases.enumerated() {
      let name: Comment = "case \(index), \(golden.recipe.kind), \(golden.starts == nil)"
      let rows = try golden.recipe.embeddings.converted(to: Double.self)
      let found = try golden.fit(rows)
      #expect(found.labels == golden.labels, name)
      #expect(found.iterations == golden.iterations, name)
      #expect(found.clusterCount == golden.clusters, name)
      let square = rows.elements.reduce(1) { $0 + $1 * $1 }
      #expect(abs(found.inertia - golden.inertia) <= 1e-12 * square, name)
      if let centers = golden.centers {
        let largest = rows.norm
        for (ours, theirs) in zip(found.centers.elements, centers.joined()) {
          #expect(abs(ours - theirs) <= 1e-12 * largest, name)
        }
      }
      var others = rows
      for row in 0..<rows.rowCount {
        for column in 0..<rows.columnCount {
          others[row, column] =
            (rows[row, column] + rows[(row + 1) % rows.rowCount, column] + rows[0, column]) / 4
        }
      }
      // Rounding decides between copies of a center.
      if golden.recipe.noiseBits > 2 {
        #expect(try found.predict(others) == golden.predicted, name)
      }
    }
  }

  @Test("Rows in single precision have the result of the same rows in double precision")
  func precisions() throws {
    for golden in try Self.cases() where golden.starts == nil {
      let rows = try golden.recipe.embeddings
      let clustering = KMeans(clusterCount: golden.clusters, seed: golden.seed ?? 0)
      let double = rows.converted(to: Double.self)
      #expect(try clustering.fit(rows) == clustering.fit(double))
      let start = double.rows(0..<golden.clusters)
      let found = try clustering.fit(rows, from: start)
      #expect(try found == clustering.fit(double, from: start))
      #expect(try found.predict(rows) == found.predict(double))
    }
  }

  @Test("At the end every row is at its nearest center, and every center at its rows' mean")
  func fixedPoint() throws {
    var generator = SeededGenerator(seed: 5)
    for round in 0..<30 {
      let (count, width, clusters) = (50 + 9 * round, 1 + round * 7 % 40, 1 + round % 23)
      // Far from the origin, where products in single precision say nothing by themselves.
      let rows = try Matrix(
        rowCount: count, columnCount: width,
        elements: (0..<count * width).map { _ in 1e6 + Double.random(in: -1...1, using: &generator)
        })
      let found = try KMeans(clusterCount: clusters, runs: 2, seed: 9, tolerance: 0).fit(rows)
      #expect(try found.predict(rows) == found.labels)
      var inertia = 0.0
      for (row, label) in found.labels.enumerated() {
        let squares = (0..<clusters).map { center in
          zip(rows[row: row], found.centers[row: center]).reduce(0) {
            $0 + ($1.0 - $1.1) * ($1.0 - $1.1)
          }
        }
        #expect(squares[label] <= (squares.min() ?? 0) + 1e-9, "round \(round), row \(row)")
        inertia += squares[label]
      }
      #expect(abs(inertia - found.inertia) < 1e-8 * inertia + 1e-8)
      for center in 0..<clusters {
        let members = found.labels.indices.filter { found.labels[$0] == center }
        for column in 0..<width where !members.isEmpty {
          let mean = members.reduce(0) { $0 + rows[$1, column] } / Double(members.count)
          #expect(abs(mean - found.centers[center, column]) < 1e-8)
        }
      }
    }
  }

  @Test("More runs never have more inertia, and a seed has one result")
  func runs() throws {
    let recipe = Recipe(
      seed: 3, rows: 300, columns: 8, groups: 20, centerBits: 14, noiseBits: 12, scaleBits: 0)
    let rows = try recipe.embeddings
    let one = try KMeans(clusterCount: 20, seed: 4).fit(rows)
    let ten = try KMeans(clusterCount: 20, runs: 10, seed: 4).fit(rows)
    #expect(ten.inertia <= one.inertia)
    #expect(try KMeans(clusterCount: 20, seed: 4).fit(rows) == one)
    #expect(try KMeans(clusterCount: 20, seed: 5).fit(rows) != one)
  }

  @Test("Centers far from all rows, copies of a row and rows without columns")
  func degenerate() throws {
    let rows = try Matrix<Double>(rows: [[0, 0], [1e-9, 0], [0, 1e-9], [5, 5]])
    let far = try Matrix<Double>(rows: [[1e100, 0], [0, 1], [-1e100, 1]])
    let found = try KMeans(clusterCount: 3).fit(rows, from: far)
    #expect(Set(found.labels).count == 3)
    #expect(found.centers.elements.allSatisfy { abs($0) <= 5 })
    let same = try Matrix<Float>(repeating: 0.1, rowCount: 30, columnCount: 3)
    let one = try KMeans(clusterCount: 4, runs: 3).fit(same)
    #expect(one.labels == [Int](repeating: 0, count: 30))
    #expect(one.inertia < 1e-30)
    let empty = try Matrix<Float>(rowCount: 3, columnCount: 0, elements: [])
    #expect(try KMeans(clusterCount: 2).fit(empty).labels == [0, 0, 0])
    let alone = try KMeans(clusterCount: 1).fit(Matrix<Float>(rows: [[3, 4]]))
    #expect(alone.labels == [0] && alone.inertia == 0 && alone.centers.elements == [3, 4])
    #expect(try alone.predict(Matrix<Float>(rowCount: 0, columnCount: 2, elements: [])) == [])
    let lone = try Matrix<Float>(rows: [[1], [2], [3]])
    #expect(try Set(KMeans(clusterCount: 3).fit(lone).labels) == [0, 1, 2])
  }

  @Test("Bad settings, rows and centers are named")
  func hostile() throws {
    let rows = try Matrix<Double>(rows: [[1, 2], [3, 4], [5, 6]])
    for count in [.min, -1, 0, 4, Int.max] {
      #expect(throws: ClusteringError.invalidClusterCount(found: count, things: 3)) {
        try KMeans(clusterCount: count).fit(rows)
      }
    }
    #expect(throws: ClusteringError.invalidClusterCount(found: 1, things: 0)) {
      try KMeans(clusterCount: 1).fit(Matrix<Float>(rowCount: 0, columnCount: 2, elements: []))
    }
    #expect(throws: ClusteringError.invalidRunCount(0)) {
      try KMeans(clusterCount: 1, runs: 0).fit(rows)
    }
    #expect(throws: ClusteringError.invalidIterationLimit(-1)) {
      try KMeans(clusterCount: 1, iterationLimit: -1).fit(rows)
    }
    for tolerance in [-1, -Double.infinity, .infinity] {
      #expect(throws: ClusteringError.invalidTolerance(tolerance)) {
        try KMeans(clusterCount: 1, tolerance: tolerance).fit(rows)
      }
    }
    #expect(throws: ClusteringError.self) {
      try KMeans(clusterCount: 1, tolerance: .nan).fit(rows)
    }
    for bad in [Double.nan, .infinity, -.infinity] {
      let broken = try Matrix<Double>(rows: [[1, 2], [bad, 4]])
      #expect(throws: ClusteringError.nonFiniteRow(index: 1)) {
        try KMeans(clusterCount: 1).fit(broken)
      }
      #expect(throws: ClusteringError.badCenter(index: 1)) {
        try KMeans(clusterCount: 2).fit(rows, from: broken)
      }
      #expect(throws: ClusteringError.nonFiniteRow(index: 1)) {
        try KMeans(clusterCount: 1).fit(rows).predict(broken)
      }
    }
    #expect(throws: ClusteringError.rowOverflow(index: 0)) {
      try KMeans(clusterCount: 1).fit(Matrix<Double>(rows: [[1e300], [0]]))
    }
    #expect(throws: ClusteringError.centerCount(found: 1, expected: 2)) {
      try KMeans(clusterCount: 2).fit(rows, from: rows.rows([0]))
    }
    #expect(throws: ClusteringError.columnCount(found: 1, expected: 2)) {
      try KMeans(clusterCount: 1).fit(rows, from: Matrix<Double>(rows: [[1]]))
    }
    #expect(throws: ClusteringError.columnCount(found: 3, expected: 2)) {
      try KMeans(clusterCount: 1).fit(rows).predict(Matrix<Float>(rows: [[1, 2, 3]]))
    }
    let extremes = try Matrix<Double>(rows: [[1e140], [-1e140], [1e-300], [.leastNonzeroMagnitude]])
    #expect(try Set(KMeans(clusterCount: 3).fit(extremes).labels).count == 3)
  }

  @Test("Settings survive JSON")
  func settings() throws {
    let clustering = KMeans(clusterCount: 3, runs: 4, seed: 5, iterationLimit: 6, tolerance: 0.5)
    let data = try JSONEncoder().encode(clustering)
    #expect(try JSONDecoder().decode(KMeans.self, from: data) == clustering)
  }
}

extension Matrix<Double> {
  /// The largest magnitude, at least 1.
  fileprivate var norm: Double { elements.reduce(1) { max($0, abs($1)) } }
}
