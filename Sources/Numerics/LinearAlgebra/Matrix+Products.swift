extension Matrix {
  /// Computes `c = alpha * a' * b' + beta * c`, where `a'` is `a` or its transpose, `b'` likewise.
  ///
  /// With `beta` 0 the old values of `c` do not matter, not even NaN. NaN and infinity in `a` and
  /// `b` propagate as in IEEE 754.
  ///
  /// - Complexity: O(m n k) for a result of m by n and an inner dimension of k.
  /// - Throws: ``LinearAlgebraError/shapeMismatch(operation:left:right:)``,
  ///   ``LinearAlgebraError/tooLarge(operation:dimension:)``.
  public static func gemm(
    alpha: Scalar = 1, _ a: Matrix, transposingA: Bool = false, _ b: Matrix,
    transposingB: Bool = false, beta: Scalar = 0, into c: inout Matrix
  ) throws(LinearAlgebraError) {
    let (m, k) = transposingA ? (a.columnCount, a.rowCount) : (a.rowCount, a.columnCount)
    let (depth, n) = transposingB ? (b.columnCount, b.rowCount) : (b.rowCount, b.columnCount)
    guard k == depth else {
      throw .shapeMismatch(operation: "gemm", left: [m, k], right: [depth, n])
    }
    guard c.rowCount == m, c.columnCount == n else {
      throw .shapeMismatch(operation: "gemm", left: [m, n], right: [c.rowCount, c.columnCount])
    }
    let shape = GEMMShape(
      m: try int32(m, "gemm"), n: try int32(n, "gemm"), k: try int32(k, "gemm"),
      transposesA: transposingA, transposesB: transposingB)
    // Empty buffers have no address for BLAS.
    guard m > 0, n > 0 else { return }
    guard k > 0 else {
      for index in c.storage.indices { c.storage[index] = beta == 0 ? 0 : beta * c.storage[index] }
      return
    }
    try requireBLAS()
    a.storage.withUnsafeBufferPointer { a in
      b.storage.withUnsafeBufferPointer { b in
        c.storage.withUnsafeMutableBufferPointer { c in
          Scalar._gemm(
            shape, alpha: alpha, a.baseAddress!, b.baseAddress!, beta: beta, c.baseAddress!)
        }
      }
    }
  }

  /// The product of this matrix, or its transpose, and another, or its transpose.
  ///
  /// - Complexity: O(m n k).
  /// - Throws: ``LinearAlgebraError/shapeMismatch(operation:left:right:)``,
  ///   ``LinearAlgebraError/tooLarge(operation:dimension:)``.
  public func multiplied(
    by other: Matrix, transposingSelf: Bool = false, transposingOther: Bool = false
  ) throws(LinearAlgebraError) -> Matrix {
    let (m, k) = transposingSelf ? (columnCount, rowCount) : (rowCount, columnCount)
    let (depth, n) =
      transposingOther
      ? (other.columnCount, other.rowCount) : (other.rowCount, other.columnCount)
    // This check comes before memory is allocated for an impossible result.
    guard k == depth else {
      throw .shapeMismatch(operation: "gemm", left: [m, k], right: [depth, n])
    }
    for dimension in [m, n, k] { _ = try int32(dimension, "gemm") }
    var result = try Matrix(repeating: 0, rowCount: m, columnCount: n)
    try Self.gemm(
      self, transposingA: transposingSelf, other, transposingB: transposingOther, into: &result)
    return result
  }

  /// Computes `y = alpha * a' * x + beta * y`, where `a'` is `a` or its transpose.
  ///
  /// - Complexity: O(rows * columns).
  /// - Throws: ``LinearAlgebraError/shapeMismatch(operation:left:right:)``,
  ///   ``LinearAlgebraError/tooLarge(operation:dimension:)``.
  public static func gemv(
    alpha: Scalar = 1, _ a: Matrix, transposingA: Bool = false, _ x: [Scalar], beta: Scalar = 0,
    into y: inout [Scalar]
  ) throws(LinearAlgebraError) {
    let (m, n) = transposingA ? (a.columnCount, a.rowCount) : (a.rowCount, a.columnCount)
    guard x.count == n else {
      throw .shapeMismatch(operation: "gemv", left: [m, n], right: [x.count])
    }
    guard y.count == m else { throw .shapeMismatch(operation: "gemv", left: [m], right: [y.count]) }
    let rows = try int32(a.rowCount, "gemv")
    let columns = try int32(a.columnCount, "gemv")
    // The behaviour of BLAS for a beta of 0 differs between releases: NaN may stay.
    if beta == 0 || n == 0 {
      for index in y.indices { y[index] = beta == 0 ? 0 : beta * y[index] }
    }
    guard m > 0, n > 0 else { return }
    try requireBLAS()
    a.storage.withUnsafeBufferPointer { a in
      x.withUnsafeBufferPointer { x in
        y.withUnsafeMutableBufferPointer { y in
          Scalar._gemv(
            transposed: transposingA, rows: rows, columns: columns, alpha: alpha, a.baseAddress!,
            x.baseAddress!, beta: beta, y.baseAddress!)
        }
      }
    }
  }

  /// The product of this matrix and a column vector.
  ///
  /// - Throws: as ``gemv(alpha:_:transposingA:_:beta:into:)``.
  public func multiplied(by vector: [Scalar]) throws(LinearAlgebraError) -> [Scalar] {
    var result = [Scalar](repeating: 0, count: rowCount)
    try Self.gemv(self, vector, into: &result)
    return result
  }

  /// Computes `c = alpha * a * aᵀ + beta * c`, or with `aᵀ * a`, for a symmetric `c`.
  ///
  /// Only the upper triangle of `c` is read; both triangles are written, so the result is symmetric
  /// to the bit.
  ///
  /// - Complexity: O(n² k), at half the work of
  ///   ``gemm(alpha:_:transposingA:_:transposingB:beta:into:)``.
  /// - Throws: ``LinearAlgebraError/shapeMismatch(operation:left:right:)``,
  ///   ``LinearAlgebraError/tooLarge(operation:dimension:)``.
  public static func syrk(
    alpha: Scalar = 1, _ a: Matrix, transposingA: Bool = false, beta: Scalar = 0,
    into c: inout Matrix
  ) throws(LinearAlgebraError) {
    let (n, k) = transposingA ? (a.columnCount, a.rowCount) : (a.rowCount, a.columnCount)
    guard c.rowCount == n, c.columnCount == n else {
      throw .shapeMismatch(operation: "syrk", left: [n, n], right: [c.rowCount, c.columnCount])
    }
    let size = try int32(n, "syrk")
    let depth = try int32(k, "syrk")
    guard n > 0 else { return }
    if k > 0 {
      try a.storage.withUnsafeBufferPointer { (a) throws(LinearAlgebraError) in
        try c.storage.withUnsafeMutableBufferPointer { (c) throws(LinearAlgebraError) in
          try Scalar._syrk(
            transposed: transposingA, size: size, depth: depth, alpha: alpha, a.baseAddress!,
            rowStride: transposingA ? size : depth, beta: beta, c.baseAddress!)
        }
      }
    } else {
      for index in c.storage.indices { c.storage[index] = beta == 0 ? 0 : beta * c.storage[index] }
    }
    for row in 0..<n {
      for column in 0..<row { c.storage[row * n + column] = c.storage[column * n + row] }
    }
  }

  /// The dot products of every two rows: this matrix times its transpose, symmetric to the bit.
  ///
  /// - Throws: as ``syrk(alpha:_:transposingA:beta:into:)``.
  public func gramMatrix() throws(LinearAlgebraError) -> Matrix {
    _ = try int32(rowCount, "syrk")
    var result = try Matrix(repeating: 0, rowCount: rowCount, columnCount: rowCount)
    try Self.syrk(self, into: &result)
    return result
  }
}

/// `value` in the integer type of BLAS.
@inlinable func int32(_ value: Int, _ operation: String) throws(LinearAlgebraError) -> Int32 {
  guard let small = Int32(exactly: value) else {
    throw .tooLarge(operation: operation, dimension: value)
  }
  return small
}
