import RunnerGraph
import RunnerOperators
import _RunnerKernels

/// What a volume takes beyond a plane: its slices are planes, and the window reaches over several.
extension ConvolutionJob {
  /// Columns for some rows of the output, counted through all its slices.
  ///
  /// A row of the columns is a channel and a tap. `window` is that of the two innermost axes.
  func gather(
    _ planes: UnsafePointer<Float>, channels: Int, _ window: rk_window, rows: Range<Int>,
    into columns: UnsafeMutablePointer<Float>, stride: Int
  ) {
    withUnsafePointer(to: window) { window in
      guard shape.axes.count == 3 else {
        rk_im2col_f32(planes, columns, channels, window, rows.lowerBound, rows.count, stride)
        return
      }
      var row = rows.lowerBound
      var target = columns
      while row < rows.upperBound {
        let (slice, first) = row.quotientAndRemainder(dividingBy: window.pointee.out_height)
        let count = min(window.pointee.out_height - first, rows.upperBound - row)
        gather(
          slice, planes, channels: channels, window, rows: first..<first + count, into: target,
          stride: stride)
        row += count
        target += count * window.pointee.out_width
      }
    }
  }

  /// Columns for some rows of one slice of the output.
  private func gather(
    _ slice: Int, _ planes: UnsafePointer<Float>, channels: Int, _ window: UnsafePointer<rk_window>,
    rows: Range<Int>, into columns: UnsafeMutablePointer<Float>, stride: Int
  ) {
    let axis = shape.axes[0]
    let pixels = window.pointee.in_height * window.pointee.in_width
    let taps = window.pointee.kernel_height * window.pointee.kernel_width
    var target = columns
    for channel in 0..<channels {
      for tap in 0..<axis.kernel {
        let source = slice * axis.stride - axis.padBegin + tap * axis.dilation
        if source >= 0, source < axis.input {
          rk_im2col_f32(
            planes + (channel * axis.input + source) * pixels, target, 1, window, rows.lowerBound,
            rows.count, stride)
        } else {
          for row in 0..<taps {
            (target + row * stride).update(
              repeating: 0, count: rows.count * window.pointee.out_width)
          }
        }
        target += taps * stride
      }
    }
  }

  /// One channel a group: each slice of the output is a sum of plane convolutions, one for each slice
  /// under the window.
  func depthwiseVolumes() throws {
    let window = SlidingWindow.plane(shape.planeAxes)
    let axis = shape.axes[0]
    let multiplier = shape.groupOutputs
    let pixels = window.out_height * window.out_width
    let inputPixels = window.in_height * window.in_width
    let taps = window.kernel_height * window.kernel_width
    let outputs = shape.group * multiplier
    let identity = Activation?.none.kernelFormOrIdentity
    try context.parallel(shape.batch * outputs, scratch: pixels) { item, products in
      let channel = item % outputs
      let source = input + (item / outputs * shape.group + channel / multiplier) * shape.inputPixels
      for slice in 0..<axis.output {
        let target = output + (item * axis.output + slice) * pixels
        var isSet = false
        for tap in 0..<axis.kernel {
          let place = slice * axis.stride - axis.padBegin + tap * axis.dilation
          guard place >= 0, place < axis.input else { continue }
          withUnsafePointer(to: window) { window in
            rk_depthwise_f32(
              source + place * inputPixels, weights + (channel * axis.kernel + tap) * taps,
              isSet ? nil : bias.map { $0 + channel }, isSet ? products : target, 1, 1, window,
              identity)
          }
          if isSet { rk_axpy_f32(1, products, target, pixels) }
          isSet = true
        }
        if !isSet { target.update(repeating: bias?[channel] ?? 0, count: pixels) }
        rk_activate_f32(target, target, pixels, activation)
      }
    }
  }
}
