import TestSupport
import Testing
import _RunnerKernels

/// Runs `body` at every level that this machine has, with the instructions for 8-bit products and
/// without.
private func atEveryDotLevel(_ body: (_ description: String) throws -> Void) rethrows {
  defer { rk_allow_dot_instructions(1) }
  for allowed: Int32 in [0, 1] {
    rk_allow_dot_instructions(allowed)
    try atEveryLevel { level in
      guard allowed == 0 || rk_uses_dot_instructions() != 0 else { return }
      try body("level \(level), instructions \(allowed)")
    }
  }
}

/// A convolution over pixels: seeded numbers, extremes among them.
private struct PixelCase: CustomTestStringConvertible {
  var height = 5
  var width = 7
  var inputs: Int
  var outputs: Int
  var kernel = 1
  var stride = 1
  var dilation = 1
  var isDepthwise = false

  var testDescription: String {
    "\(inputs) to \(outputs), \(kernel)x\(kernel), stride \(stride), depthwise \(isDepthwise)"
  }

  var pitch: Int { (inputs + 15) / 16 * 16 }
  var outHeight: Int { (height - (kernel - 1) * dilation - 1) / stride + 1 }
  var outWidth: Int { (width - (kernel - 1) * dilation - 1) / stride + 1 }

  static let all = [
    PixelCase(inputs: 1, outputs: 1), PixelCase(inputs: 4, outputs: 16),
    PixelCase(inputs: 3, outputs: 17, kernel: 3, stride: 2),
    PixelCase(height: 1, width: 83, inputs: 67, outputs: 70),
    PixelCase(height: 3, width: 30, inputs: 20, outputs: 33, kernel: 1),
    PixelCase(height: 9, width: 16, inputs: 18, outputs: 50, kernel: 3),
    PixelCase(height: 12, width: 11, inputs: 5, outputs: 7, kernel: 5, stride: 3),
    PixelCase(height: 12, width: 11, inputs: 9, outputs: 64, kernel: 2, dilation: 3),
    PixelCase(height: 1, width: 13, inputs: 1100, outputs: 130),
    // For tiles: more pixels than are computed at once, all depths full, none full.
    PixelCase(height: 1, width: 523, inputs: 32, outputs: 33),
    PixelCase(height: 5, width: 19, inputs: 128, outputs: 64),
    PixelCase(height: 6, width: 40, inputs: 68, outputs: 33, kernel: 3, stride: 2),
    PixelCase(height: 7, width: 22, inputs: 24, outputs: 20, kernel: 3, dilation: 2),
    PixelCase(height: 6, width: 9, inputs: 37, outputs: 37, kernel: 3, isDepthwise: true),
    PixelCase(
      height: 11, width: 10, inputs: 16, outputs: 16, kernel: 5, stride: 2, isDepthwise: true),
  ]
}

/// Numbers of which every second one is the least or the greatest.
private func bytes(_ count: Int, seed: UInt64, extremes: [UInt8]) -> [UInt8] {
  var random = SeededGenerator(seed: seed)
  return (0..<count).map { _ in
    Bool.random(using: &random)
      ? extremes.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
  }
}

extension KernelSuite {
  @Test("Bytes are gathered from columns, rows and lines between others")
  func gathersBytes() {
    var generator = SeededGenerator(seed: 3)
    for (rows, columns) in [(1, 1), (16, 16), (17, 31), (64, 3), (5, 70), (100, 48)] {
      for (xRow, xColumn) in [(1, rows + 3), (columns + 2, 1), (2 * columns, 2)] {
        let count = (rows - 1) * xRow + (columns - 1) * xColumn + 1
        let x = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let pitch = columns + 5
        var y = [UInt8](repeating: 77, count: rows * pitch)
        rk_q8_gather(x, xRow, xColumn, &y, pitch, rows, columns, 128)
        let expected = (0..<rows * pitch).map { index -> UInt8 in
          let (row, column) = index.quotientAndRemainder(dividingBy: pitch)
          return column < columns ? x[row * xRow + column * xColumn] ^ 128 : 77
        }
        #expect(y == expected, "\(rows) x \(columns), steps \(xRow) and \(xColumn)")
      }
    }
  }

  @Test("Sums of 8-bit products", arguments: PixelCase.all, [true, false])
  private func products(of shape: PixelCase, isSigned: Bool) {
    let taps = shape.kernel * shape.kernel
    let depth = shape.isDepthwise ? 1 : shape.inputs
    let input = bytes(shape.height * shape.width * shape.pitch, seed: 1, extremes: [0, 255])
    let weights = bytes(
      shape.outputs * depth * taps, seed: 2, extremes: isSigned ? [128, 127] : [0, 255])
    // Signed weights with zero points of zero, or unsigned ones whose lie anywhere.
    let zeros = (0..<shape.outputs).map { isSigned ? Int32(0) : Int32(($0 * 51) % 256) }
    let inputZero: Int32 = 255
    func weight(_ index: Int) -> Int32 {
      isSigned ? Int32(Int8(bitPattern: weights[index])) : Int32(weights[index])
    }

    var expected: [Int32] = []
    for y in 0..<shape.outHeight {
      for x in 0..<shape.outWidth {
        for output in 0..<shape.outputs {
          var sum: Int32 = 0
          for tap in 0..<taps {
            let row = y * shape.stride + tap / shape.kernel * shape.dilation
            let column = x * shape.stride + tap % shape.kernel * shape.dilation
            for channel in 0..<depth {
              let from = shape.isDepthwise ? output : channel
              let value = Int32(input[(row * shape.width + column) * shape.pitch + from])
              sum +=
                (value - inputZero)
                * (weight((output * depth + channel) * taps + tap) - zeros[output])
            }
          }
          expected.append(sum)
        }
      }
    }

    let padded = (shape.outputs + 15) / 16 * 16
    var packed = [Int8](
      repeating: 99, count: rk_q8_packed_size(shape.outputs, depth, taps, 1))
    var sums = [Int32](repeating: 99, count: padded)
    rk_q8_pack_weights(
      weights, depth * taps, taps, 1, isSigned ? 0 : 128, &packed, &sums, shape.outputs, depth,
      taps, 1)
    let weightZeros = (0..<padded).map {
      $0 < shape.outputs ? zeros[$0] - (isSigned ? 0 : 128) : 0
    }
    let count = Int32(depth * taps)
    let offsets: [Int32] = (0..<padded).map {
      shape.isDepthwise ? 0 : count * inputZero * weightZeros[$0] - inputZero * sums[$0]
    }
    var depthwise = [Float](repeating: 0, count: taps * padded)
    if shape.isDepthwise {
      for output in 0..<shape.outputs {
        for tap in 0..<taps {
          depthwise[tap * padded + output] = Float(weight(output * taps + tap) - zeros[output])
        }
      }
    }
    let scales = (0..<padded).map { 1e-3 / Float(1 + $0 % 7) }

    atEveryDotLevel { description in
      var conv = rk_q8_conv(
        depth: (shape.inputs + 3) / 4, taps_y: shape.kernel, taps_x: shape.kernel,
        tap_row: shape.dilation * shape.width * shape.pitch,
        tap_column: shape.dilation * shape.pitch, pixel_step: shape.stride * shape.pitch,
        row_step: shape.stride * shape.width * shape.pitch, outputs: shape.outputs,
        out_width: shape.outWidth, out_pixel: shape.outputs,
        out_row: shape.outWidth * shape.outputs)
      offsets.withUnsafeBufferPointer { offsets in
        weightZeros.withUnsafeBufferPointer { weightZeros in
          scales.withUnsafeBufferPointer { scales in
            var finish = rk_q8_finish()
            finish.offset = offsets.baseAddress
            finish.scale = scales.baseAddress
            finish.weight_zero = isSigned || shape.isDepthwise ? nil : weightZeros.baseAddress
            finish.inverse = 1
            finish.zero = 3
            finish.low = 0
            finish.high = 255
            func compute(_ output: UnsafeMutableRawPointer) {
              if shape.isDepthwise {
                rk_q8_depthwise_rows(
                  &conv, input, depthwise, inputZero, &finish, output, 0, shape.outHeight)
              } else {
                let blocks = padded / 16
                // In two parts, as threads would.
                rk_q8_conv_rows(
                  &conv, input, packed, &finish, output, 0, blocks / 2, 0, shape.outHeight)
                rk_q8_conv_rows(
                  &conv, input, packed, &finish, output, blocks / 2, blocks - blocks / 2, 0, 1)
                rk_q8_conv_rows(
                  &conv, input, packed, &finish, output, blocks / 2, blocks - blocks / 2, 1,
                  shape.outHeight - 1)
              }
            }
            finish.result = RK_Q8_INT32
            var integers = [Int32](repeating: -1, count: expected.count + 1)
            compute(&integers)
            #expect(Array(integers.dropLast()) == expected, "\(description)")
            #expect(integers.last == -1)

            finish.result = RK_Q8_FLOAT
            var floats = [Float](repeating: -1, count: expected.count + 1)
            compute(&floats)
            let scaled = expected.enumerated().map { Float($1) * scales[$0 % shape.outputs] }
            #expect(Array(floats.dropLast()) == scaled, "\(description)")
            #expect(floats.last == -1)

            finish.result = RK_Q8_BYTE
            var numbers = [UInt8](repeating: 77, count: expected.count + 1)
            compute(&numbers)
            let rounded = scaled.map {
              UInt8(min(max($0.rounded(.toNearestOrEven) + 3, 0), 255))
            }
            #expect(Array(numbers.dropLast()) == rounded, "\(description)")
            #expect(numbers.last == 77)
          }
        }
      }
    }
  }

  @Test("Quantising rounds to the nearest even and saturates", arguments: [0, 1] as [Int32])
  func quantising(isSigned: Int32) {
    let values: [Float] = [
      0, 0.5, 1.5, 2.5, -0.5, -1.5, 126.5, 127.5, 254.5, 255.5, 1e9, -1e9, .infinity, -.infinity,
      -127.5, -128.5, 3.25, .leastNonzeroMagnitude, -3.75,
    ]
    for zero: Int32 in isSigned == 1 ? [-128, 0, 127] : [0, 128, 255] {
      let range: ClosedRange<Float> = isSigned == 1 ? -128...127 : 0...255
      let expected = values.map { value in
        let number = min(
          max(value.rounded(.toNearestOrEven) + Float(zero), range.lowerBound), range.upperBound)
        return UInt8(truncatingIfNeeded: Int(number))
      }
      atEveryLevel { level in
        for count in 0...values.count {
          var result = [UInt8](repeating: 99, count: values.count + 1)
          rk_quantize_f32(values.map { $0 * 0.25 }, &result, count, 0.25, zero, isSigned)
          #expect(result[..<count] == expected[..<count], "level \(level), zero \(zero)")
          #expect(result[count...].allSatisfy { $0 == 99 })
        }
      }
    }
  }

  @Test func dequantising() {
    let numbers = (0..<256).map { UInt8($0) }
    atEveryLevel { _ in
      for (isSigned, zero) in [(0, 0), (0, 255), (1, -128), (1, 127)] as [(Int32, Int32)] {
        var result = [Float](repeating: 0, count: 256)
        rk_dequantize_f32(numbers, &result, 256, 0.3, zero, isSigned)
        let expected = numbers.map { number in
          Float((isSigned == 1 ? Int32(Int8(bitPattern: number)) : Int32(number)) - zero) * 0.3
        }
        #expect(result == expected)
      }
    }
  }

  @Test("Arithmetic on quantised numbers", arguments: [RK_ADD, RK_SUB, RK_MUL])
  func arithmetic(operation: rk_binary_op) {
    let a = bytes(331, seed: 3, extremes: [0, 255])
    let b = bytes(331, seed: 4, extremes: [0, 255])
    let ranges = (
      rk_q8_range(scale: 0.02, zero: 0), rk_q8_range(scale: 0.013, zero: 255),
      rk_q8_range(scale: 0.03, zero: 128)
    )
    for step in [0, 1] {
      let expected = a.indices.map { index -> UInt8 in
        let x = Float(Int(a[index]) - 0) * 0.02
        let y = Float(Int(b[index * step]) - 255) * 0.013
        let value = operation == RK_ADD ? x + y : operation == RK_SUB ? x - y : x * y
        return UInt8(min(max((value / 0.03).rounded(.toNearestOrEven) + 128, 0), 255))
      }
      atEveryLevel { level in
        for count in [1, 15, 16, 17, 64, 331] {
          var result = [UInt8](repeating: 9, count: count + 1)
          rk_q8_binary(operation, a, 1, ranges.0, b, step, ranges.1, &result, ranges.2, count)
          #expect(result.dropLast() == expected[..<count], "level \(level)")
          #expect(result.last == 9)
        }
      }
    }
  }

  @Test func tables() {
    let table = bytes(256, seed: 5, extremes: [0, 255])
    let numbers = bytes(200, seed: 6, extremes: [0, 63, 64, 127, 128, 191, 192, 255])
    atEveryLevel { _ in
      for count in [0, 1, 63, 64, 65, 200] {
        var result = [UInt8](repeating: 9, count: count + 1)
        rk_q8_table(numbers, &result, count, table)
        #expect(result.dropLast() == numbers[..<count].map { table[Int($0)] }[...])
        #expect(result.last == 9)
      }
    }
  }
}
