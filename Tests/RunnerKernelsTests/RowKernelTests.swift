import Foundation
import TestSupport
import Testing
import _RunnerKernels

extension KernelSuite {
  @Test("Sums, products and extremes of any length")
  func reductions() {
    atEveryLevel { level in
      for count in 0...140 {
        let a = noise(count + 1, seed: UInt64(count))
        let b = noise(count + 1, seed: UInt64(count) + 500)
        // One off the start, for alignment.
        let x = Array(a.dropFirst()).map(Double.init)
        let y = Array(b.dropFirst()).map(Double.init)
        a.withUnsafeBufferPointer { a in
          b.withUnsafeBufferPointer { b in
            let p = a.baseAddress! + 1
            let q = b.baseAddress! + 1
            #expect(isClose(rk_sum_f32(p, count), x.reduce(0, +), relative: 0, absolute: 2e-5))
            let squares = x.reduce(0) { $0 + $1 * $1 }
            #expect(isClose(rk_sum_of_squares_f32(p, count), squares, relative: 1e-6))
            let dot = zip(x, y).reduce(0) { $0 + $1.0 * $1.1 }
            #expect(isClose(rk_dot_f32(p, q, count), dot, relative: 0, absolute: 4e-5))
            #expect(Double(rk_max_f32(p, count)) == x.max() ?? -.infinity)
            #expect(Double(rk_min_f32(p, count)) == x.min() ?? .infinity)
          }
        }
        var sums = Guarded(Array(b.prefix(count)), offset: 1)
        sums.withPointer { rk_axpy_f32(0.3, a, $0, count) }
        let expected = (0..<count).map { Double(b[$0]) + Double(Float(0.3)) * Double(a[$0]) }
        #expect(
          firstDifference(sums.values, expected, relative: 1e-6, absolute: 1e-6) == nil,
          "level \(level)")
        #expect(sums.isIntact)
      }
      for position in [0, 7, 20, 36] {
        var values = noise(37, seed: 1)
        values[position] = .nan
        #expect(rk_max_f32(values, 37).isNaN && rk_min_f32(values, 37).isNaN)
      }
    }
  }

  @Test("Two rows, or two places of a row, with their weights")
  func blends() {
    atEveryLevel { level in
      for count in 0...70 {
        let a = noise(count, seed: UInt64(count))
        let b = noise(count, seed: UInt64(count) + 500)
        var sums = Guarded(count: count, offset: count % 4)
        sums.withPointer { rk_blend_f32(0.3, a, -1.7, b, $0, count) }
        let (first, second) = (Double(Float(0.3)), Double(Float(-1.7)))
        let expected = (0..<count).map { first * Double(a[$0]) + second * Double(b[$0]) }
        #expect(
          firstDifference(sums.values, expected, relative: 1e-6, absolute: 1e-6) == nil,
          "level \(level)")
        #expect(sums.isIntact)
      }
      for (rows, columns) in [(1, 1), (3, 5), (4, 9), (7, 20), (9, 3)] {
        var x = noise(rows * 11, seed: 3)
        let first = (0..<columns).map { Int32($0 * 7 % 10) }
        let second = first.map { $0 + 1 }
        let alpha = noise(columns, seed: 4)
        var beta = noise(columns, seed: 5)
        // What has no weight need not be a number.
        beta[0] = 0
        x[1] = .nan
        let uses = (0..<columns).map { beta[$0] != 0 }
        var sums = Guarded(count: rows * columns, offset: 1)
        sums.withPointer {
          rk_blend_places_f32(x, 11, first, second, alpha, beta, $0, rows, columns)
        }
        let expected = (0..<rows * columns).map { index -> Double in
          let (row, column) = index.quotientAndRemainder(dividingBy: columns)
          let part = Double(alpha[column]) * Double(x[row * 11 + Int(first[column])])
          return uses[column]
            ? part + Double(beta[column]) * Double(x[row * 11 + Int(second[column])]) : part
        }
        #expect(firstDifference(sums.values, expected, relative: 1e-6, absolute: 1e-6) == nil)
        #expect(sums.values[0].isNaN == false && sums.isIntact)
      }
    }
  }

  @Test("Softmax and its logarithm")
  func softmax() {
    atEveryLevel { level in
      for columns in 1...70 {
        var rows = noise(3 * columns, seed: UInt64(columns), in: -30...30).map { $0 }
        // Large values must not overflow, nor may one that is far below become NaN.
        rows[columns] = 3e38
        if columns > 1 { rows[2 * columns] = -.infinity }
        var expected: [Double] = []
        for r in 0..<3 {
          expected += Twin.softmax(rows[r * columns..<(r + 1) * columns].map(Double.init))
        }
        var output = Guarded(rows, offset: columns % 4)
        output.withPointer { rk_softmax_f32($0, $0, 3, columns) }
        #expect(
          firstDifference(output.values, expected, relative: 5e-6, absolute: 1e-38) == nil,
          "\(columns) columns, level \(level)")
        var logs = Guarded(rows, offset: columns % 4)
        logs.withPointer { rk_log_softmax_f32($0, $0, 3, columns) }
        for (log, probability) in zip(logs.values, expected) where probability > 1e-30 {
          #expect(isClose(log, Foundation.log(probability), relative: 1e-6, absolute: 1e-5))
        }
        #expect(output.isIntact && logs.isIntact)
      }
    }
  }

  @Test("A row with no greatest finite value has no softmax")
  func softmaxLimits() {
    atEveryLevel { _ in
      for value in [Float.nan, .infinity] {
        var row = Guarded([1, value, 2], offset: 0)
        row.withPointer { rk_softmax_f32($0, $0, 1, 3) }
        #expect(row.values[1].isNaN)
      }
      var row = Guarded([Float](repeating: -.infinity, count: 5), offset: 0)
      row.withPointer { rk_softmax_f32($0, $0, 1, 5) }
      #expect(row.values.allSatisfy { $0.isNaN })
    }
  }

  @Test("Layer normalization")
  func layerNorm() {
    atEveryLevel { level in
      for columns in 1...70 {
        let rows = noise(3 * columns, seed: UInt64(columns), in: 8...12)
        let scale = noise(columns, seed: 2)
        let bias = columns % 2 == 0 ? noise(columns, seed: 3) : nil
        var output = Guarded(rows, offset: columns % 4)
        var means = [Float](repeating: 0, count: 3)
        var inverses = means
        output.withPointer {
          rk_layer_norm_f32($0, scale, bias, $0, 3, columns, 1e-3, &means, &inverses)
        }
        for r in 0..<3 {
          let range = r * columns..<(r + 1) * columns
          let expected = Twin.layerNorm(
            rows[range].map(Double.init), scale: scale.map(Double.init),
            bias: bias?.map(Double.init) ?? [Double](repeating: 0, count: columns), epsilon: 1e-3)
          #expect(
            firstDifference(
              Array(output.values[range]), expected.values, relative: 1e-4, absolute: 1e-4) == nil,
            "\(columns) columns, level \(level)")
          #expect(isClose(means[r], expected.mean, relative: 1e-6))
          #expect(isClose(inverses[r], expected.inverse, relative: 1e-4))
        }
        #expect(output.isIntact)
      }
    }
  }

  @Test("Upsampling and transposition move every value")
  func movement() {
    atEveryLevel { level in
      for width in 1...70 {
        let height = 1 + width % 5
        let input = noise(2 * height * width, seed: 8)
        var doubled = Guarded(count: 8 * height * width, offset: width % 4)
        doubled.withPointer { rk_upsample_nearest2_f32(input, $0, 2, height, width) }
        var expected: [Float] = []
        for y in 0..<4 * height {
          for x in 0..<2 * width { expected.append(input[y / 2 * width + x / 2]) }
        }
        #expect(doubled.values == expected, "\(height) x \(width), level \(level)")
        #expect(doubled.isIntact)
        for rows in [1, 3, 4, 5, 16, 19, 33] {
          let inputStride = width + 3
          let matrix = noise(rows * inputStride, seed: 9)
          var turned = Guarded(count: width * rows, offset: width % 4)
          turned.withPointer { vk_transpose_f32(matrix, $0, rows, width, inputStride, rows) }
          var columns: [Float] = []
          for j in 0..<width { for i in 0..<rows { columns.append(matrix[i * inputStride + j]) } }
          #expect(turned.values == columns, "\(rows) x \(width), level \(level)")
          #expect(turned.isIntact)
        }
      }
    }
  }

  @Test("Every float16 and bfloat16 there is, there and back")
  func narrowFloats() {
    let bits = (0...UInt16.max).map { $0 }
    atEveryLevel { level in
      var wide = [Float](repeating: 0, count: bits.count)
      var back = bits
      rk_bf16_to_f32(bits, &wide, bits.count)
      rk_f32_to_bf16(wide, &back, bits.count)
      for (index, pair) in zip(wide, back).enumerated() {
        let expected = Float(bitPattern: UInt32(bits[index]) << 16)
        if expected.isNaN {
          #expect(pair.0.isNaN && pair.1 & 0x7fff > 0x7f80)
        } else {
          #expect(pair.0 == expected && pair.1 == bits[index], "level \(level)")
        }
      }
      rk_f16_to_f32(bits, &wide, bits.count)
      rk_f32_to_f16(wide, &back, bits.count)
      for (index, pair) in zip(wide, back).enumerated() {
        let expected = halfValue(bits[index])
        if expected.isNaN {
          #expect(pair.0.isNaN && pair.1 & 0x7fff > 0x7c00)
        } else {
          #expect(Double(pair.0) == expected && pair.1 == bits[index], "level \(level)")
        }
      }
    }
  }

  @Test("Rounding to float16 and bfloat16 is to nearest, ties to even")
  func narrowRounding() {
    atEveryLevel { level in
      for count in 0...70 {
        let values = noise(count, seed: UInt64(count), in: -12...12).map { exp2f($0 * 2.3) * $0 }
        var halves = [UInt16](repeating: 0xaaaa, count: count + 1)
        rk_f32_to_f16(values, &halves, count)
        #expect(halves[count] == 0xaaaa)
        for (value, half) in zip(values, halves) {
          #expect(half == nearestHalf(value), "\(value), level \(level)")
        }
      }
      let special: [Float] = [
        65504, 65519.996, 65520, 1e30, .infinity, -.infinity, 5.9604645e-8, 2.9802322e-8,
        2.9802326e-8, 6.097555e-5, 6.1035156e-5, 1 + 0x1p-11, 1 + 0x1.8p-10, 1 + 0x1p-10 + 0x1p-11,
      ]
      var halves = [UInt16](repeating: 0, count: special.count)
      rk_f32_to_f16(special, &halves, special.count)
      #expect(halves == special.map(nearestHalf))
      var brains = [UInt16](repeating: 0, count: 4)
      rk_f32_to_bf16([1, 1 + 0x1p-8, 1 + 0x1.8p-7, .greatestFiniteMagnitude], &brains, 4)
      #expect(brains == [0x3f80, 0x3f80, 0x3f82, 0x7f80])
    }
  }
}

/// The value of float16 bits.
private func halfValue(_ bits: UInt16) -> Double {
  let sign: Double = bits & 0x8000 == 0 ? 1 : -1
  let exponent = Int(bits >> 10 & 31)
  let fraction = Double(bits & 1023) / 1024
  if exponent == 31 { return fraction == 0 ? sign * .infinity : .nan }
  if exponent == 0 { return sign * fraction * 0x1p-14 }
  return sign * (1 + fraction) * exp2(Double(exponent - 15))
}

/// The float16 nearest to a value, by rounding its multiple of the spacing there.
private func nearestHalf(_ value: Float) -> UInt16 {
  let sign: UInt16 = value.sign == .minus ? 0x8000 : 0
  let size = Double(value.magnitude)
  if size.isInfinite || size >= 65520 { return sign | 0x7c00 }
  let exponent = max(size == 0 ? -14 : Int(floor(log2(size))), -14)
  let steps = (size / exp2(Double(exponent - 10))).rounded(.toNearestOrEven)
  // Rounding up into the next power of two carries into the exponent by itself.
  return sign | (UInt16(exponent + 14) << 10) + UInt16(steps)
}
