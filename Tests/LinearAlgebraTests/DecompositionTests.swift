import LinearAlgebra
import TestSupport
import Testing

/// Decompositions against NumPy's answers and by what defines them, in both precisions.
@Suite struct DecompositionTests {
  let answers: Answers

  init() throws {
    answers = try Folders.golden("LinearAlgebra/answers.json")
  }

  @Test func eigenvaluesEqualThoseOfNumPy() throws {
    try checkEigen(tolerance: 1e-12 as Double)
    try checkEigen(tolerance: 1e-4 as Float)
  }

  private func checkEigen<Scalar: MatrixScalar>(tolerance: Scalar) throws {
    for answer in answers.eigen {
      let a: Matrix<Scalar> = try answer.matrix.matrix()
      let eigen = try a.symmetricEigendecomposition()
      #expect(isClose(eigen.values, answer.values, tolerance))
      let scaled = try eigen.vectors.multiplied(by: diagonal(eigen.values))
      #expect(try a.multiplied(by: eigen.vectors).distance(to: scaled) < tolerance * 10)
      try expectOrthonormalRows(eigen.vectors.transposed, tolerance)
      // Only the lower triangle is read.
      var lower = a
      for row in 0..<a.rowCount {
        for column in row + 1..<max(a.rowCount, row + 1) { lower[row, column] = 99 }
      }
      let values = try lower.symmetricEigendecomposition().values
      #expect(isClose(values, answer.values, tolerance))
    }
  }

  @Test func singularValuesEqualThoseOfNumPy() throws {
    try checkSingular(tolerance: 1e-12 as Double)
    try checkSingular(tolerance: 1e-4 as Float)
  }

  private func checkSingular<Scalar: MatrixScalar>(tolerance: Scalar) throws {
    for answer in answers.singular {
      let a: Matrix<Scalar> = try answer.matrix.matrix()
      let decomposition = try a.singularValueDecomposition()
      #expect(isClose(decomposition.values, answer.values, tolerance))
      let back = try decomposition.u.multiplied(by: diagonal(decomposition.values))
        .multiplied(by: decomposition.vTransposed)
      #expect(back.distance(to: a) < tolerance * 10)
      try expectOrthonormalRows(decomposition.u.transposed, tolerance)
      try expectOrthonormalRows(decomposition.vTransposed, tolerance)
    }
  }

  @Test func principalComponentsEqualThoseOfScikitLearn() throws {
    try checkComponents(tolerance: 1e-11 as Double)
    try checkComponents(tolerance: 1e-4 as Float)
  }

  private func checkComponents<Scalar: MatrixScalar>(tolerance: Scalar) throws {
    for answer in answers.components {
      let rows: Matrix<Scalar> = try answer.rows.matrix()
      let components = try PrincipalComponents(
        fitting: rows, componentCount: answer.components.rows)
      #expect(isClose(components.mean, answer.mean, tolerance))
      #expect(isClose(components.components.elements, answer.components.elements, tolerance * 10))
      #expect(isClose(components.explainedVariance, answer.variance, tolerance))
      #expect(isClose(components.explainedVarianceRatio, answer.ratio, tolerance))
      let projected = try components.project(rows)
      #expect(isClose(projected.elements, answer.projected.elements, tolerance * 10))
      let all = try PrincipalComponents(fitting: rows)
      #expect(try all.reconstruct(all.project(rows)).distance(to: rows) < tolerance * 10)
    }
  }

  @Test func componentsOfDegenerateRows() throws {
    let equal = try Matrix<Double>(rows: [[1, 2], [1, 2], [1, 2]])
    let components = try PrincipalComponents(fitting: equal)
    #expect(components.explainedVariance == [0, 0])
    #expect(components.explainedVarianceRatio == [0, 0])
    #expect(try components.project(equal).elements.allSatisfy { $0 == 0 })
    #expect(try PrincipalComponents(fitting: equal, componentCount: 0).components.rowCount == 0)
    #expect(throws: LinearAlgebraError.componentCount(found: 3, allowed: 0...2)) {
      try PrincipalComponents(fitting: equal, componentCount: 3)
    }
    #expect(throws: LinearAlgebraError.componentCount(found: -1, allowed: 0...2)) {
      try PrincipalComponents(fitting: equal, componentCount: -1)
    }
    for rows in [Matrix<Double>](
      [try Matrix(rows: []), try Matrix(rows: [[1, 2]])])
    {
      #expect(throws: LinearAlgebraError.self) { try PrincipalComponents(fitting: rows) }
    }
    #expect(
      throws: LinearAlgebraError.shapeMismatch(operation: "project", left: [1, 3], right: [2, 2])
    ) {
      try components.project(Matrix(rows: [[1, 2, 3]]))
    }
  }

  @Test func emptyMatricesDecompose() throws {
    let none = try Matrix<Float>(rows: [])
    #expect(try none.symmetricEigendecomposition().values.isEmpty)
    for (rows, columns) in [(0, 0), (0, 3), (3, 0)] {
      let empty = try Matrix<Double>(repeating: 0, rowCount: rows, columnCount: columns)
      let decomposition = try empty.singularValueDecomposition()
      #expect(decomposition.values.isEmpty)
      #expect(decomposition.u.rowCount == rows && decomposition.u.columnCount == 0)
      #expect(decomposition.vTransposed.columnCount == columns)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func valuesThatAreNotFiniteAreErrors(_ bad: Double) throws {
    let a = try Matrix<Double>(rows: [[1, 2], [3, bad]])
    #expect(
      throws: LinearAlgebraError.nonFinite(operation: "eigendecomposition", row: 1, column: 1)
    ) { try a.symmetricEigendecomposition() }
    #expect(
      throws: LinearAlgebraError.nonFinite(
        operation: "singular value decomposition", row: 1, column: 1)
    ) { try a.singularValueDecomposition() }
    #expect(throws: LinearAlgebraError.nonFinite(operation: "solve", row: 1, column: 1)) {
      try a.solve([1, 2])
    }
    #expect(throws: LinearAlgebraError.nonFinite(operation: "solve", row: 0, column: 0)) {
      try Matrix<Double>.identity(2).solve([bad, 2])
    }
    #expect(throws: LinearAlgebraError.nonFinite(operation: "least squares", row: 1, column: 1)) {
      try a.leastSquares(Matrix(rows: [[1], [2]]))
    }
    #expect(
      throws: LinearAlgebraError.nonFinite(operation: "principal components", row: 1, column: 1)
    ) { try PrincipalComponents(fitting: a) }
  }

  @Test func extremeButFiniteValuesNeverCrash() throws {
    for value in [Float.greatestFiniteMagnitude, .leastNonzeroMagnitude, -3e38] {
      let a = try Matrix<Float>(rows: [[value, -value], [value, value], [-value, 1]])
      // An overflow inside LAPACK may be an error or an infinity; it must come back.
      _ = try? a.singularValueDecomposition()
      _ = try? PrincipalComponents(fitting: a)
      _ = try? a.leastSquares(a)
      let square = try a.multiplied(by: a, transposingSelf: true)
      _ = try? square.symmetricEigendecomposition()
      _ = try? square.solve(square)
      #expect(square.rowCount == 2)
    }
  }
}
