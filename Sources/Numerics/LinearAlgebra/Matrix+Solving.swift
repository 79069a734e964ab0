extension Matrix {
  /// The matrix X for which this square matrix times X is `rightSides`.
  ///
  /// The method is Gaussian elimination with partial pivoting.
  ///
  /// - Complexity: O(n³ + n² k) for k right sides.
  /// - Throws: ``LinearAlgebraError/singular(operation:)`` if a pivot is zero or the result is not
  ///   finite (a matrix that is singular except for rounding may give a useless result instead);
  ///   ``LinearAlgebraError/notSquare(operation:rows:columns:)``,
  ///   ``LinearAlgebraError/shapeMismatch(operation:left:right:)``,
  ///   ``LinearAlgebraError/nonFinite(operation:row:column:)``,
  ///   ``LinearAlgebraError/tooLarge(operation:dimension:)``.
  public func solve(_ rightSides: Matrix) throws(LinearAlgebraError) -> Matrix {
    let operation = "solve"
    guard isSquare else {
      throw .notSquare(operation: operation, rows: rowCount, columns: columnCount)
    }
    try checkRightSides(rightSides, operation)
    let (n, _) = try lapackShape(operation)
    let (_, count) = try rightSides.lapackShape(operation)
    guard n > 0, count > 0 else { return rightSides }
    var work = transposed.storage
    var solution = rightSides.transposed.storage
    guard try Scalar._gesv(n, rightSides: count, &work, &solution) == 0,
      solution.allSatisfy(\.isFinite)
    else { throw .singular(operation: operation) }
    return Matrix(
      unchecked: solution, rowCount: rightSides.columnCount, columnCount: rowCount
    ).transposed
  }

  /// The vector x for which this square matrix times x is `rightSide`.
  ///
  /// - Throws: as for several right sides.
  public func solve(_ rightSide: [Scalar]) throws(LinearAlgebraError) -> [Scalar] {
    try solve(Matrix(unchecked: rightSide, rowCount: rightSide.count, columnCount: 1)).elements
  }

  /// The least-squares solution X of this matrix times X = `rightSides`, and the rank found.
  ///
  /// X minimizes the sum of squares of each column; if several do, it is the smallest. The method
  /// uses singular values. Those below the precision times the larger dimension, relative to the
  /// largest, count as zero, as in NumPy's `lstsq`.
  ///
  /// - Complexity: O(m n min(m, n)).
  /// - Throws: ``LinearAlgebraError/shapeMismatch(operation:left:right:)``,
  ///   ``LinearAlgebraError/nonFinite(operation:row:column:)``,
  ///   ``LinearAlgebraError/tooLarge(operation:dimension:)``,
  ///   ``LinearAlgebraError/notConverged(operation:)``.
  public func leastSquares(
    _ rightSides: Matrix
  ) throws(LinearAlgebraError) -> (solution: Matrix, rank: Int) {
    let operation = "least squares"
    try checkRightSides(rightSides, operation)
    let (rows, columns) = try lapackShape(operation)
    let (_, count) = try rightSides.lapackShape(operation)
    let zero = try Matrix(
      repeating: 0, rowCount: columnCount, columnCount: rightSides.columnCount)
    guard rows > 0, columns > 0, count > 0 else { return (zero, 0) }
    let height = max(rowCount, columnCount)
    var work = transposed.storage
    // LAPACK writes the solution over the right sides, which may be too short for it.
    var solution: [Scalar] = []
    for column in 0..<rightSides.columnCount {
      solution += rightSides[column: column]
      solution += repeatElement(0, count: height - rowCount)
    }
    var rank: Int32 = 0
    let info = try Scalar._gelsd(
      rows: rows, columns: columns, rightSides: count, &work, &solution,
      tolerance: Scalar.ulpOfOne * Scalar(height), rank: &rank)
    guard info == 0 else { throw .notConverged(operation: operation) }
    var result = zero
    for column in 0..<rightSides.columnCount {
      for row in 0..<columnCount { result[row, column] = solution[column * height + row] }
    }
    return (result, Int(rank))
  }

  private func checkRightSides(
    _ rightSides: Matrix, _ operation: String
  ) throws(LinearAlgebraError) {
    guard rightSides.rowCount == rowCount else {
      throw .shapeMismatch(
        operation: operation, left: [rowCount, columnCount],
        right: [rightSides.rowCount, rightSides.columnCount])
    }
  }
}
