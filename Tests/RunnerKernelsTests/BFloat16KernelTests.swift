import TestSupport
import Testing
import _RunnerKernels

/// A number rounded to bfloat16.
private func rounded(_ value: Float) -> Float {
  var bits: UInt16 = 0
  var result: Float = 0
  rk_f32_to_bf16([value], &bits, 1)
  rk_bf16_to_f32([bits], &result, 1)
  return result
}

extension KernelSuite {
  struct NarrowCase: Sendable {
    var rows: Int
    var depth: Int
    var columns: Int
  }

  /// The same sums in the same order, so that every level gives the same bits.
  @Test(
    "Products of bfloat16",
    arguments: [
      NarrowCase(rows: 1, depth: 2, columns: 1), NarrowCase(rows: 7, depth: 30, columns: 17),
      NarrowCase(rows: 29, depth: 64, columns: 40), NarrowCase(rows: 13, depth: 6, columns: 64),
    ])
  func narrowProducts(shape: NarrowCase) {
    let a = noise(shape.rows * shape.depth, seed: 1)
    let b = noise(shape.depth * shape.columns, seed: 2)
    let bias = noise((shape.columns + 15) / 16 * 16, seed: 3)
    let residual = noise(shape.rows * shape.columns, seed: 4)
    var narrow = [UInt16](repeating: 0, count: a.count)
    rk_f32_to_bf16(a, &narrow, a.count)
    var packed = [UInt16](repeating: 0xffff, count: bias.count * shape.depth)
    rk_bf16_pack_weights(
      b, 1, shape.columns, 0, &packed, shape.columns, shape.depth, 1, shape.depth)
    var expected: [Float] = []
    for row in 0..<shape.rows {
      for column in 0..<shape.columns {
        var sum: Float = 0
        for pair in 0..<shape.depth / 2 {
          for index in [2 * pair + 1, 2 * pair] {
            // The product of two such numbers is exact.
            sum +=
              rounded(a[row * shape.depth + index]) * rounded(b[index * shape.columns + column])
          }
        }
        expected.append(max(sum + bias[column], 0) + residual[row * shape.columns + column])
      }
    }
    defer { rk_prefer_bf16_instructions(-1) }
    for allowed: Int32 in [0, 1] {
      rk_prefer_bf16_instructions(allowed)
      atEveryLevel { level in
        var conv = rk_bf16_conv()
        conv.input_blocks = 1
        conv.pairs = shape.depth / 2
        conv.taps_y = 1
        conv.taps_x = 1
        conv.pixel_step = shape.depth
        conv.outputs = shape.columns
        conv.out_width = shape.rows
        conv.out_block = 16
        conv.out_pixel = shape.columns
        conv.residual_block = 16
        conv.residual_pixel = shape.columns
        conv.finish.activation.kind = VK_RELU
        var result = [Float](repeating: -77, count: expected.count + 1)
        rk_bf16_conv_rows(
          &conv, narrow, packed, bias, residual, &result, 0, bias.count / 16, 0, 1)
        #expect(Array(result.dropLast()) == expected, "level \(level), instructions \(allowed)")
        #expect(result.last == -77)
      }
    }
  }
}
