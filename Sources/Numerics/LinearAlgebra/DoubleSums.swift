#if !canImport(Accelerate)
  import _VectorKernels
#endif

/// Sums in double precision over vectors in either precision, **without checking anything**.
///
/// They use the processor's vector width; the last digits depend on that width.
package enum DoubleSums {
  package static func dot(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, count: Int
  ) -> Double {
    #if canImport(Accelerate)
      plainDot(a, b, count)
    #else
      vk_dot_f32_f32(a, b, count)
    #endif
  }

  package static func dot(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Double>, count: Int
  ) -> Double {
    #if canImport(Accelerate)
      plainDot(a, b, count)
    #else
      vk_dot_f32_f64(a, b, count)
    #endif
  }

  package static func dot(
    _ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, count: Int
  ) -> Double {
    #if canImport(Accelerate)
      plainDot(a, b, count)
    #else
      vk_dot_f64_f64(a, b, count)
    #endif
  }

  /// Adds `scale * x` to `sum`.
  package static func add(
    _ scale: Double, _ x: UnsafePointer<Float>, to sum: UnsafeMutablePointer<Double>, count: Int
  ) {
    #if canImport(Accelerate)
      for index in 0..<count { sum[index] += scale * Double(x[index]) }
    #else
      vk_add_scaled_f32_f64(scale, x, sum, count)
    #endif
  }

  /// Adds `scale * x` to `sum`.
  package static func add(
    _ scale: Double, _ x: UnsafePointer<Double>, to sum: UnsafeMutablePointer<Double>, count: Int
  ) {
    #if canImport(Accelerate)
      for index in 0..<count { sum[index] += scale * x[index] }
    #else
      vk_add_scaled_f64_f64(scale, x, sum, count)
    #endif
  }

  #if canImport(Accelerate)
    private static func plainDot<A: BinaryFloatingPoint, B: BinaryFloatingPoint>(
      _ a: UnsafePointer<A>, _ b: UnsafePointer<B>, _ count: Int
    ) -> Double {
      // Two sums hide some of the latency of one.
      var (even, odd) = (0.0, 0.0)
      var index = 0
      while index + 1 < count {
        even += Double(a[index]) * Double(b[index])
        odd += Double(a[index + 1]) * Double(b[index + 1])
        index += 2
      }
      if index < count { even += Double(a[index]) * Double(b[index]) }
      return even + odd
    }
  #endif
}
