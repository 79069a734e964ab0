import LinearAlgebra
import TestSupport
import Testing

@Suite struct MatrixTests {
  @Test func rowsColumnsAndElements() throws {
    var matrix = try Matrix<Float>(rows: [[1, 2, 3], [4, 5, 6]])
    #expect(matrix.rowCount == 2 && matrix.columnCount == 3)
    #expect(matrix[1, 0] == 4)
    #expect(Array(matrix[row: 1]) == [4, 5, 6])
    #expect(matrix[column: 2] == [3, 6])
    matrix[0, 1] = 9
    #expect(matrix.elements == [1, 9, 3, 4, 5, 6])
    #expect(matrix.transposed.elements == [1, 4, 9, 5, 3, 6])
    #expect(matrix.transposed.transposed == matrix)
    #expect(matrix.rows([1, 1, 0]).elements == [4, 5, 6, 4, 5, 6, 1, 9, 3])
    #expect(matrix.converted(to: Double.self).elements == [1, 9, 3, 4, 5, 6])
    #expect(!matrix.isSquare)
    #expect("\(try Matrix<Double>(rows: [[1, 2]]))" == "Matrix(1x2: [1.0, 2.0])")
    #expect("\(try Matrix<Double>.identity(9))" == "Matrix(9x9)")
    #expect(try Matrix<Double>.identity(2).elements == [1, 0, 0, 1])
  }

  @Test func wrongShapesAreErrors() throws {
    #expect(throws: LinearAlgebraError.elementCount(expected: 6, found: 5)) {
      try Matrix<Float>(rowCount: 2, columnCount: 3, elements: [1, 2, 3, 4, 5])
    }
    #expect(throws: LinearAlgebraError.raggedRow(index: 2, expected: 1, found: 2)) {
      try Matrix<Float>(rows: [[1], [2], [3, 4]])
    }
    for (rows, columns) in [(-1, 0), (0, -1), (-2, -3), (Int.max, 2), (1 << 32, 1 << 32)] {
      #expect(throws: LinearAlgebraError.invalidShape(rows: rows, columns: columns)) {
        try Matrix<Float>(rowCount: rows, columnCount: columns, elements: [])
      }
      #expect(throws: LinearAlgebraError.invalidShape(rows: rows, columns: columns)) {
        try Matrix<Double>(repeating: 0, rowCount: rows, columnCount: columns)
      }
    }
    #expect(throws: LinearAlgebraError.invalidShape(rows: -1, columns: -1)) {
      try Matrix<Float>.identity(-1)
    }
  }

  @Test func emptyMatrices() throws {
    #expect(try Matrix<Float>(rows: []).rowCount == 0)
    let flat = try Matrix<Float>(rows: [[], [], []])
    #expect(flat.rowCount == 3 && flat.columnCount == 0)
    #expect(flat.transposed.rowCount == 0 && flat.transposed.columnCount == 3)
    #expect(flat[row: 2].isEmpty)
    let wide = try Matrix<Float>(repeating: 0, rowCount: 0, columnCount: .max)
    #expect(wide.elements.isEmpty)
    #expect(wide.columnCount == .max)
  }

  @Test func normalizedRowsHaveLengthOne() throws {
    let rows = try Matrix<Float>(rows: [
      [3, 4], [-1, 0], [1e38, 1e38], [.leastNonzeroMagnitude, 0], [3e38, -3e38],
    ])
    let normalized = try rows.normalizedRows()
    #expect(Array(normalized[row: 0]) == [0.6, 0.8])
    #expect(Array(normalized[row: 1]) == [-1, 0])
    #expect(Array(normalized[row: 3]) == [1, 0])
    for row in 0..<5 { #expect(abs(normalized[row: row].norm() - 1) < 1e-6) }
    let wide = try Matrix<Double>(rows: [[1e308, 1e308, -1e308], [.leastNonzeroMagnitude, 0, 0]])
    let widened = try wide.normalizedRows()
    #expect(abs(widened[0, 0] - 1 / 3.0.squareRoot()) < 1e-15)
    #expect(widened[1, 0] == 1)
  }

  @Test func rowsWithoutDirectionAreErrors() throws {
    #expect(throws: LinearAlgebraError.zeroRow(index: 1)) {
      try Matrix<Float>(rows: [[1, 2], [0, -0.0]]).normalizedRows()
    }
    #expect(throws: LinearAlgebraError.zeroRow(index: 0)) {
      try Matrix<Float>(rows: [[], []]).normalizedRows()
    }
    for bad in [Double.nan, .infinity, -.infinity] {
      #expect(throws: LinearAlgebraError.nonFiniteRow(index: 1)) {
        try Matrix<Double>(rows: [[1, 2], [3, bad], [0, 0]]).normalizedRows()
      }
    }
    #expect(try Matrix<Float>(rows: []).normalizedRows().rowCount == 0)
  }

  @Test func everyErrorSaysWhatIsWrong() {
    let errors: [LinearAlgebraError] = [
      .invalidShape(rows: -1, columns: 2), .elementCount(expected: 6, found: 5),
      .raggedRow(index: 2, expected: 1, found: 2),
      .shapeMismatch(operation: "gemm", left: [2, 3], right: [2, 3]),
      .notSquare(operation: "solve", rows: 2, columns: 3),
      .tooLarge(operation: "dot", dimension: 3_000_000_000),
      .nonFinite(operation: "solve", row: 1, column: 2), .zeroRow(index: 3),
      .nonFiniteRow(index: 3), .singular(operation: "solve"), .notConverged(operation: "solve"),
      .componentCount(found: 9, allowed: 0...4),
      .tooFewRows(operation: "principal components", found: 1, needed: 2),
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect("\(errors[3])" == "gemm: shapes [2, 3] and [2, 3] do not fit together")
  }
}
