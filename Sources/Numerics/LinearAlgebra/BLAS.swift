/// The shape of a product `C = alpha * A' * B' + beta * C` on row-major memory.
///
/// `A'` is `A` or its transpose, and `B'` likewise. It is public because a requirement of
/// ``MatrixScalar`` takes one, which is for this package alone.
public struct GEMMShape: Hashable, Sendable {
  /// Rows of `A'` and of `C`.
  package var m: Int32
  /// Columns of `B'` and of `C`.
  package var n: Int32
  /// Columns of `A'`, rows of `B'`.
  package var k: Int32
  /// Whether `A'` is the transpose of `A`.
  package var transposesA: Bool
  /// Whether `B'` is the transpose of `B`.
  package var transposesB: Bool
  /// The number of values from one row of `A` in memory to the next.
  package var aStride: Int32
  /// The number of values from one row of `B` in memory to the next.
  package var bStride: Int32
  /// The number of values from one row of `C` to the next.
  package var cStride: Int32

  /// Makes a shape; strides that are not given are those of matrices without gaps.
  package init(
    m: Int32, n: Int32, k: Int32, transposesA: Bool = false, transposesB: Bool = false,
    aStride: Int32? = nil, bStride: Int32? = nil, cStride: Int32? = nil
  ) {
    self.m = m
    self.n = n
    self.k = k
    self.transposesA = transposesA
    self.transposesB = transposesB
    // BLAS requires strides of at least 1, even of matrices without columns.
    self.aStride = aStride ?? max(1, transposesA ? m : k)
    self.bStride = bStride ?? max(1, transposesB ? k : n)
    self.cStride = cStride ?? max(1, n)
  }
}

/// The routines of BLAS on raw memory, for callers with their own buffers.
///
/// All other code uses ``Matrix``, whose operations check what these do not.
///
/// On Linux, OpenBLAS is loaded when it is first needed. Loading fails if it is not installed, or
/// if the process has no memory left for it. The operations of ``Matrix`` and the dot product of
/// vectors then throw ``LinearAlgebraError/unavailable(library:reason:)``. The routines here cannot
/// throw, and compute with plain loops.
package enum BLAS {
  /// Computes `C = alpha * A' * B' + beta * C` on row-major memory **without checking anything**.
  ///
  /// With `beta` 0, `C` is only written, so it may be uninitialised. `k` 0 scales `C` by `beta`.
  ///
  /// - Precondition: `m`, `n`, `k` are not negative. Each stride is at least 1 and at least the
  ///   number of columns of its matrix in memory. Each pointer is valid for all rows of its matrix
  ///   (`(rows - 1) * stride + columns` values). `C` overlaps neither `A` nor `B`.
  /// - Complexity: O(m n k). ``BLASThreads`` has the number of threads.
  package static func uncheckedGEMM<Scalar: MatrixScalar>(
    _ shape: GEMMShape, alpha: Scalar = 1, a: UnsafePointer<Scalar>, b: UnsafePointer<Scalar>,
    beta: Scalar = 0, c: UnsafeMutablePointer<Scalar>
  ) {
    Scalar._gemm(shape, alpha: alpha, a, b, beta: beta, c)
  }

  /// The inner product of two vectors of `count` values, **without checking anything**.
  ///
  /// - Precondition: `count` is not negative, and both pointers are valid for `count` values.
  /// - Complexity: O(n).
  @inlinable package static func uncheckedDot<Scalar: MatrixScalar>(
    _ count: Int32, _ x: UnsafePointer<Scalar>, _ y: UnsafePointer<Scalar>
  ) -> Scalar {
    Scalar._dot(count, x, y)
  }

  /// Computes `y = A x` for a row-major `A` without gaps, **without checking anything**.
  ///
  /// - Precondition: `rows` and `columns` are at least 1, and each pointer is valid for its values.
  /// - Complexity: O(rows columns).
  package static func uncheckedGEMV<Scalar: MatrixScalar>(
    rows: Int32, columns: Int32, _ a: UnsafePointer<Scalar>, _ x: UnsafePointer<Scalar>,
    _ y: UnsafeMutablePointer<Scalar>
  ) {
    Scalar._gemv(transposed: false, rows: rows, columns: columns, alpha: 1, a, x, beta: 0, y)
  }
}
