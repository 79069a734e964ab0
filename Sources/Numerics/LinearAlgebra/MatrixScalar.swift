#if canImport(Accelerate)
  import Accelerate
#else
  import COpenBLAS
#endif

/// A number that BLAS and LAPACK compute with: `Float` or `Double`, and no other type.
///
/// The underscored requirements choose between the single and double precision routines; they are
/// not to be called from outside this module.
public protocol MatrixScalar: BinaryFloatingPoint, Sendable {
  /// ``BLAS``'s `gemm` on row-major memory.
  static func _gemm(
    _ shape: GEMMShape, alpha: Self, _ a: UnsafePointer<Self>, _ b: UnsafePointer<Self>,
    beta: Self, _ c: UnsafeMutablePointer<Self>)
  /// BLAS's `gemv` on row-major memory.
  static func _gemv(
    transposed: Bool, rows: Int32, columns: Int32, alpha: Self, _ a: UnsafePointer<Self>,
    _ x: UnsafePointer<Self>, beta: Self, _ y: UnsafeMutablePointer<Self>)
  /// BLAS's `syrk` on row-major memory, upper triangle.
  static func _syrk(
    transposed: Bool, size: Int32, depth: Int32, alpha: Self, _ a: UnsafePointer<Self>,
    rowStride: Int32, beta: Self, _ c: UnsafeMutablePointer<Self>)
  /// BLAS's `dot`.
  static func _dot(_ count: Int32, _ x: UnsafePointer<Self>, _ y: UnsafePointer<Self>) -> Self
  /// LAPACK's `syevd` on column-major memory, upper triangle, with vectors.
  static func _syevd(
    _ n: Int32, _ a: UnsafeMutablePointer<Self>, _ values: UnsafeMutablePointer<Self>
  ) -> Int32
  /// LAPACK's `gesdd` on column-major memory, with as many vectors as values.
  static func _gesdd(
    rows: Int32, columns: Int32, _ a: UnsafeMutablePointer<Self>,
    _ values: UnsafeMutablePointer<Self>, u: UnsafeMutablePointer<Self>,
    vTransposed: UnsafeMutablePointer<Self>
  ) -> Int32
  /// LAPACK's `gesv` on column-major memory.
  static func _gesv(
    _ n: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Self>, _ b: UnsafeMutablePointer<Self>
  ) -> Int32
  /// LAPACK's `gelsd` on column-major memory; `b` has the larger of rows and columns as its rows.
  static func _gelsd(
    rows: Int32, columns: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Self>,
    _ b: UnsafeMutablePointer<Self>, tolerance: Self, rank: inout Int32
  ) -> Int32
}

extension Float: MatrixScalar {
  /// Not to be called from outside this module.
  public static func _gemm(
    _ shape: GEMMShape, alpha: Float, _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>,
    beta: Float, _ c: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemm(
      CblasRowMajor, shape.transposesA ? CblasTrans : CblasNoTrans,
      shape.transposesB ? CblasTrans : CblasNoTrans, shape.m, shape.n, shape.k,
      alpha, a, shape.aStride, b, shape.bStride, beta, c, shape.cStride)
  }

  /// Not to be called from outside this module.
  public static func _gemv(
    transposed: Bool, rows: Int32, columns: Int32, alpha: Float, _ a: UnsafePointer<Float>,
    _ x: UnsafePointer<Float>, beta: Float, _ y: UnsafeMutablePointer<Float>
  ) {
    cblas_sgemv(
      CblasRowMajor, transposed ? CblasTrans : CblasNoTrans, rows, columns, alpha, a, columns, x,
      1, beta, y, 1)
  }

  /// Not to be called from outside this module.
  public static func _syrk(
    transposed: Bool, size: Int32, depth: Int32, alpha: Float, _ a: UnsafePointer<Float>,
    rowStride: Int32, beta: Float, _ c: UnsafeMutablePointer<Float>
  ) {
    cblas_ssyrk(
      CblasRowMajor, CblasUpper, transposed ? CblasTrans : CblasNoTrans, size, depth, alpha, a,
      rowStride, beta, c, size)
  }

  /// Not to be called from outside this module.
  public static func _dot(
    _ count: Int32, _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>
  ) -> Float {
    cblas_sdot(count, x, 1, y, 1)
  }
}

extension Double: MatrixScalar {
  /// Not to be called from outside this module.
  public static func _gemm(
    _ shape: GEMMShape, alpha: Double, _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>,
    beta: Double, _ c: UnsafeMutablePointer<Double>
  ) {
    cblas_dgemm(
      CblasRowMajor, shape.transposesA ? CblasTrans : CblasNoTrans,
      shape.transposesB ? CblasTrans : CblasNoTrans, shape.m, shape.n, shape.k,
      alpha, a, shape.aStride, b, shape.bStride, beta, c, shape.cStride)
  }

  /// Not to be called from outside this module.
  public static func _gemv(
    transposed: Bool, rows: Int32, columns: Int32, alpha: Double, _ a: UnsafePointer<Double>,
    _ x: UnsafePointer<Double>, beta: Double, _ y: UnsafeMutablePointer<Double>
  ) {
    cblas_dgemv(
      CblasRowMajor, transposed ? CblasTrans : CblasNoTrans, rows, columns, alpha, a, columns, x,
      1, beta, y, 1)
  }

  /// Not to be called from outside this module.
  public static func _syrk(
    transposed: Bool, size: Int32, depth: Int32, alpha: Double, _ a: UnsafePointer<Double>,
    rowStride: Int32, beta: Double, _ c: UnsafeMutablePointer<Double>
  ) {
    cblas_dsyrk(
      CblasRowMajor, CblasUpper, transposed ? CblasTrans : CblasNoTrans, size, depth, alpha, a,
      rowStride, beta, c, size)
  }

  /// Not to be called from outside this module.
  public static func _dot(
    _ count: Int32, _ x: UnsafePointer<Double>, _ y: UnsafePointer<Double>
  ) -> Double {
    cblas_ddot(count, x, 1, y, 1)
  }
}
