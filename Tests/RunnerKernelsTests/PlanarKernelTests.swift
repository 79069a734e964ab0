import TestSupport
import Testing
import _RunnerKernels

/// A convolution from planes to blocks, of one image.
private struct PlanarCase: CustomStringConvertible {
  var inputs = 3
  var outputs = 16
  var height = 1
  var width = 1
  var kernel = (3, 3)
  var stride = (2, 2)
  var dilation = (1, 1)
  /// Above and left; below and right are one less where that is possible.
  var pads = (1, 1)
  /// Rows of outputs computed by one call.
  var together = 3

  var outHeight: Int { size(height, kernel.0, stride.0, dilation.0, pads.0) }
  var outWidth: Int { size(width, kernel.1, stride.1, dilation.1, pads.1) }
  var blocks: Int { (outputs + 15) / 16 }
  var taps: Int { inputs * kernel.0 * kernel.1 }

  var description: String {
    "\(inputs) to \(outputs) of \(height)x\(width), kernel \(kernel), stride \(stride), "
      + "dilation \(dilation), pads \(pads), \(together) rows"
  }

  private func size(_ input: Int, _ kernel: Int, _ stride: Int, _ dilation: Int, _ pad: Int) -> Int
  {
    let room = input + pad + max(pad - 1, 0) - (kernel - 1) * dilation - 1
    return room < 0 ? 0 : room / stride + 1
  }

  /// Blocks of sixteen, zeros in the channels that there are not.
  func expected(_ input: [Float], _ weights: [Float], _ bias: [Float]) -> [Double] {
    var result = [Double](repeating: 0, count: blocks * outHeight * outWidth * 16)
    for o in 0..<outputs {
      for y in 0..<outHeight {
        for x in 0..<outWidth {
          var sum = Double(bias[o])
          for i in 0..<inputs {
            for ky in 0..<kernel.0 {
              let row = y * stride.0 + ky * dilation.0 - pads.0
              guard (0..<height).contains(row) else { continue }
              for kx in 0..<kernel.1 {
                let column = x * stride.1 + kx * dilation.1 - pads.1
                guard (0..<width).contains(column) else { continue }
                sum +=
                  Double(weights[((o * inputs + i) * kernel.0 + ky) * kernel.1 + kx])
                  * Double(input[(i * height + row) * width + column])
              }
            }
          }
          result[((o / 16 * outHeight + y) * outWidth + x) * 16 + o % 16] = max(sum, 0)
        }
      }
    }
    return result
  }

  func result(_ input: [Float], _ weights: [Float], _ bias: [Float]) -> Guarded {
    var conv = rk_blocked_conv()
    conv.output_blocks = blocks
    conv.output = rk_blocked_layout(
      block_stride: outHeight * outWidth * 16, row_stride: outWidth * 16)
    conv.output_step = 16
    conv.out_height = outHeight
    conv.out_width = outWidth
    conv.kernel_height = kernel.0
    conv.kernel_width = kernel.1
    conv.stride_y = stride.0
    conv.stride_x = stride.1
    conv.dilation_y = dilation.0
    conv.dilation_x = dilation.1
    conv.finish.activation.kind = VK_RELU
    var planes = rk_planar_input(
      channels: inputs, height: height, width: width, pad_top: pads.0, pad_left: pads.1)
    var packed = [Float](repeating: .nan, count: blocks * 16 * taps)
    rk_pack_planar_weights_f32(weights, &packed, outputs, taps)
    var output = Guarded(count: blocks * outHeight * outWidth * 16, offset: 0)
    var scratch = Guarded(count: rk_planar_scratch(&conv, inputs, together), offset: 1)
    output.withPointer { to in
      scratch.withPointer { scratch in
        for row in stride(from: 0, to: outHeight, by: together) {
          rk_planar_conv_f32(
            &conv, &planes, input, packed, bias, to, row, min(together, outHeight - row), scratch)
        }
      }
    }
    #expect(scratch.isIntact, "\(self)")
    return output
  }

  private func stride(from: Int, to: Int, by: Int) -> StrideTo<Int> {
    Swift.stride(from: from, to: to, by: by)
  }
}

extension KernelSuite {
  private func check(_ shape: PlanarCase, seed: UInt64) {
    guard shape.outHeight > 0, shape.outWidth > 0 else { return }
    // A buffer of just the right size, so that a sanitizer sees reads past the image.
    let input = noise(shape.inputs * shape.height * shape.width, seed: seed)
    let weights = noise(shape.outputs * shape.taps, seed: seed + 1, in: -0.5...0.5)
    let bias =
      noise(shape.outputs, seed: seed + 2)
      + [Float](repeating: 0, count: shape.blocks * 16 - shape.outputs)
    let expected = shape.expected(input, weights, bias)
    atEveryLevel { level in
      let output = shape.result(input, weights, bias)
      let difference = firstDifference(
        output.values, expected, relative: 1e-5, absolute: 2e-5)
      #expect(difference == nil, "level \(level), \(shape)")
      #expect(output.isIntact, "level \(level), \(shape)")
    }
  }

  /// The usual first layers, at every width about some tiles.
  @Test(
    "Convolution from planes at every width",
    arguments: [1, 2, 3], [3, 6])
  func planarWidths(stride: Int, kernel: Int) {
    for width in 1...84 {
      check(
        PlanarCase(
          outputs: width % 3 == 0 ? 40 : 16, height: 4 + width % 7, width: width,
          kernel: (kernel, kernel), stride: (stride, stride),
          pads: (kernel / 3, kernel / 3), together: 1 + width % 4),
        seed: UInt64(width))
    }
  }

  @Test("Convolution from planes of every make", arguments: 0..<40 as Range<UInt64>)
  func planarOfEveryMake(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func any(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    for index in 0..<6 {
      check(
        PlanarCase(
          inputs: any(1...5), outputs: any(1...40), height: any(1...16), width: any(1...60),
          kernel: (any(1...7), any(1...7)), stride: (any(1...3), any(1...3)),
          dilation: (any(1...2), any(1...2)), pads: (any(0...4), any(0...4)),
          together: any(1...5)),
        seed: 100 * seed + UInt64(index))
    }
  }
}
