import Foundation
import TestSupport
import Testing
import _RunnerKernels

extension KernelSuite {
  static let activations: [vk_activation] = [
    vk_activation(kind: VK_IDENTITY, alpha: 0, beta: 0),
    vk_activation(kind: VK_RELU, alpha: 0, beta: 0),
    vk_activation(kind: VK_LEAKY_RELU, alpha: 0.1, beta: 0),
    vk_activation(kind: VK_CLIP, alpha: -0.5, beta: 1.5),
    vk_activation(kind: VK_SIGMOID, alpha: 0, beta: 0),
    vk_activation(kind: VK_SILU, alpha: 0, beta: 0),
    vk_activation(kind: VK_TANH, alpha: 0, beta: 0),
    vk_activation(kind: VK_HARD_SIGMOID, alpha: 0.2, beta: 0.5),
    vk_activation(kind: VK_HARD_SWISH, alpha: 0, beta: 0),
    vk_activation(kind: VK_EXP, alpha: 0, beta: 0),
    vk_activation(kind: VK_ERF, alpha: 0, beta: 0),
    vk_activation(kind: VK_GELU, alpha: 0, beta: 0),
    vk_activation(kind: VK_ELU, alpha: 1, beta: 1),
    vk_activation(kind: VK_ELU, alpha: 1.67, beta: 1.05),
    vk_activation(kind: VK_TANH_GELU, alpha: 0, beta: 0),
    vk_activation(kind: VK_SCALED_SILU, alpha: 1.702, beta: 1 / 1.702),
  ]

  /// Those whose relative error is bounded everywhere.
  static let transcendental = activations.filter {
    [VK_SIGMOID, VK_TANH, VK_EXP, VK_ERF, VK_ELU].contains($0.kind)
  }

  @Test(
    "exp, sigmoid, tanh, erf and ELU are within 1e-6 over the whole range",
    arguments: transcendental)
  func accuracy(_ activation: vk_activation) {
    var inputs: [Float] = []
    // Every exponent with 40 mantissas, and a fine sweep where the functions bend.
    for exponent in -40...12 {
      for step in 0..<40 {
        let value = Float(sign: .plus, exponent: exponent, significand: 1 + Float(step) / 40)
        inputs += [value, -value]
      }
    }
    inputs += stride(from: Float(-105), through: 90, by: 0.0173)
    inputs += stride(from: Float(-5), through: 5, by: 0.00091)
    let expected = inputs.map { Twin.activate(Double($0), activation) }
    atEveryLevel { level in
      var outputs = [Float](repeating: 0, count: inputs.count)
      rk_activate_f32(inputs, &outputs, inputs.count, activation)
      for (index, pair) in zip(outputs, expected).enumerated() {
        // Denormal results have an absolute spacing of 1.4e-45.
        #expect(
          isClose(pair.0, pair.1, relative: 1e-6, absolute: 3e-45),
          "kind \(activation.kind.rawValue) of \(inputs[index]) at level \(level)")
      }
    }
  }

  @Test("Infinities, NaN and huge values come out as the limits", arguments: activations)
  func limits(_ activation: vk_activation) {
    let inputs: [Float] = [
      .infinity, -.infinity, .nan, 1e30, -1e30, .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, 0, -0.0, .leastNonzeroMagnitude, 88.72283, 88.7229, -103.9, -104.1,
    ]
    let isSiLU = [VK_SILU, VK_SCALED_SILU].contains(activation.kind)
    let expected = inputs.map { input in
      // The product of -infinity and a sigmoid of 0 is not a number; the function's limit is.
      (isSiLU || activation.kind == VK_TANH_GELU) && input == -.infinity
        ? 0 : Twin.activate(Double(input), activation)
    }
    atEveryLevel { level in
      var outputs = [Float](repeating: 0, count: inputs.count)
      rk_activate_f32(inputs, &outputs, inputs.count, activation)
      let difference = firstDifference(
        outputs, expected, relative: 2e-6, absolute: isSiLU ? 2e-36 : 2e-43)
      #expect(difference == nil, "kind \(activation.kind.rawValue), level \(level)")
    }
  }

  @Test("Any length and alignment, in place or not", arguments: activations)
  func lengths(_ activation: vk_activation) {
    atEveryLevel { level in
      for count in 0...70 {
        for offset in [0, 1, 3] {
          let inputs = noise(count, seed: UInt64(count), in: -4...4)
          let expected = inputs.map { Twin.activate(Double($0), activation) }
          var separate = Guarded(count: count, offset: offset)
          separate.withPointer { rk_activate_f32(inputs, $0, count, activation) }
          var inPlace = Guarded(inputs, offset: offset)
          inPlace.withPointer { rk_activate_f32($0, $0, count, activation) }
          let difference = firstDifference(
            separate.values, expected, relative: 2e-6, absolute: 1e-6)
          #expect(difference == nil, "\(count) values, level \(level)")
          #expect(inPlace.values == separate.values)
          #expect(separate.isIntact && inPlace.isIntact)
        }
      }
    }
  }

  @Test("The functions with names of their own are the activations")
  func namedFunctions() {
    let inputs = noise(33, seed: 4, in: -4...4)
    func outputs(_ body: (UnsafeMutablePointer<Float>) -> Void) -> [Float] {
      var values = [Float](repeating: 0, count: inputs.count)
      values.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
      return values
    }
    let n = inputs.count
    let named: [(vk_activation_kind, [Float])] = [
      (VK_EXP, outputs { rk_exp_f32(inputs, $0, n) }),
      (VK_SIGMOID, outputs { rk_sigmoid_f32(inputs, $0, n) }),
      (VK_SILU, outputs { rk_silu_f32(inputs, $0, n) }),
      (VK_TANH, outputs { rk_tanh_f32(inputs, $0, n) }),
      (VK_ERF, outputs { rk_erf_f32(inputs, $0, n) }),
      (VK_GELU, outputs { rk_gelu_f32(inputs, $0, n) }),
      (VK_HARD_SWISH, outputs { rk_hard_swish_f32(inputs, $0, n) }),
      (VK_HARD_SIGMOID, outputs { rk_hard_sigmoid_f32(inputs, $0, n, 0.3, 0.4) }),
      (VK_RELU, outputs { rk_relu_f32(inputs, $0, n) }),
      (VK_LEAKY_RELU, outputs { rk_leaky_relu_f32(inputs, $0, n, 0.3) }),
      (VK_CLIP, outputs { rk_clip_f32(inputs, $0, n, 0.3, 0.4) }),
    ]
    for (kind, values) in named {
      let activation = vk_activation(kind: kind, alpha: 0.3, beta: 0.4)
      #expect(values == outputs { rk_activate_f32(inputs, $0, n, activation) })
    }
  }

  @Test("Bias and activation over planes and over rows", arguments: activations)
  func biasActivation(_ activation: vk_activation) {
    atEveryLevel { level in
      for count in [0, 1, 7, 16, 33, 70] {
        let channels = 3
        let stride = count + 2
        let data = noise(channels * stride, seed: 9)
        for bias in [noise(max(count, channels), seed: 10), nil] {
          var expected = data.map(Double.init)
          var expectedRows = expected
          for c in 0..<channels {
            for i in 0..<count {
              let at = c * stride + i
              expected[at] = Twin.activate(Double(data[at]) + Double(bias?[c] ?? 0), activation)
              expectedRows[at] = Twin.activate(Double(data[at]) + Double(bias?[i] ?? 0), activation)
            }
          }
          var planes = data
          rk_bias_activation_f32(&planes, bias, channels, count, stride, activation)
          var rows = data
          rk_bias_activation_rows_f32(&rows, bias, channels, count, stride, activation)
          #expect(
            firstDifference(planes, expected, relative: 2e-6, absolute: 1e-6) == nil,
            "\(count) values, level \(level)")
          #expect(
            firstDifference(rows, expectedRows, relative: 2e-6, absolute: 1e-6) == nil,
            "\(count) values, level \(level)")
        }
      }
    }
  }

  @Test(
    "Functions of two values, every kind of repetition",
    arguments: [RK_ADD, RK_SUB, RK_MUL, RK_DIV, RK_MIN, RK_MAX])
  func binary(_ op: rk_binary_op) {
    atEveryLevel { level in
      for columns in 0...70 {
        let rows = 1 + columns % 3
        var a = noise(rows * columns + 1, seed: 1)
        var b = noise(rows * columns + 1, seed: 2)
        a[columns / 2] = .nan
        b[columns / 3] = .infinity
        for (aRow, aStep) in [(columns, 1), (0, 1), (1, 0), (0, 0)] {
          for (bRow, bStep) in [(columns, 1), (0, 1), (1, 0), (0, 0)] {
            var expected: [Double] = []
            for r in 0..<rows {
              for i in 0..<columns {
                expected.append(
                  Twin.combine(
                    Double(a[r * aRow + i * aStep]), Double(b[r * bRow + i * bStep]), op))
              }
            }
            var output = Guarded(count: rows * columns, offset: columns % 4)
            output.withPointer {
              rk_binary_rows_f32(op, a, aRow, aStep, b, bRow, bStep, $0, rows, columns)
            }
            #expect(
              firstDifference(output.values, expected, relative: 1e-7) == nil,
              "\(columns) columns, level \(level)")
            #expect(output.isIntact)
          }
        }
      }
    }
  }
}
