import _RunnerKernels

#if canImport(Accelerate)
  import Accelerate
#else
  import COpenBLAS
#endif

/// Products of float32 and float64 matrices for kernels, on one thread: the runner's own threads share
/// the work out.
enum BLAS {
  /// A matrix in row-major order: the first element, how far apart rows are, whether it is used
  /// transposed.
  struct Operand<Scalar> {
    let pointer: UnsafePointer<Scalar>
    let stride: Int
    var isTransposed = false
  }

  /// Extents beyond this do not fit the library's integers.
  static let maximumExtent = Int(Int32.max)

  /// OpenBLAS's own threads would fight with the session's.
  static let isSingleThreaded: Bool = {
    #if !canImport(Accelerate)
      openblas_set_num_threads(1)
    #endif
    return true
  }()

  /// `c = alpha a b + beta c`, where `a` is rows x depth and `b` depth x columns, as used.
  static func multiply(
    rows: Int, columns: Int, depth: Int, alpha: Float = 1, _ a: Operand<Float>,
    _ b: Operand<Float>, beta: Float = 0, into c: UnsafeMutablePointer<Float>, stride: Int
  ) {
    guard rows > 0, columns > 0 else { return }
    guard depth > 0 else {
      return scale(rows: rows, columns: columns, by: beta, c, stride: stride)
    }
    #if !canImport(Accelerate)
      if rk_level() > RK_LEVEL_BASELINE {
        // OpenBLAS has good kernels for processors it knows by name, and some of ten years ago for
        // newer ones; ours goes by what the processor can do.
        rk_gemm_f32(
          rows, columns, depth, alpha, a.pointer, a.isTransposed ? 1 : a.stride,
          a.isTransposed ? a.stride : 1, b.pointer, b.isTransposed ? 1 : b.stride,
          b.isTransposed ? b.stride : 1, beta, c, stride)
        return
      }
    #endif
    cblas_sgemm(
      CblasRowMajor, a.isTransposed ? CblasTrans : CblasNoTrans,
      b.isTransposed ? CblasTrans : CblasNoTrans, Int32(rows), Int32(columns), Int32(depth),
      alpha, a.pointer, Int32(a.stride), b.pointer, Int32(b.stride), beta, c, Int32(stride))
  }

  /// The same in float64.
  static func multiply(
    rows: Int, columns: Int, depth: Int, alpha: Double = 1, _ a: Operand<Double>,
    _ b: Operand<Double>, beta: Double = 0, into c: UnsafeMutablePointer<Double>, stride: Int
  ) {
    guard rows > 0, columns > 0 else { return }
    guard depth > 0 else {
      return scale(rows: rows, columns: columns, by: beta, c, stride: stride)
    }
    cblas_dgemm(
      CblasRowMajor, a.isTransposed ? CblasTrans : CblasNoTrans,
      b.isTransposed ? CblasTrans : CblasNoTrans, Int32(rows), Int32(columns), Int32(depth),
      alpha, a.pointer, Int32(a.stride), b.pointer, Int32(b.stride), beta, c, Int32(stride))
  }

  /// An empty sum of products.
  private static func scale<Scalar: BinaryFloatingPoint>(
    rows: Int, columns: Int, by beta: Scalar, _ c: UnsafeMutablePointer<Scalar>, stride: Int
  ) {
    for row in 0..<rows {
      for column in 0..<columns {
        let index = row * stride + column
        c[index] = beta == 0 ? 0 : c[index] * beta
      }
    }
  }
}
