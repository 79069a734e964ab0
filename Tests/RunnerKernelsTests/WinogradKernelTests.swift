import TestSupport
import Testing
import _RunnerKernels

/// A 3x3 convolution of one image on blocks, by Winograd's method with weights transformed as they are
/// needed.
private struct WinogradCase: CustomStringConvertible {
  var inputs: Int
  var outputs: Int
  var height: Int
  var width: Int

  var description: String { "\(inputs) to \(outputs) of \(height)x\(width)" }
  var inputBlocks: Int { (inputs + 15) / 16 }
  var outputBlocks: Int { (outputs + 15) / 16 }

  /// Direct sums in the precision of `Sum`.
  func expected<Sum: BinaryFloatingPoint>(
    _ input: [Float], _ weights: [Float], _ bias: [Float], as _: Sum.Type = Double.self
  ) -> [Sum] {
    var result = [Sum](repeating: 0, count: outputBlocks * height * width * 16)
    for o in 0..<outputs {
      for y in 0..<height {
        for x in 0..<width {
          var sum = Sum(bias[o])
          for i in 0..<inputs {
            for tap in 0..<9 {
              let (row, column) = (y + tap / 3 - 1, x + tap % 3 - 1)
              guard (0..<height).contains(row), (0..<width).contains(column) else { continue }
              sum +=
                Sum(weights[(o * inputs + i) * 9 + tap])
                * Sum(input[(i * height + row) * width + column])
            }
          }
          result[((o / 16 * height + y) * width + x) * 16 + o % 16] = max(sum, 0)
        }
      }
    }
    return result
  }

  func result(_ input: [Float], _ weights: [Float], _ bias: [Float]) -> Guarded {
    let (rows, columns) = (height + 2, width + 2)
    var blocks = Guarded(
      [Float](repeating: 0, count: inputBlocks * rows * columns * 16), offset: 3)
    blocks.withPointer { to in
      for i in 0..<inputs {
        for y in 0..<height {
          for x in 0..<width {
            to[((i / 16 * rows + y + 1) * columns + x + 1) * 16 + i % 16] =
              input[(i * height + y) * width + x]
          }
        }
      }
    }
    var conv = rk_blocked_conv()
    conv.input_blocks = inputBlocks
    conv.output_blocks = outputBlocks
    conv.last_input_depth = inputs - (inputBlocks - 1) * 16
    conv.input = rk_blocked_layout(block_stride: rows * columns * 16, row_stride: columns * 16)
    conv.output = rk_blocked_layout(block_stride: height * width * 16, row_stride: width * 16)
    conv.output_step = 16
    (conv.out_height, conv.out_width) = (height, width)
    conv.finish.activation.kind = VK_RELU
    let tiles = ((height + 3) / 4) * ((width + 3) / 4)
    let plane = rk_winograd_plane(inputBlocks, tiles)
    var packed = [Float](repeating: .nan, count: inputBlocks * outputBlocks * 9 * 256)
    rk_pack_conv_weights_f32(weights, &packed, outputs, inputs, 9)
    let shifts = bias + [Float](repeating: 0, count: outputBlocks * 16 - outputs)
    var patches = Guarded(count: 36 * plane, offset: 1)
    var output = Guarded(count: outputBlocks * height * width * 16, offset: 0)
    var scratch = Guarded(count: rk_winograd_fresh_scratch(tiles), offset: 2)
    let pairs = (outputBlocks + 1) / 2
    blocks.withPointer { from in
      patches.withPointer { patches in
        rk_winograd_transform_f32(
          &conv, from, patches, plane, 0, tiles, tiles, 0, inputBlocks)
        output.withPointer { to in
          scratch.withPointer { scratch in
            // A pair by itself, then the rest.
            for (first, count) in [(0, 1), (1, pairs - 1)] where count > 0 {
              rk_winograd_fresh_f32(
                &conv, patches, plane, tiles, packed, shifts, nil, to, first, count, 0, tiles,
                scratch)
            }
          }
        }
      }
    }
    #expect(patches.isIntact && scratch.isIntact)
    return output
  }
}

extension KernelSuite {
  @Test("Winograd's method with weights transformed as they are needed")
  func freshWinograd() {
    let cases = [
      WinogradCase(inputs: 16, outputs: 16, height: 7, width: 7),
      WinogradCase(inputs: 5, outputs: 37, height: 3, width: 9),
      WinogradCase(inputs: 70, outputs: 64, height: 5, width: 4),
      WinogradCase(inputs: 144, outputs: 80, height: 1, width: 13),
      WinogradCase(inputs: 64, outputs: 33, height: 12, width: 10),
    ]
    for (index, item) in cases.enumerated() {
      let input = noise(item.inputs * item.height * item.width, seed: UInt64(index))
      let weights = noise(item.inputs * item.outputs * 9, seed: UInt64(index) + 50)
      let bias = noise(item.outputs, seed: UInt64(index) + 90)
      let expected = item.expected(input, weights, bias)
      let block = item.height * item.width * 16
      atEveryLevel { level in
        let found = item.result(input, weights, bias)
        let values = (0..<expected.count).map { (place: Int) -> Float in
          // Channels past the last are not told.
          let channel = place / block * 16 + place % 16
          return channel < item.outputs ? found.values[place] : 0
        }
        #expect(
          firstDifference(values, expected, relative: 2e-5, absolute: 1e-4) == nil,
          "\(item), level \(level)")
        #expect(found.isIntact)
      }
    }
  }

  /// With the points of the paper that first described the method, it is about ten times.
  @Test("Winograd's largest error is at most three times that of direct sums in float32")
  func winogradError() {
    let item = WinogradCase(inputs: 128, outputs: 16, height: 16, width: 16)
    let input = noise(item.inputs * item.height * item.width, seed: 7).map { max($0, 0) }
    let weights = noise(item.inputs * item.outputs * 9, seed: 8)
    let bias = [Float](repeating: 0, count: item.outputs)
    let exact = item.expected(input, weights, bias)
    let direct = item.expected(input, weights, bias, as: Float.self)
    let bound = 3 * (zip(direct, exact).map { abs(Double($0) - $1) }.max() ?? 0)
    atEveryLevel { level in
      let found = item.result(input, weights, bias).values
      let error = zip(found, exact).map { abs(Double($0) - $1) }.max() ?? .infinity
      #expect(error <= bound, "level \(level): \(error), direct \(bound / 3)")
    }
  }

  @Test("Weighted sums of some rows")
  func weightedRows() {
    atEveryLevel { level in
      for columns in [0, 1, 5, 16, 31, 64, 77, 200] {
        for count in [0, 1, 3, 16] {
          let x = noise(columns * 9, seed: UInt64(columns))
          let weights = noise(count, seed: UInt64(count) + 3)
          let places = (0..<count).map { Int32($0 * 5 % 9) }
          var sums = Guarded(count: columns, offset: columns % 3)
          sums.withPointer {
            rk_weighted_rows_f32(x, columns, places, weights, count, $0, columns)
          }
          let expected = (0..<columns).map { column in
            (0..<count).reduce(0.0) {
              $0 + Double(weights[$1]) * Double(x[Int(places[$1]) * columns + column])
            }
          }
          #expect(
            firstDifference(sums.values, expected, relative: 1e-5, absolute: 1e-5) == nil,
            "level \(level), \(columns) of \(count)")
          #expect(sums.isIntact)
        }
      }
    }
  }

  @Test("Overlaps with one of some boxes")
  func overlaps() {
    func area(_ box: [Float]) -> Float { (box[2] - box[0]) * (box[3] - box[1]) }
    for seed in 0..<60 as Range<UInt64> {
      let count = Int(seed) % 37
      let stride = (count + 15) / 16 * 16
      let numbers = noise(4 * (count + 1), seed: seed)
      let boxes = (0...count).map { index -> [Float] in
        let (y, x) = (numbers[4 * index] * 3, numbers[4 * index + 1] * 3)
        let box = [y, x, y + 1 + numbers[4 * index + 2], x + 1 + numbers[4 * index + 3]]
        return box + [area(box)]
      }
      var corners = [Float](repeating: 0, count: 5 * stride)
      for index in 0..<count {
        for part in 0..<5 { corners[part * stride + index] = boxes[index][part] }
      }
      let box = boxes[count]
      for limit in [0, 0.1, 0.3, 0.6, -1] as [Float] {
        let expected = boxes.prefix(count).contains { other in
          let height = min(other[2], box[2]) - max(other[0], box[0])
          let width = min(other[3], box[3]) - max(other[1], box[1])
          let shared = height * width
          let overlap = height > 0 && width > 0 ? shared / (other[4] + box[4] - shared) : 0
          return !(overlap <= limit)
        }
        atEveryLevel { level in
          #expect(
            (rk_overlaps_f32(corners, stride, count, box, limit) != 0) == expected,
            "seed \(seed), limit \(limit), level \(level)")
        }
      }
    }
  }
}
