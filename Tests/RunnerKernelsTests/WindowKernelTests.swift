import TestSupport
import Testing
import _RunnerKernels

/// A window with its output size worked out.
private func window(
  _ height: Int, _ width: Int, kernel: (Int, Int), stride: (Int, Int) = (1, 1),
  dilation: (Int, Int) = (1, 1), pads: (Int, Int, Int, Int) = (0, 0, 0, 0), ceil: Bool = false
) -> rk_window? {
  func size(_ input: Int, _ kernel: Int, _ stride: Int, _ dilation: Int, _ pads: Int) -> Int {
    let room = input + pads - (kernel - 1) * dilation - 1
    return room < 0 ? 0 : (room + (ceil ? stride - 1 : 0)) / stride + 1
  }
  let outHeight = size(height, kernel.0, stride.0, dilation.0, pads.0 + pads.2)
  let outWidth = size(width, kernel.1, stride.1, dilation.1, pads.1 + pads.3)
  guard outHeight > 0, outWidth > 0 else { return nil }
  return rk_window(
    in_height: height, in_width: width, out_height: outHeight, out_width: outWidth,
    kernel_height: kernel.0, kernel_width: kernel.1, stride_y: stride.0, stride_x: stride.1,
    dilation_y: dilation.0, dilation_x: dilation.1, pad_top: pads.0, pad_left: pads.1,
    pad_bottom: pads.2, pad_right: pads.3)
}

/// Windows of all kinds: the special kernels at every width up to 70, and odd ones.
private let windows: [rk_window] = {
  var windows: [rk_window?] = []
  for width in 1...70 {
    let height = 1 + width % 9
    for kernel in [3, 5] {
      for stride in [1, 2] {
        let pad = kernel / 2
        windows.append(
          window(
            height, width, kernel: (kernel, kernel), stride: (stride, stride),
            pads: (pad, pad, pad, pad)))
        windows.append(
          window(
            height + 4, width + 4, kernel: (kernel, kernel), stride: (stride, stride),
            pads: (0, 1, 2, 0)))
      }
    }
  }
  var generator = SeededGenerator(seed: 77)
  func any(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  for _ in 0..<120 {
    windows.append(
      window(
        any(1...20), any(1...40), kernel: (any(1...7), any(1...7)),
        stride: (any(1...4), any(1...4)),
        dilation: (any(1...3), any(1...3)), pads: (any(0...4), any(0...4), any(0...4), any(0...4)),
        ceil: any(0...1) == 1))
  }
  // Wider and taller than a tile.
  windows.append(window(200, 130, kernel: (3, 3), pads: (1, 1, 1, 1)))
  windows.append(window(3, 5000, kernel: (3, 3), stride: (2, 2), pads: (1, 1, 1, 1)))
  windows.append(window(9, 4000, kernel: (5, 5), pads: (2, 2, 2, 2)))
  // No tile holds these.
  windows.append(window(120, 90, kernel: (120, 90)))
  windows.append(window(3, 9000, kernel: (2, 2), dilation: (1, 8500)))
  windows.append(window(4, 40, kernel: (1, 1), stride: (9000, 9000)))
  return windows.compactMap { $0 }
}()

extension KernelSuite {
  @Test("Depthwise convolution")
  func depthwise() {
    #expect(windows.count > 500)
    for (index, w) in windows.enumerated() {
      let multiplier = 1 + index % 2
      let channels = 2 * multiplier
      let input = noise(2 * w.in_height * w.in_width, seed: 3)
      let weights = noise(channels * w.kernel_height * w.kernel_width, seed: 4, in: -0.5...0.5)
      let bias = index % 3 == 0 ? nil : noise(channels, seed: 5)
      let activation = KernelSuite.activations[index % 9]
      let expected = Twin.depthwise(
        input, weights: weights, bias: bias, channels: channels, multiplier: multiplier, w,
        activation)
      atEveryLevel { level in
        var output = Guarded(count: channels * w.out_height * w.out_width, offset: index % 4)
        withUnsafePointer(to: w) { window in
          output.withPointer {
            rk_depthwise_f32(input, weights, bias, $0, channels, multiplier, window, activation)
          }
        }
        // 10,800 products in the largest window.
        let absolute = w.kernel_height * w.kernel_width > 100 ? 1e-3 : 1e-5
        #expect(
          firstDifference(output.values, expected, relative: 1e-5, absolute: absolute) == nil,
          "\(w), level \(level)")
        #expect(output.isIntact)
      }
    }
  }

  @Test("Columns for a convolution as a matrix product")
  func im2col() {
    for (index, w) in windows.enumerated() where w.kernel_height * w.kernel_width < 100 {
      let input = noise(2 * w.in_height * w.in_width, seed: 6)
      let first = w.out_height / 3
      let rows = first..<max(w.out_height - index % 2, first + 1)
      let expected = Twin.im2col(input, channels: 2, w, rows: rows)
      let stride = rows.count * w.out_width
      var output = Guarded(count: expected.count, offset: index % 4)
      withUnsafePointer(to: w) { window in
        output.withPointer { rk_im2col_f32(input, $0, 2, window, first, rows.count, stride) }
      }
      #expect(firstDifference(output.values, expected, relative: 0) == nil, "\(w)")
      #expect(output.isIntact)
    }
  }

  @Test("Maximum and average pooling")
  func pooling() {
    for (index, w) in windows.enumerated() {
      var input = noise(2 * w.in_height * w.in_width, seed: 7)
      let averages = [false, true].map {
        Twin.averagePool(input, channels: 2, w, countPadding: $0)
      }
      let plain = input
      if index % 5 == 0 { input[input.count / 2] = .nan }
      let greatest = Twin.maxPool(input, channels: 2, w)
      atEveryLevel { level in
        withUnsafePointer(to: w) { window in
          var output = Guarded(count: greatest.count, offset: index % 4)
          output.withPointer { rk_max_pool_f32(input, $0, 2, window) }
          #expect(
            firstDifference(output.values, greatest, relative: 0) == nil, "\(w), level \(level)")
          #expect(output.isIntact)
          for (countPadding, expected) in averages.enumerated() {
            var output = Guarded(count: expected.count, offset: index % 4)
            output.withPointer {
              rk_average_pool_f32(plain, $0, 2, window, Int32(countPadding))
            }
            #expect(
              firstDifference(output.values, expected, relative: 1e-5, absolute: 1e-6) == nil,
              "\(w), padding \(countPadding), level \(level)")
            #expect(output.isIntact)
          }
        }
      }
    }
  }
}
