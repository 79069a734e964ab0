import Clustering
import LinearAlgebra
import TestSupport
import Testing

@Suite struct NearestLabelsTests {
  struct Case: Decodable {
    var recipe: Recipe
    var euclidean: [Int]?
    var cosine: [Int]?
  }

  @Test("Labels of the nearest rows equal those of scikit-learn's nearest neighbour")
  func goldens() throws {
    let cases = try Folders.golden("Clustering/nearest_labels.json", as: [Case].self)
    #expect(cases.count == 40)
    for (index, golden) in cases.enumerated() {
      let rows = try golden.recipe.embeddings
      let odd = Array(stride(from: 1, to: rows.rowCount, by: 2))
      let even = rows.rows(stride(from: 0, to: rows.rowCount, by: 2))
      for metric in DistanceMetric.allCases {
        guard let expected = metric == .cosine ? golden.cosine : golden.euclidean else { continue }
        let known = try NearestLabels(rows.rows(odd), labels: odd, metric: metric)
        #expect(try known.predict(even) == expected, "case \(index), \(metric)")
        #expect(try known.predict(even.converted(to: Double.self)) == expected)
      }
    }
  }

  @Test("The rows of a clustering get their own labels, noise too")
  func own() throws {
    let recipe = Recipe(
      seed: 8, rows: 200, columns: 12, groups: 12, centerBits: 14, noiseBits: 11, scaleBits: 0)
    let rows = try recipe.embeddings
    let groups = try AgglomerativeClustering(cut: .distance(0.1)).fit(rows)
    #expect(groups.clusterCount > 1)
    #expect(try NearestLabels(rows, labels: groups.labels).predict(rows) == groups.labels)
    let dense = try DBSCAN(eps: 0.02).fit(rows)
    #expect(try NearestLabels(rows, labels: dense.labels).predict(rows) == dense.labels)
  }

  @Test("Of equally near rows the first decides")
  func ties() throws {
    let rows = try Matrix<Float>(rows: [[1, 0], [3, 0], [1, 0]])
    let known = try NearestLabels(rows, labels: ["a", "b", "c"], metric: .euclidean)
    #expect(
      try known.predict(Matrix<Float>(rows: [[2, 0], [1, 0], [2.5, 1]])) == ["a", "a", "b"])
  }

  @Test("Labels that do not fit, no rows, other columns and bad rows are refused")
  func hostile() throws {
    let rows = try Matrix<Float>(rows: [[1, 2], [3, 4]])
    #expect(throws: ClusteringError.labelCount(labels: 1, rows: 2)) {
      try NearestLabels(rows, labels: [0])
    }
    #expect(throws: ClusteringError.tooFew(things: 0, needed: 1)) {
      try NearestLabels(
        Matrix<Float>(rowCount: 0, columnCount: 2, elements: []), labels: [Int]())
    }
    let known = try NearestLabels(rows, labels: [0, 1])
    #expect(throws: ClusteringError.columnCount(found: 1, expected: 2)) {
      try known.predict(Matrix<Float>(rows: [[1]]))
    }
    #expect(throws: ClusteringError.zeroRow(index: 1)) {
      try known.predict(Matrix<Float>(rows: [[1, 1], [0, 0]]))
    }
    for metric in DistanceMetric.allCases {
      #expect(throws: ClusteringError.nonFiniteRow(index: 1)) {
        try NearestLabels(
          Matrix<Float>(rows: [[1, 1], [.nan, 0]]), labels: [1, 2], metric: metric)
      }
    }
    #expect(throws: ClusteringError.rowOverflow(index: 0)) {
      try NearestLabels(Matrix<Double>(rows: [[1e300]]), labels: [0], metric: .euclidean)
    }
    #expect(try known.predict(Matrix<Float>(rowCount: 0, columnCount: 2, elements: [])) == [])
  }
}
