import _RunnerKernels

/// Products of float32 and float64 matrices for kernels, on one thread: the runner's own threads share
/// the work out.
enum GEMM {
  /// A matrix in row-major order: the first element, how far apart rows are, whether it is used
  /// transposed.
  struct Operand<Scalar> {
    let pointer: UnsafePointer<Scalar>
    let stride: Int
    var isTransposed = false

    fileprivate var rowStep: Int { isTransposed ? 1 : stride }
    fileprivate var columnStep: Int { isTransposed ? stride : 1 }
  }

  /// Extents beyond this are refused, so that no product of two of them overflows.
  static let maximumExtent = Int(Int32.max)

  /// `c = alpha a b + beta c`, where `a` is rows x depth and `b` depth x columns, as used.
  static func multiply(
    rows: Int, columns: Int, depth: Int, alpha: Float = 1, _ a: Operand<Float>,
    _ b: Operand<Float>, beta: Float = 0, into c: UnsafeMutablePointer<Float>, stride: Int
  ) {
    guard rows > 0, columns > 0 else { return }
    guard depth > 0 else {
      scale(c, rows, columns, stride, by: beta)
      return
    }
    rk_gemm_f32(
      rows, columns, depth, alpha, a.pointer, a.rowStep, a.columnStep, b.pointer, b.rowStep,
      b.columnStep, beta, c, stride)
  }

  /// The same in float64.
  static func multiply(
    rows: Int, columns: Int, depth: Int, alpha: Double = 1, _ a: Operand<Double>,
    _ b: Operand<Double>, beta: Double = 0, into c: UnsafeMutablePointer<Double>, stride: Int
  ) {
    guard rows > 0, columns > 0 else { return }
    guard depth > 0 else {
      scale(c, rows, columns, stride, by: beta)
      return
    }
    rk_gemm_f64(
      rows, columns, depth, alpha, a.pointer, a.rowStep, a.columnStep, b.pointer, b.rowStep,
      b.columnStep, beta, c, stride)
  }

  /// What is left of a product without depth.
  private static func scale<Scalar: FloatingPoint>(
    _ c: UnsafeMutablePointer<Scalar>, _ rows: Int, _ columns: Int, _ stride: Int,
    by factor: Scalar
  ) {
    for row in 0..<rows {
      for column in 0..<columns {
        // What is not wanted need not be a number.
        c[row * stride + column] = factor == 0 ? 0 : c[row * stride + column] * factor
      }
    }
  }
}
