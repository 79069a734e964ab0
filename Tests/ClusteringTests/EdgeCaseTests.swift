import Clustering
import Foundation
import LinearAlgebra
import Testing

@Suite struct ClusteringEdgeCaseTests {
  static let clusterings = Linkage.allCases.flatMap { linkage in
    DistanceMetric.allCases.map { metric in
      AgglomerativeClustering(linkage: linkage, metric: metric, cut: .distance(0.2))
    }
  }
  .filter { $0.linkage != .ward || $0.metric == .euclidean }

  @Test(arguments: clusterings)
  func noRowsHaveNoLabels(_ clustering: AgglomerativeClustering) throws {
    for columns in [0, 3] {
      let empty = try Matrix<Float>(rowCount: 0, columnCount: columns, elements: [])
      let assignment = try clustering.fit(empty)
      #expect(assignment.labels.isEmpty)
      #expect(assignment.clusterCount == 0)
      #expect(assignment.dendrogram.linkageMatrix.rowCount == 0)
    }
  }

  @Test(arguments: clusterings)
  func oneRowIsOneCluster(_ clustering: AgglomerativeClustering) throws {
    let assignment = try clustering.fit(Matrix<Float>(rows: [[3, 4]]))
    #expect(assignment.labels == [0])
    #expect(assignment.clusterCount == 1)
    #expect(assignment.dendrogram.merges.isEmpty)
  }

  @Test(arguments: clusterings)
  func badRowsAreNamed(_ clustering: AgglomerativeClustering) throws {
    for bad in [Float.nan, .infinity, -.infinity] {
      #expect(throws: ClusteringError.nonFiniteRow(index: 1)) {
        try clustering.fit(Matrix<Float>(rows: [[1, 2], [1, bad], [bad, 0]]))
      }
      #expect(throws: ClusteringError.nonFiniteRow(index: 0)) {
        try clustering.fit(Matrix<Double>(rows: [[1, Double(bad)], [1, 2]]))
      }
    }
    let zeros = try Matrix<Float>(rows: [[1, 2], [0, 1], [0, -0.0]])
    if clustering.metric == .cosine {
      #expect(throws: ClusteringError.zeroRow(index: 2)) { try clustering.fit(zeros) }
    } else {
      #expect(try clustering.fit(zeros).labels.count == 3)
    }
  }

  @Test func rowsWithoutColumns() throws {
    let rows = try Matrix<Float>(rowCount: 3, columnCount: 0, elements: [])
    #expect(throws: ClusteringError.zeroRow(index: 0)) {
      try AgglomerativeClustering(cut: .distance(0.5)).fit(rows)
    }
    let euclidean = AgglomerativeClustering(metric: .euclidean, cut: .distance(0.5))
    #expect(try euclidean.fit(rows).labels == [0, 0, 0])
  }

  @Test func extremeRowsKeepTheirDirections() throws {
    let tiny = Float.leastNonzeroMagnitude
    let huge = Float.greatestFiniteMagnitude
    let rows = try Matrix<Float>(rows: [[tiny, 0], [huge, 0], [0, tiny], [0, huge]])
    let labels = try AgglomerativeClustering(cut: .distance(0.2)).fit(rows).labels
    #expect(labels[0] == labels[1] && labels[2] == labels[3] && labels[0] != labels[2])
    let least = Double.leastNonzeroMagnitude
    let most = Double.greatestFiniteMagnitude
    let doubles = try Matrix<Double>(rows: [
      [least, least], [most, most], [1e-200, 1e-200], [1e200, 1e200], [-least, least],
    ])
    let distances = try CondensedDistances(.cosine, between: doubles)
    for first in 0..<4 {
      for second in 0..<4 { #expect(distances[first, second] < 1e-15) }
      #expect(abs(distances[first, 4] - 1) < 1e-15)
    }
    #expect(throws: ClusteringError.distanceOverflow(row: 0, other: 1)) {
      try CondensedDistances(.euclidean, between: doubles)
    }
  }

  @Test func cutsAreChecked() throws {
    let rows = try Matrix<Float>(rows: [[1, 0], [0, 1], [1, 1]])
    #expect(throws: ClusteringError.wardNeedsEuclidean(found: .cosine)) {
      try AgglomerativeClustering(linkage: .ward, cut: .count(2)).fit(rows)
    }
    for value in [-0.1, -.infinity, -Double.leastNonzeroMagnitude] {
      #expect(throws: ClusteringError.invalidThreshold(value)) {
        try AgglomerativeClustering(cut: .distance(value)).fit(rows)
      }
    }
    #expect {
      try AgglomerativeClustering(cut: .distance(.nan)).fit(rows)
    } throws: { error in
      if case ClusteringError.invalidThreshold(let value) = error { value.isNaN } else { false }
    }
    for count in [Int.min, -1, 0, 4, Int.max] {
      #expect(throws: ClusteringError.invalidClusterCount(found: count, things: 3)) {
        try AgglomerativeClustering(cut: .count(count)).fit(rows)
      }
    }
    #expect(try AgglomerativeClustering(cut: .distance(.infinity)).fit(rows).labels == [0, 0, 0])
    #expect(try AgglomerativeClustering(cut: .distance(0)).fit(rows).clusterCount == 3)
    #expect(try AgglomerativeClustering(cut: .count(3)).fit(rows).clusterCount == 3)
    #expect(DendrogramCut.similarity(0.75) == .distance(0.25))
  }

  @Test func duplicatesAreOneClusterAtAnyThresholdAboveRounding() throws {
    let rows = try Matrix<Float>(
      rows: [[Float]](repeating: [0.1, 0.2, 0.3], count: 20) + [[-0.1, 0.2, 0.3]])
    for linkage in Linkage.allCases {
      let metric = linkage == .ward ? DistanceMetric.euclidean : .cosine
      let labels = try AgglomerativeClustering(
        linkage: linkage, metric: metric, cut: .distance(1e-12)
      ).fit(rows).labels
      #expect(Set(labels[..<20]).count == 1)
      #expect(labels[20] != labels[0])
    }
  }

  @Test func condensedDistancesAreChecked() throws {
    #expect(try CondensedDistances<Float>(count: 0, values: []).values.isEmpty)
    #expect(try CondensedDistances<Double>(count: 1, values: [])[0, 0] == 0)
    let three = try CondensedDistances<Double>(count: 3, values: [1, 2, 3])
    #expect(three[0, 1] == 1 && three[2, 0] == 2 && three[1, 2] == 3 && three[1, 1] == 0)
    #expect(throws: ClusteringError.distanceCount(things: 3, expected: 3, found: 2)) {
      try CondensedDistances<Double>(count: 3, values: [1, 2])
    }
    #expect(throws: ClusteringError.tooMany(things: -1)) {
      try CondensedDistances<Double>(count: -1, values: [])
    }
    #expect(throws: ClusteringError.tooMany(things: .max)) {
      try CondensedDistances<Double>(count: .max, values: [])
    }
    #expect(throws: ClusteringError.tooMany(things: 1 << 32)) {
      try CondensedDistances<Double>(count: 1 << 32, values: [])
    }
    for bad in [-1, Double.nan, .infinity] {
      #expect(throws: ClusteringError.invalidDistance(row: 1, other: 3)) {
        try CondensedDistances<Double>(count: 4, values: [1, 2, 3, 4, bad, 6])
      }
    }
  }

  @Test func settingsSurviveJSON() throws {
    for clustering in Self.clusterings {
      let data = try JSONEncoder().encode(clustering)
      #expect(try JSONDecoder().decode(AgglomerativeClustering.self, from: data) == clustering)
    }
  }

  @Test func errorsSayWhatIsWrong() {
    #expect("\(ClusteringError.zeroRow(index: 7))".contains("embedding 7 is all zeros"))
    #expect("\(ClusteringError.invalidThreshold(-1))".contains("-1.0"))
    #expect(
      "\(ClusteringError.invalidClusterCount(found: 9, things: 4))".contains("1 to 4"))
    #expect("\(ClusteringError.invalidEps(-1))" == "eps -1.0 is not a number above 0")
    #expect(
      "\(ClusteringError.tooFew(things: 3, needed: 5))".contains("3 things are fewer than the 5"))
    #expect("\(ClusteringError.rowOverflow(index: 4))".contains("embedding 4"))
    #expect("\(ClusteringError.columnCount(found: 3, expected: 2))" == "3 columns in place of 2")
    #expect("\(ClusteringError.pairOutOfRange(index: 6))".contains("pair 6"))
    #expect("\(ClusteringError.badCenter(index: 2))".contains("center 2"))
  }
}
