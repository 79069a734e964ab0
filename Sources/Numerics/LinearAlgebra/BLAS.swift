import Dispatch

#if !canImport(Accelerate)
  import COpenBLAS
  import _VectorKernels
#endif

/// The shape of a product `C = alpha * A' * B' + beta * C` on row-major memory, where `A'` is `A` or
/// its transpose, and `B'` likewise.
public struct GEMMShape: Hashable, Sendable {
  /// Rows of `A'` and of `C`.
  public var m: Int32
  /// Columns of `B'` and of `C`.
  public var n: Int32
  /// Columns of `A'`, rows of `B'`.
  public var k: Int32
  /// Whether `A'` is the transpose of `A`.
  public var transposesA: Bool
  /// Whether `B'` is the transpose of `B`.
  public var transposesB: Bool
  /// Values from one row of `A`, as it lies in memory, to the next.
  public var aStride: Int32
  /// Values from one row of `B`, as it lies in memory, to the next.
  public var bStride: Int32
  /// Values from one row of `C` to the next.
  public var cStride: Int32

  /// Describes a product; strides that are not given are those of matrices without gaps.
  public init(
    m: Int32, n: Int32, k: Int32, transposesA: Bool = false, transposesB: Bool = false,
    aStride: Int32? = nil, bStride: Int32? = nil, cStride: Int32? = nil
  ) {
    self.m = m
    self.n = n
    self.k = k
    self.transposesA = transposesA
    self.transposesB = transposesB
    // BLAS insists on strides of at least 1, also of matrices without columns.
    self.aStride = aStride ?? max(1, transposesA ? m : k)
    self.bStride = bStride ?? max(1, transposesB ? k : n)
    self.cStride = cStride ?? max(1, n)
  }
}

/// The routines of BLAS on raw memory, for callers that keep their own buffers.
///
/// Everything else takes ``Matrix``, whose operations check what these do not.
public enum BLAS {
  /// Computes `C = alpha * A' * B' + beta * C` on row-major memory **without checking anything**.
  ///
  /// With `beta` 0, `C` is only written, so it may be uninitialised. `k` 0 scales `C` by `beta`.
  ///
  /// - Precondition: `m`, `n`, `k` are not negative; each stride is at least 1 and at least the
  ///   columns of its matrix as it lies in memory; each pointer is good for all rows of its matrix
  ///   (`(rows - 1) * stride + columns` values); `C` overlaps neither `A` nor `B`.
  /// - Complexity: O(m n k). How many threads it takes, ``BLASThreads`` says.
  public static func uncheckedGEMM<Scalar: MatrixScalar>(
    _ shape: GEMMShape, alpha: Scalar = 1, a: UnsafePointer<Scalar>, b: UnsafePointer<Scalar>,
    beta: Scalar = 0, c: UnsafeMutablePointer<Scalar>
  ) {
    Scalar._gemm(shape, alpha: alpha, a, b, beta: beta, c)
  }

  /// The inner product of two vectors of `count` values, **without checking anything**.
  ///
  /// - Precondition: `count` is not negative, and both pointers are good for as many values.
  /// - Complexity: O(n).
  @inlinable public static func uncheckedDot<Scalar: MatrixScalar>(
    _ count: Int32, _ x: UnsafePointer<Scalar>, _ y: UnsafePointer<Scalar>
  ) -> Scalar {
    Scalar._dot(count, x, y)
  }

  /// Computes `y = A x` for a row-major `A` without gaps, **without checking anything**.
  ///
  /// - Precondition: `rows` and `columns` are at least 1, and each pointer is good for as many values.
  /// - Complexity: O(rows columns).
  public static func uncheckedGEMV<Scalar: MatrixScalar>(
    rows: Int32, columns: Int32, _ a: UnsafePointer<Scalar>, _ x: UnsafePointer<Scalar>,
    _ y: UnsafeMutablePointer<Scalar>
  ) {
    Scalar._gemv(transposed: false, rows: rows, columns: columns, alpha: 1, a, x, beta: 0, y)
  }

  /// Writes the rows of a matrix as columns, **without checking anything**.
  ///
  /// - Precondition: both strides are good for their rows, and source and target do not overlap.
  /// - Complexity: O(rows columns).
  package static func uncheckedTranspose(
    rows: Int, columns: Int, _ source: UnsafePointer<Float>, stride sourceStride: Int,
    to target: UnsafeMutablePointer<Float>, stride targetStride: Int
  ) {
    #if canImport(Accelerate)
      for row in 0..<rows {
        for column in 0..<columns {
          target[column * targetStride + row] = source[row * sourceStride + column]
        }
      }
    #else
      vk_transpose_f32(source, target, rows, columns, sourceStride, targetStride)
    #endif
  }
}

/// How many threads BLAS and LAPACK take for one operation.
///
/// OpenBLAS has one setting for the whole process, which is what these functions change: whoever runs
/// matrix products inside threads of its own sets it to 1 first, because threads that each call a
/// multi-threaded BLAS wait for one another. Accelerate decides for itself; there the functions do
/// nothing and ``count`` is 1.
public enum BLASThreads {
  /// The number of threads now.
  public static var count: Int {
    #if canImport(Accelerate)
      1
    #else
      Int(openblas_get_num_threads())
    #endif
  }

  #if !canImport(Accelerate)
    /// One change at a time: OpenBLAS looks at how many threads it has before it locks, and two changes at once
    /// can leave it with two threads for one place, of which one is never woken, not even to end.
    private static let changes = DispatchQueue(label: "BLASThreads")
  #endif

  /// Sets the number of threads, of the whole process; values are clamped to 1...1024.
  ///
  /// OpenBLAS in its turn takes no more threads than it was built for.
  public static func set(_ count: Int) {
    #if !canImport(Accelerate)
      changes.sync { openblas_set_num_threads(Int32(min(max(count, 1), 1024))) }
    #endif
  }

  /// Runs `body` with `count` threads, and then sets the number that there was before.
  ///
  /// The setting is the whole process's: work on other threads sees it too, and two overlapping calls
  /// may leave either's number behind. Use it where one thread is in charge; otherwise call
  /// ``set(_:)`` once at the start.
  public static func with<Result>(_ count: Int, _ body: () throws -> Result) rethrows -> Result {
    let before = self.count
    set(count)
    defer { set(before) }
    return try body()
  }
}
