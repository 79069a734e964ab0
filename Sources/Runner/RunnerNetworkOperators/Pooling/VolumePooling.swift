import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

/// What is made of the values under a window.
enum PoolingKind {
  case maximum
  case average(countsPadding: Bool)

  fileprivate var isMaximum: Bool {
    if case .maximum = self { true } else { false }
  }
}

extension SlidingWindow.Axis {
  /// How many taps of the window at an output place lie on the input or its padding.
  func paddedTaps(of place: Int) -> Int {
    let room = input + padBegin + padEnd - place * stride
    return min(kernel, max(0, (room - 1) / dilation + 1))
  }

  /// The input places under the window at an output place.
  func taps(of place: Int) -> [Int] {
    let start = place * stride - padBegin
    return (0..<kernel).map { start + $0 * dilation }.filter { $0 >= 0 && $0 < input }
  }
}

extension PoolingFrame {
  /// Volumes of `float32`, pooled separably: first the slices under the window to one, then this as a
  /// plane.
  ///
  /// A mean is that of the plane by the number of slices that count.
  func pooledVolumes(
    _ input: Tensor, _ kind: PoolingKind, _ context: KernelContext
  ) throws -> Tensor {
    let output = try context.allocate(.float32, self.output)
    guard output.count > 0 else { return output }
    let axis = axes[0]
    let window = SlidingWindow.plane(Array(axes[1...]))
    let pixels = window.in_height * window.in_width
    let results = window.out_height * window.out_width
    let source = input.pointer(to: Float.self)
    let target = output.mutablePointer(to: Float.self)
    let slices = (0..<axis.output).map { axis.taps(of: $0) }
    try context.parallel(planes, scratch: axis.output * pixels) { volume, merged in
      let from = source + volume * inputPixels
      for (slice, places) in slices.enumerated() {
        let sum = merged + slice * pixels
        guard let first = places.first else {
          // A window wholly in the padding.
          sum.update(repeating: kind.isMaximum ? -.infinity : 0, count: pixels)
          continue
        }
        if places.count == 1 { sum.update(from: from + first * pixels, count: pixels) }
        var known = from + first * pixels
        for place in places.dropFirst() {
          rk_binary_f32(
            kind.isMaximum ? RK_MAX : RK_ADD, known, 1, from + place * pixels, 1, sum, pixels)
          known = UnsafePointer(sum)
        }
      }
      let result = target + volume * axis.output * results
      withUnsafePointer(to: window) { window in
        switch kind {
        case .maximum: rk_max_pool_f32(merged, result, axis.output, window)
        case .average(let countsPadding):
          rk_average_pool_f32(merged, result, axis.output, window, countsPadding ? 1 : 0)
        }
      }
      guard case .average(let countsPadding) = kind else { return }
      for (slice, places) in slices.enumerated() {
        var count = Float(countsPadding ? axis.paddedTaps(of: slice) : places.count)
        let means = result + slice * results
        if count > 1 { rk_binary_f32(RK_DIV, means, 1, &count, 0, means, results) }
      }
    }
    return output
  }
}
