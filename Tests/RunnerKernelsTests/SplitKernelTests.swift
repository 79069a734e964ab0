import TestSupport
import Testing
import _RunnerKernels

extension KernelSuite {
  struct SplitCase: Sendable, CustomTestStringConvertible {
    var inputs: Int
    var outputs: Int
    var height: Int
    var width: Int
    var kernel = 1
    var stride = 1
    var dilation = 1
    var activation = VK_IDENTITY

    var testDescription: String {
      "\(inputs) to \(outputs), \(width)x\(height), \(kernel)/\(stride)"
    }

    var inHeight: Int { (height - 1) * stride + (kernel - 1) * dilation + 1 }
    var inWidth: Int { (width - 1) * stride + (kernel - 1) * dilation + 1 }

    /// A convolution of rows of pixels, all of whose channels lie side by side.
    var conv: rk_split_conv {
      var conv = rk_split_conv()
      conv.inputs = inputs
      (conv.in_block, conv.in_pixel, conv.in_row) = (16, inputs, inWidth * inputs)
      (conv.taps_y, conv.taps_x) = (kernel, kernel)
      (conv.stride_y, conv.stride_x) = (stride, stride)
      (conv.dilation_y, conv.dilation_x) = (dilation, dilation)
      (conv.outputs, conv.out_width) = (outputs, width)
      (conv.out_block, conv.out_pixel, conv.out_row) = (16, outputs, width * outputs)
      (conv.residual_block, conv.residual_pixel, conv.residual_row) = (
        16, outputs, width * outputs
      )
      conv.finish.activation.kind = activation
      return conv
    }

    func packed(_ weights: [Float]) -> [UInt16] {
      let taps = kernel * kernel
      var packed = [UInt16](repeating: 0, count: rk_split_packed_size(outputs, inputs, taps))
      rk_split_pack_weights(
        weights, inputs * taps, taps, 1, 1, &packed, outputs, inputs, taps)
      return packed
    }

    /// The sum of one output, in double precision.
    func sum(_ input: [Float], _ weights: [Float], y: Int, x: Int, output: Int) -> Double {
      var sum = 0.0
      for ty in 0..<kernel {
        for tx in 0..<kernel {
          let pixel = (y * stride + ty * dilation) * inWidth + x * stride + tx * dilation
          for channel in 0..<inputs {
            sum +=
              Double(input[pixel * inputs + channel])
              * Double(weights[((output * inputs + channel) * kernel + ty) * kernel + tx])
          }
        }
      }
      return sum
    }
  }

  private static let splitCases = [
    SplitCase(inputs: 1, outputs: 1, height: 1, width: 1),
    SplitCase(inputs: 64, outputs: 32, height: 1, width: 50),
    SplitCase(inputs: 77, outputs: 45, height: 1, width: 33, activation: VK_GELU),
    SplitCase(inputs: 160, outputs: 16, height: 5, width: 7, activation: VK_SILU),
    SplitCase(inputs: 40, outputs: 50, height: 6, width: 9, kernel: 3, activation: VK_RELU),
    SplitCase(inputs: 33, outputs: 17, height: 4, width: 18, kernel: 3, stride: 2),
    SplitCase(inputs: 16, outputs: 31, height: 3, width: 5, kernel: 3, dilation: 2),
    // So many inputs that their sums are added up in several passes.
    SplitCase(inputs: 512, outputs: 20, height: 5, width: 19, kernel: 3, stride: 2),
    SplitCase(inputs: 500, outputs: 17, height: 6, width: 21, kernel: 3),
    SplitCase(inputs: 64, outputs: 48, height: 9, width: 20, kernel: 3),
    SplitCase(inputs: 45, outputs: 33, height: 1, width: 65, activation: VK_RELU),
  ]

  /// Runs `body` if there are products by parts.
  private func withParts(_ body: () throws -> Void) rethrows {
    vk_force_level(-1)
    guard rk_splits_products() != 0 else { return }
    try body()
  }

  private func run(
    _ test: SplitCase, _ input: [Float], _ packed: [UInt16], bias: [Float]?, residual: [Float]?,
    blocks: Int = .max, rows: Int = .max
  ) -> [Float] {
    var conv = test.conv
    let count = test.height * test.width * test.outputs
    var result = Guarded(count: count, offset: 3)
    let rows = min(rows, test.height)
    let scratch = UnsafeMutableRawPointer.allocate(
      byteCount: rk_split_scratch(&conv, rows), alignment: 64)
    defer { scratch.deallocate() }
    let all = (test.outputs + 15) / 16
    result.withPointer { to in
      for block in Swift.stride(from: 0, to: all, by: min(blocks, all)) {
        for row in Swift.stride(from: 0, to: test.height, by: rows) {
          // Numbers that are left there from before must not matter.
          scratch.initializeMemory(
            as: UInt8.self, repeating: 0xff, count: rk_split_scratch(&conv, rows))
          rk_split_conv_rows(
            &conv, input, packed, bias, residual, to, block, min(min(blocks, all), all - block),
            row, min(rows, test.height - row), scratch)
        }
      }
    }
    #expect(result.isIntact)
    return result.values
  }

  /// As exact as sums in float32, whose errors grow with the number of products.
  @Test("Products by parts", arguments: splitCases)
  func splitProducts(test: SplitCase) {
    withParts {
      let input = noise(test.inHeight * test.inWidth * test.inputs, seed: 1)
      let weights = noise(test.outputs * test.inputs * test.kernel * test.kernel, seed: 2)
      let bias = noise(test.outputs, seed: 3)
      let residual = noise(test.height * test.width * test.outputs, seed: 4)
      let packed = test.packed(weights)
      let activated = run(test, input, packed, bias: nil, residual: nil)
      var linear = test
      linear.activation = VK_IDENTITY
      var greatest = 0.0
      var error = 0.0
      let sums = run(linear, input, packed, bias: nil, residual: nil)
      for y in 0..<test.height {
        for x in 0..<test.width {
          for output in 0..<test.outputs {
            let expected = test.sum(input, weights, y: y, x: x, output: output)
            let sum = Double(sums[(y * test.width + x) * test.outputs + output])
            greatest = max(greatest, abs(expected))
            error = max(error, abs(expected - sum))
          }
        }
      }
      let products = Double(test.inputs * test.kernel * test.kernel)
      #expect(error <= 1e-6 * max(1, products / 1000) * max(greatest, 1), "\(error)")
      var wanted = [Float](repeating: 0, count: sums.count)
      rk_activate_f32(sums, &wanted, sums.count, test.conv.finish.activation)
      #expect(zip(activated, wanted).allSatisfy { abs($0 - $1) <= 1e-6 * max(1, abs($1)) })
      let finished = run(linear, input, packed, bias: bias, residual: residual)
      for index in finished.indices {
        let expected = sums[index] + bias[index % test.outputs] + residual[index]
        #expect(abs(finished[index] - expected) <= 1e-6 * max(1, abs(expected)))
      }
    }
  }

  @Test("Products by parts do not depend on what a call covers", arguments: splitCases)
  func splitPieces(test: SplitCase) {
    withParts {
      let input = noise(test.inHeight * test.inWidth * test.inputs, seed: 5)
      let packed = test.packed(
        noise(test.outputs * test.inputs * test.kernel * test.kernel, seed: 6))
      let whole = run(test, input, packed, bias: nil, residual: nil)
      #expect(run(test, input, packed, bias: nil, residual: nil, blocks: 1, rows: 1) == whole)
      #expect(run(test, input, packed, bias: nil, residual: nil, blocks: 2, rows: 3) == whole)
    }
  }

  /// Parts of infinite and of the greatest numbers would be NaN.
  @Test("Numbers that are not finite stay what they are in products by parts")
  func splitInfinities() {
    withParts {
      let nans: [Float] = [0x7f80_0001, 0x7fff_ffff, 0xffff_ffff].map { Float(bitPattern: $0) }
      for value in nans + [.infinity, -.infinity, .nan, 3.4e38] {
        let test = SplitCase(inputs: 64, outputs: 40, height: 1, width: 20)
        var input = [Float](repeating: 1, count: 20 * 64)
        var weights = [Float](repeating: 0.25, count: 40 * 64)
        input[7 * 64 + 3] = value
        weights[5 * 64 + 3] = -0.25
        weights[6 * 64 + 3] = 0
        let result = run(test, input, test.packed(weights), bias: nil, residual: nil)
        for x in 0..<20 {
          for output in 0..<40 {
            let weight = weights[output * 64 + 3]
            let expected = x == 7 ? value * weight + 63 * 0.25 : 63 * 0.25 + weight
            let found = result[x * 40 + output]
            #expect(
              found == expected || (found.isNaN && expected.isNaN)
                || abs(found - expected) <= 1e-6 * abs(expected),
              "\(value) at \(x), \(output)")
          }
        }
        // Of the weights.
        let one = [Float](repeating: 1, count: 20 * 64)
        weights = [Float](repeating: 0.25, count: 40 * 64)
        weights[9 * 64 + 2] = value
        let sums = run(test, one, test.packed(weights), bias: nil, residual: nil)
        #expect(sums[8] == 16 && sums[10] == 16)
        #expect(value.isNaN ? sums[9].isNaN : abs(sums[9] / value - 1) < 1e-6 || sums[9] == value)
      }
    }
  }
}
