/// The eigenvalues and eigenvectors of a symmetric matrix A: `A = V diag(values) Vᵀ`.
public struct SymmetricEigendecomposition<Scalar: MatrixScalar>: Hashable, Sendable {
  /// The eigenvalues, ascending.
  public let values: [Scalar]
  /// The eigenvectors as columns, in the order of the values.
  ///
  /// They are orthonormal, and their signs are arbitrary.
  public let vectors: Matrix<Scalar>
}

/// The singular values and vectors of a matrix A of m by n.
///
/// `A = U diag(values) Vᵀ`, with k = min(m, n).
public struct SingularValueDecomposition<Scalar: MatrixScalar>: Hashable, Sendable {
  /// The left vectors as columns, m by k; signs are arbitrary, but match those of the right ones.
  public let u: Matrix<Scalar>
  /// The singular values, descending, none negative: k of them.
  public let values: [Scalar]
  /// The right vectors as rows, k by n.
  public let vTransposed: Matrix<Scalar>
}

// LAPACK's matrices are column-major, so it sees the transpose of a row-major matrix.
extension Matrix {
  /// The eigenvalues and eigenvectors of this matrix, of which only the lower triangle is read.
  ///
  /// - Complexity: O(n³).
  /// - Throws: ``LinearAlgebraError/notSquare(operation:rows:columns:)``,
  ///   ``LinearAlgebraError/nonFinite(operation:row:column:)``,
  ///   ``LinearAlgebraError/tooLarge(operation:dimension:)``,
  ///   ``LinearAlgebraError/notConverged(operation:)``.
  public func symmetricEigendecomposition() throws(LinearAlgebraError)
    -> SymmetricEigendecomposition<Scalar>
  {
    let operation = "eigendecomposition"
    guard isSquare else {
      throw .notSquare(operation: operation, rows: rowCount, columns: columnCount)
    }
    let (n, _) = try lapackShape(operation)
    var vectors = storage
    var values = [Scalar](repeating: 0, count: rowCount)
    if n > 0, try Scalar._syevd(n, &vectors, &values) != 0 {
      throw .notConverged(operation: operation)
    }
    return SymmetricEigendecomposition(
      values: values,
      vectors: Matrix(unchecked: vectors, rowCount: rowCount, columnCount: rowCount).transposed)
  }

  /// The singular values and vectors of this matrix.
  ///
  /// - Complexity: O(m n min(m, n)).
  /// - Throws: ``LinearAlgebraError/nonFinite(operation:row:column:)``,
  ///   ``LinearAlgebraError/tooLarge(operation:dimension:)``,
  ///   ``LinearAlgebraError/notConverged(operation:)``.
  public func singularValueDecomposition() throws(LinearAlgebraError) -> SingularValueDecomposition<
    Scalar
  > {
    let operation = "singular value decomposition"
    let (rows, columns) = try lapackShape(operation)
    let count = min(rowCount, columnCount)
    var work = storage
    var values = [Scalar](repeating: 0, count: count)
    var left = [Scalar](repeating: 0, count: rowCount * count)
    var right = [Scalar](repeating: 0, count: count * columnCount)
    // In the transpose, left and right vectors are exchanged.
    if count > 0,
      try Scalar._gesdd(
        rows: columns, columns: rows, &work, &values, u: &right, vTransposed: &left) != 0
    {
      throw .notConverged(operation: operation)
    }
    return SingularValueDecomposition(
      u: Matrix(unchecked: left, rowCount: rowCount, columnCount: count), values: values,
      vTransposed: Matrix(unchecked: right, rowCount: count, columnCount: columnCount))
  }

  /// The shape in LAPACK's integers, for a matrix whose values are all finite.
  func lapackShape(
    _ operation: String
  ) throws(LinearAlgebraError) -> (rows: Int32, columns: Int32) {
    if let (row, column) = firstNonFinite {
      throw .nonFinite(operation: operation, row: row, column: column)
    }
    return (try int32(rowCount, operation), try int32(columnCount, operation))
  }
}
