import RunnerTensors
import _RunnerKernels

/// Products of matrices for kernels, on one thread: the runner's own threads share the work out.
package enum GEMM {
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
  static func multiply<Scalar: ProductScalar>(
    rows: Int, columns: Int, depth: Int, alpha: Scalar = 1, _ a: Operand<Scalar>,
    _ b: Operand<Scalar>, beta: Scalar = 0, into c: UnsafeMutablePointer<Scalar>, stride: Int
  ) {
    guard rows > 0, columns > 0 else { return }
    guard depth > 0 else {
      scale(c, rows, columns, stride, by: beta)
      return
    }
    Scalar.gemm(
      rows, columns, depth, alpha, a.pointer, a.rowStep, a.columnStep, b.pointer, b.rowStep,
      b.columnStep, beta, c, stride)
  }

  /// Computes C = beta * C, for a product of depth 0.
  private static func scale<Scalar: FloatingPoint>(
    _ c: UnsafeMutablePointer<Scalar>, _ rows: Int, _ columns: Int, _ stride: Int,
    by factor: Scalar
  ) {
    for row in 0..<rows {
      for column in 0..<columns {
        // With beta = 0, C is overwritten even if it holds NaN.
        c[row * stride + column] = factor == 0 ? 0 : c[row * stride + column] * factor
      }
    }
  }
}

/// An element of matrices that kernels multiply.
protocol ProductScalar: TensorScalar, BinaryFloatingPoint {
  /// The C kernel of ``GEMM/multiply(rows:columns:depth:alpha:_:_:beta:into:stride:)``.
  static var gemm: GEMM.Function<Self> { get }
}

extension GEMM {
  /// Rows, columns, depth and alpha; the left matrix and its steps; the right one and its steps; beta;
  /// the result and its stride.
  package typealias Function<Scalar> = (
    Int, Int, Int, Scalar, UnsafePointer<Scalar>?, Int, Int, UnsafePointer<Scalar>?, Int, Int,
    Scalar, UnsafeMutablePointer<Scalar>?, Int
  ) -> Void
}

extension Float: ProductScalar {
  package static var gemm: GEMM.Function<Float> { rk_gemm_f32 }
}

extension Double: ProductScalar {
  package static var gemm: GEMM.Function<Double> { rk_gemm_f64 }
}
