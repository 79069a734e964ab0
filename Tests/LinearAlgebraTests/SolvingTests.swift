import LinearAlgebra
import TestSupport
import Testing

@Suite struct SolvingTests {
  let answers: Answers

  init() throws {
    answers = try Folders.golden("LinearAlgebra/answers.json")
  }

  @Test func solutionsEqualThoseOfNumPy() throws {
    try check(tolerance: 1e-11 as Double)
    try check(tolerance: 1e-3 as Float)
  }

  private func check<Scalar: MatrixScalar>(tolerance: Scalar) throws {
    for answer in answers.solve {
      let a: Matrix<Scalar> = try answer.matrix.matrix()
      let x = try a.solve(answer.right.matrix())
      #expect(isClose(x.elements, answer.solution.elements, tolerance))
      if x.columnCount == 1 {
        #expect(try a.solve(answer.right.matrix().elements) == x.elements)
      }
    }
    for answer in answers.leastSquares {
      let a: Matrix<Scalar> = try answer.matrix.matrix()
      let (x, rank) = try a.leastSquares(answer.right.matrix())
      #expect(rank == answer.rank)
      #expect(isClose(x.elements, answer.solution.elements, tolerance))
    }
  }

  @Test func homographiesEqualThoseOfOpenCV() throws {
    for answer in answers.homographies {
      // Two rows a pair of points, for eight unknowns; the ninth is 1 (Hartley and Zisserman, 4.1).
      var rows: [[Double]] = []
      var right: [Double] = []
      for corner in 0..<4 {
        let (x, y) = (answer.from[2 * corner], answer.from[2 * corner + 1])
        let (u, v) = (answer.to[2 * corner], answer.to[2 * corner + 1])
        rows.append([x, y, 1, 0, 0, 0, -x * u, -y * u])
        rows.append([0, 0, 0, x, y, 1, -x * v, -y * v])
        right += [u, v]
      }
      let homography = try Matrix(rows: rows).solve(right) + [1]
      for (value, expected) in zip(homography, answer.homography) {
        #expect(abs(value - expected) <= 1e-9 * max(1, abs(expected)))
      }
    }
  }

  @Test func singularMatricesAreErrors() throws {
    for rows in [
      [[0.0]], [[1, 2], [2, 4]], [[0, 0], [0, 1]], [[1, 1, 0], [1, 1, 0], [0, 0, 1]],
    ] {
      let a = try Matrix<Double>(rows: rows)
      #expect(throws: LinearAlgebraError.singular(operation: "solve")) {
        try a.solve([Double](repeating: 1, count: rows.count))
      }
    }
    // Not singular, but the solution is beyond the largest number.
    #expect(throws: LinearAlgebraError.singular(operation: "solve")) {
      try Matrix<Double>(rows: [[1e-300]]).solve([1e300])
    }
  }

  @Test func emptySystems() throws {
    #expect(try Matrix<Float>(rows: []).solve([Float]()).isEmpty)
    let none = try Matrix<Float>.identity(3).solve(
      Matrix(repeating: 0, rowCount: 3, columnCount: 0))
    #expect(none.rowCount == 3 && none.columnCount == 0)
    let flat = try Matrix<Float>(repeating: 0, rowCount: 3, columnCount: 0)
    let (x, rank) = try flat.leastSquares(Matrix(rows: [[1], [2], [3]]))
    #expect(x.rowCount == 0 && x.columnCount == 1 && rank == 0)
    let (y, zero) = try Matrix<Float>(repeating: 0, rowCount: 3, columnCount: 2)
      .leastSquares(Matrix(rows: [[1], [2], [3]]))
    #expect(y.elements == [0, 0] && zero == 0)
  }

  @Test func shapesThatDoNotFitAreErrors() throws {
    let wide = try Matrix<Float>(rows: [[1, 2, 3], [4, 5, 6]])
    #expect(throws: LinearAlgebraError.notSquare(operation: "solve", rows: 2, columns: 3)) {
      try wide.solve([1, 2])
    }
    #expect(
      throws: LinearAlgebraError.notSquare(operation: "eigendecomposition", rows: 2, columns: 3)
    ) { try wide.symmetricEigendecomposition() }
    #expect(
      throws: LinearAlgebraError.shapeMismatch(operation: "solve", left: [2, 2], right: [3, 1])
    ) {
      try Matrix<Float>.identity(2).solve([1, 2, 3])
    }
    #expect(
      throws: LinearAlgebraError.shapeMismatch(
        operation: "least squares", left: [2, 3], right: [1, 1])
    ) { try wide.leastSquares(Matrix(rows: [[1]])) }
  }
}
