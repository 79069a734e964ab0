import LinearAlgebra
import _RunnerKernels

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

  /// The library's own threads would fight with the session's.
  static let isSingleThreaded: Bool = {
    BLASThreads.set(1)
    return true
  }()

  /// `c = alpha a b + beta c`, where `a` is rows x depth and `b` depth x columns, as used.
  static func multiply(
    rows: Int, columns: Int, depth: Int, alpha: Float = 1, _ a: Operand<Float>,
    _ b: Operand<Float>, beta: Float = 0, into c: UnsafeMutablePointer<Float>, stride: Int
  ) {
    guard rows > 0, columns > 0 else { return }
    #if !canImport(Accelerate)
      if depth > 0, rk_level() > RK_LEVEL_BASELINE {
        // OpenBLAS has good kernels for processors it knows by name, and some of ten years ago for
        // newer ones; ours goes by what the processor can do.
        rk_gemm_f32(
          rows, columns, depth, alpha, a.pointer, a.isTransposed ? 1 : a.stride,
          a.isTransposed ? a.stride : 1, b.pointer, b.isTransposed ? 1 : b.stride,
          b.isTransposed ? b.stride : 1, beta, c, stride)
        return
      }
    #endif
    LinearAlgebra.BLAS.uncheckedGEMM(
      shape(rows, columns, depth, a, b, stride), alpha: alpha, a: a.pointer, b: b.pointer,
      beta: beta, c: c)
  }

  /// The same in float64.
  static func multiply(
    rows: Int, columns: Int, depth: Int, alpha: Double = 1, _ a: Operand<Double>,
    _ b: Operand<Double>, beta: Double = 0, into c: UnsafeMutablePointer<Double>, stride: Int
  ) {
    guard rows > 0, columns > 0 else { return }
    LinearAlgebra.BLAS.uncheckedGEMM(
      shape(rows, columns, depth, a, b, stride), alpha: alpha, a: a.pointer, b: b.pointer,
      beta: beta, c: c)
  }

  private static func shape<Scalar>(
    _ rows: Int, _ columns: Int, _ depth: Int, _ a: Operand<Scalar>, _ b: Operand<Scalar>,
    _ stride: Int
  ) -> GEMMShape {
    GEMMShape(
      m: Int32(rows), n: Int32(columns), k: Int32(depth), transposesA: a.isTransposed,
      transposesB: b.isTransposed, aStride: Int32(max(a.stride, 1)),
      bStride: Int32(max(b.stride, 1)), cStride: Int32(max(stride, 1)))
  }
}
