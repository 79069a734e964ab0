import Clustering
import LinearAlgebra
import TestSupport
import Testing

@Suite("Distance matrix")
struct DistanceMatrixTests {
  /// A distance by its definition.
  private func distance(
    _ a: ArraySlice<Float>, _ b: ArraySlice<Float>, _ measure: PairwiseMeasure
  ) -> Double {
    let (a, b) = (a.map(Double.init), b.map(Double.init))
    let product = zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
    let squares = (a.reduce(0) { $0 + $1 * $1 }, b.reduce(0) { $0 + $1 * $1 })
    let square = zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    return switch measure {
    case .cosine: 1 - product / (squares.0 * squares.1).squareRoot()
    case .euclidean: square.squareRoot()
    case .squaredEuclidean: square
    case .innerProduct: -product
    }
  }

  @Test("Every value is the distance, both halves alike", arguments: PairwiseMeasure.allCases)
  func definition(measure: PairwiseMeasure) throws {
    var generator = SeededGenerator(seed: 4)
    // Around the sizes of blocks, and far from the origin.
    for (rows, columns) in [(1, 1), (2, 3), (23, 7), (25, 40), (129, 16), (300, 5), (1030, 3)] {
      let matrix = try Matrix<Float>(
        rowCount: rows, columnCount: columns,
        elements: (0..<rows * columns).map { _ in Float(generator.unit() * 2 + 3) })
      let found = try matrix.distanceMatrix(measure)
      #expect(found.rowCount == rows && found.columnCount == rows)
      var worst = 0.0
      for first in 0..<rows {
        for second in first..<rows {
          let expected =
            first == second && measure != .innerProduct
            ? 0 : distance(matrix[row: first], matrix[row: second], measure)
          // A root makes more of the error of a small square.
          let error = abs(Double(found[first, second]) - expected)
          worst = max(worst, measure == .euclidean ? error * expected : error)
          #expect(found[first, second] == found[second, first])
        }
      }
      #expect(worst < 1e-5 * Double(max(columns, 4)))
    }
  }

  @Test("Rows without a direction, or not finite, are named", arguments: PairwiseMeasure.allCases)
  func bad(measure: PairwiseMeasure) throws {
    for value in [Float.nan, .infinity, -.infinity] {
      let matrix = try Matrix<Float>(rows: [[1, 2], [value, 1], [0, 0]])
      #expect(throws: ClusteringError.nonFiniteRow(index: 1)) {
        try matrix.distanceMatrix(measure)
      }
    }
    let zero = try Matrix<Float>(rows: [[1, 2], [0, 0]])
    if measure == .cosine {
      #expect(throws: ClusteringError.zeroRow(index: 1)) { try zero.distanceMatrix(measure) }
    } else {
      #expect(try zero.distanceMatrix(measure)[0, 1].isFinite)
    }
    let huge = try Matrix<Float>(rows: [[3e38, 3e38], [-3e38, 3e38]])
    if measure == .cosine {
      #expect(abs(try huge.distanceMatrix(measure)[0, 1] - 1) < 1e-6)
    } else {
      // An inner product overflows with itself already.
      let other = measure == .innerProduct ? 0 : 1
      #expect(throws: ClusteringError.distanceOverflow(row: 0, other: other)) {
        try huge.distanceMatrix(measure)
      }
    }
    let empty = try Matrix<Float>(rowCount: 0, columnCount: 4, elements: [])
    #expect(try empty.distanceMatrix(measure).elements.isEmpty)
  }

  @Test("Several threads make the same matrix, and the same distances of pairs")
  func threads() throws {
    var random = SeededGenerator(seed: 21)
    let rows = try Matrix(
      rowCount: 700, columnCount: 40,
      elements: (0..<700 * 40).map { _ in Float.random(in: -1...1, using: &random) })
    let before = BLASThreads.count
    defer { BLASThreads.set(before) }
    BLASThreads.set(1)
    let matrix = try rows.distanceMatrix(.euclidean)
    let pairs = try CondensedDistances(cosineBetween: rows)
    for threads in [2, 3, 16] {
      BLASThreads.set(threads)
      #expect(try rows.distanceMatrix(.euclidean) == matrix)
      #expect(try CondensedDistances(cosineBetween: rows) == pairs)
    }
    for row in 0..<700 {
      for other in 0..<row { #expect(matrix[row, other] == matrix[other, row]) }
    }
  }
}
