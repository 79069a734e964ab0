/// A number type of BLAS and LAPACK: `Float` or `Double`, and no other type.
///
/// The underscored requirements choose between the routines of single and double precision. Do not
/// call them from outside this module.
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
    rowStride: Int32, beta: Self, _ c: UnsafeMutablePointer<Self>) throws(LinearAlgebraError)
  /// BLAS's `dot`.
  static func _dot(_ count: Int32, _ x: UnsafePointer<Self>, _ y: UnsafePointer<Self>) -> Self
  /// LAPACK's `syevd` on column-major memory, upper triangle, with vectors.
  static func _syevd(
    _ n: Int32, _ a: UnsafeMutablePointer<Self>, _ values: UnsafeMutablePointer<Self>
  ) throws(LinearAlgebraError) -> Int32
  /// LAPACK's `gesdd` on column-major memory, with equal numbers of vectors and values.
  static func _gesdd(
    rows: Int32, columns: Int32, _ a: UnsafeMutablePointer<Self>,
    _ values: UnsafeMutablePointer<Self>, u: UnsafeMutablePointer<Self>,
    vTransposed: UnsafeMutablePointer<Self>
  ) throws(LinearAlgebraError) -> Int32
  /// LAPACK's `gesv` on column-major memory.
  static func _gesv(
    _ n: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Self>, _ b: UnsafeMutablePointer<Self>
  ) throws(LinearAlgebraError) -> Int32
  /// LAPACK's `gelsd` on column-major memory; `b` has the larger of the numbers of rows and columns
  /// as its rows.
  static func _gelsd(
    rows: Int32, columns: Int32, rightSides: Int32, _ a: UnsafeMutablePointer<Self>,
    _ b: UnsafeMutablePointer<Self>, tolerance: Self, rank: inout Int32
  ) throws(LinearAlgebraError) -> Int32
}
