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
  ///
  /// But AMX adds in another order. Each of its sums may differ by a rounding for every product.
  @Test(
    "Products of bfloat16",
    arguments: [
      NarrowCase(rows: 1, depth: 2, columns: 1), NarrowCase(rows: 7, depth: 30, columns: 17),
      NarrowCase(rows: 29, depth: 64, columns: 40), NarrowCase(rows: 13, depth: 6, columns: 64),
      // For tiles: full ones, those with fewer pairs, and pairs that no tile divides.
      NarrowCase(rows: 50, depth: 96, columns: 33), NarrowCase(rows: 17, depth: 66, columns: 16),
      NarrowCase(rows: 40, depth: 34, columns: 48),
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
    // What the magnitudes of the products add up to.
    var greatest: Float = 0
    for row in 0..<shape.rows {
      for column in 0..<shape.columns {
        var sum: Float = 0
        var size: Float = 0
        for pair in 0..<shape.depth / 2 {
          for index in [2 * pair + 1, 2 * pair] {
            // The product of two such numbers is exact.
            let product =
              rounded(a[row * shape.depth + index]) * rounded(b[index * shape.columns + column])
            sum += product
            size += abs(product)
          }
        }
        greatest = max(greatest, size)
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
        let usesTiles = level == VK_LEVEL_AMX && allowed == 1
        let tolerance = usesTiles ? greatest * Float(shape.depth) * 0x1p-24 : 0
        #expect(
          zip(result, expected).allSatisfy { abs($0 - $1) <= tolerance },
          "level \(level), instructions \(allowed)")
        #expect(result.last == -77)
      }
    }
  }

  struct NarrowConvolution: Sendable {
    var blocks: Int
    var outputs: Int
    var width: Int
    var kernel: Int
    var stride: Int
  }

  @Test(
    "Two blocks of bfloat16 become one, also if the second is missing", arguments: [0, 1, 7, 40])
  func pairs(pixels: Int) {
    let (first, second) = (noise(pixels * 16, seed: 1), noise(pixels * 16, seed: 2))
    var expected: [UInt16] = []
    var alone: [UInt16] = []
    for pixel in 0..<pixels {
      var both = [UInt16](repeating: 0, count: 32)
      rk_f32_to_bf16(Array(first[pixel * 16..<pixel * 16 + 16]), &both, 16)
      alone += both
      var other = [UInt16](repeating: 0, count: 16)
      rk_f32_to_bf16(Array(second[pixel * 16..<pixel * 16 + 16]), &other, 16)
      expected += both[..<16] + other
    }
    atEveryLevel { level in
      var found = [UInt16](repeating: 0xffff, count: pixels * 32)
      rk_f32_to_bf16_pairs(first, second, &found, pixels)
      #expect(found == expected, "level \(level)")
      rk_f32_to_bf16_pairs(first, nil, &found, pixels)
      #expect(found == alone, "level \(level)")
    }
  }

  /// Blocks of 16 channels, with results in blocks too: the same bits in parts, and those of the
  /// baseline but for the order in which AMX adds.
  @Test(
    "Convolutions of bfloat16",
    arguments: [
      NarrowConvolution(blocks: 1, outputs: 16, width: 5, kernel: 1, stride: 1),
      NarrowConvolution(blocks: 3, outputs: 40, width: 21, kernel: 3, stride: 1),
      NarrowConvolution(blocks: 2, outputs: 33, width: 16, kernel: 3, stride: 2),
    ])
  func narrowConvolutions(shape: NarrowConvolution) {
    let height = 4
    let inWidth = (shape.width - 1) * shape.stride + shape.kernel
    let inHeight = (height - 1) * shape.stride + shape.kernel
    let (inputs, taps) = (shape.blocks * 16, shape.kernel * shape.kernel)
    let blocks = (shape.outputs + 15) / 16
    // Each product is at most 1.
    let wide = noise(shape.blocks * inHeight * inWidth * 16, seed: 1, in: -1...1)
    let weights = noise(shape.outputs * inputs * taps, seed: 2, in: -1...1)
    let bias = noise(blocks * 16, seed: 3)
    let count = blocks * height * shape.width * 16
    let residual = noise(count, seed: 4)
    var narrow = [UInt16](repeating: 0, count: wide.count)
    rk_f32_to_bf16(wide, &narrow, wide.count)
    var packed = [UInt16](repeating: 0xffff, count: blocks * 16 * inputs * taps)
    rk_bf16_pack_weights(
      weights, inputs * taps, taps, 1, &packed, shape.outputs, inputs, taps, 16)

    var conv = rk_bf16_conv()
    conv.input_blocks = shape.blocks
    conv.pairs = 8
    conv.taps_y = shape.kernel
    conv.taps_x = shape.kernel
    conv.block_step = inHeight * inWidth * 16
    conv.tap_row = inWidth * 16
    conv.tap_column = 16
    conv.pixel_step = shape.stride * 16
    conv.row_step = shape.stride * inWidth * 16
    conv.outputs = shape.outputs
    conv.out_width = shape.width
    conv.out_block = height * shape.width * 16
    conv.out_pixel = 16
    conv.out_row = shape.width * 16
    conv.residual_block = conv.out_block
    conv.residual_pixel = 16
    conv.residual_row = conv.out_row
    conv.writes_whole_blocks = 1
    func result(inParts: Bool) -> [Float] {
      var result = [Float](repeating: -77, count: count)
      func compute(_ first: Int, _ blocks: Int, _ row: Int, _ rows: Int) {
        rk_bf16_conv_rows(
          &conv, narrow, packed, bias, residual, &result, first, blocks, row, rows)
      }
      if inParts {
        compute(0, 1, 0, height)
        compute(1, blocks - 1, 0, 1)
        compute(1, blocks - 1, 1, height - 1)
      } else {
        compute(0, blocks, 0, height)
      }
      return result
    }
    defer { rk_prefer_bf16_instructions(-1) }
    var expected: [Float] = []
    for allowed: Int32 in [0, 1] {
      rk_prefer_bf16_instructions(allowed)
      atEveryLevel { level in
        let whole = result(inParts: false)
        #expect(whole == result(inParts: true), "level \(level), instructions \(allowed)")
        if expected.isEmpty { expected = whole }
        let usesTiles = level == VK_LEVEL_AMX && allowed == 1
        let products = Float(inputs * taps)
        let tolerance = usesTiles ? products * products * 0x1p-24 : 0
        #expect(
          zip(whole, expected).allSatisfy { abs($0 - $1) <= tolerance },
          "level \(level), instructions \(allowed)")
      }
    }
  }
}
