import RunnerGraph
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
    try context.parallel(planes, scratch: pixels) { volume, merged in
      for (slice, places) in slices.enumerated() {
        let result = target + (volume * axis.output + slice) * results
        guard let first = places.first else {
          // A window wholly in the padding.
          result.update(repeating: kind.isMaximum ? -.infinity : 0, count: results)
          continue
        }
        let volume = source + volume * inputPixels
        var from = volume + first * pixels
        for place in places.dropFirst() {
          rk_binary_f32(
            kind.isMaximum ? RK_MAX : RK_ADD, from, 1, volume + place * pixels, 1, merged, pixels)
          from = UnsafePointer(merged)
        }
        withUnsafePointer(to: window) { window in
          switch kind {
          case .maximum: rk_max_pool_f32(from, result, 1, window)
          case .average(let countsPadding):
            rk_average_pool_f32(from, result, 1, window, countsPadding ? 1 : 0)
          }
        }
        if case .average(let countsPadding) = kind {
          var count = Float(countsPadding ? axis.paddedTaps(of: slice) : places.count)
          if count > 1 { rk_binary_f32(RK_DIV, result, 1, &count, 0, result, results) }
        }
      }
    }
    return output
  }
}
