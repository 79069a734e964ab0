import RunnerGraph
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Normalizations.
  package static let normalization: [Operator] = [
    Operator(
      "BatchNormalization", versions: [6, 7, 9, 14, 15], inputs: 5...5, outputs: 1...5,
      types: .real,
      attributes: [
        "epsilon": .float, "is_test": .int, "momentum": .float, "spatial": .int,
        "training_mode": .int,
      ],
      shape: .batchNormalization, traits: [.widens, .appliesActivation],
      limits: "Before opset 14 inference only, and before opset 9 with `spatial` = 1."
    ) { try BatchNormalization($0) },
    Operator(
      "InstanceNormalization", versions: [1, 6, 22], inputs: 3...3, types: .real,
      attributes: ["epsilon": .float], shape: .likeFirst, traits: [.widens]
    ) {
      InstanceNormalization(epsilon: try $0.float("epsilon", default: 1e-5))
    },
    Operator(
      "LayerNormalization", versions: [1, 17], inputs: 2...3, outputs: 1...3, types: .real,
      attributes: ["axis": .int, "epsilon": .float], shape: .likeFirst, traits: [.widens],
      limits: "Before opset 17 it is ONNX Runtime's."
    ) {
      try LayerNormalization($0)
    },
    Operator(
      "GroupNormalization", versions: [18, 21], inputs: 3...3, types: .real,
      attributes: ["epsilon": .float, "num_groups": .int], shape: .likeFirst, traits: [.widens]
    ) {
      try GroupNormalization($0)
    },
  ]
}

extension KernelContext {
  /// `tensor` as float32, of the shape a normalization wants for its parameters.
  fileprivate func parameter(_ tensor: Tensor, count: Int, called name: String) throws -> Tensor {
    guard tensor.elementType.isFloatingPoint, tensor.count == count else {
      throw failure(
        "\(name) is \(tensor.elementType)\(tensor.shape), expected \(count) numbers")
    }
    return try tensor.converted(to: .float32)
  }

  /// `tensor` as float32.
  fileprivate func real(_ tensor: Tensor) throws -> Tensor {
    guard tensor.elementType.isFloatingPoint else {
      throw failure("expected floating point, got \(tensor.elementType)")
    }
    return try tensor.converted(to: .float32)
  }
}

extension ShapeRule {
  /// The result and, in training, the statistics that are kept.
  fileprivate static let batchNormalization = ShapeRule { query in
    let result = try query.input(0)
    guard query.info.hasOutput.count > 1 else { return [result] }
    return [result, try query.input(3), try query.input(4)]
  }
}

/// Scale and shift by channel, from statistics collected in training, or the input's own (Ioffe and
/// Szegedy, "Batch normalization", 2015).
private struct BatchNormalization: Kernel {
  let epsilon: Float
  /// How much of the statistics is kept in training; nil if they are used as they are.
  let momentum: Float?
  /// The activation that follows, if one does.
  let activation: vk_activation?

  init(_ node: NodeInfo) throws {
    activation = node.fused.activation?.kernelForm
    epsilon = try node.float("epsilon", default: 1e-5)
    let momentum = try node.float("momentum", default: 0.9)
    let isTraining = try node.opset >= 14 && node.flag("training_mode")
    self.momentum = isTraining ? momentum : nil
    if node.hasOutput.dropFirst(isTraining ? 3 : 1).contains(true) {
      throw node.unsupported("training mode")
    }
    if node.opset < 7, try !node.flag("is_test") { throw node.unsupported("training mode") }
    if node.opset < 9, try node.int("spatial", default: 1) == 0 {
      throw node.unsupported("spatial = 0")
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    let input = try context.real(given)
    guard input.rank >= 1 else { throw context.failure("the input is a scalar") }
    let channels = input.rank > 1 ? input.shape[1] : 1
    var parameters = try ["scale", "B", "mean", "variance"].enumerated().map { index, name in
      try context.parameter(try context.input(index + 1, of: inputs), count: channels, called: name)
        .array(of: Float.self)
    }
    var kept: [Tensor] = []
    if let momentum {
      let own = statistics(of: input, channels: channels, in: context)
      for (index, values) in [own.means, own.variances].enumerated() {
        let mixed = zip(parameters[2 + index], values).map { $0 * momentum + $1 * (1 - momentum) }
        let original = try context.input(3 + index, of: inputs)
        kept.append(
          try Tensor(shape: original.shape, mixed).converted(to: original.elementType))
        parameters[2 + index] = values
      }
    }
    var factors: [Float] = []
    var shifts: [Float] = []
    for channel in 0..<channels {
      let factor = parameters[0][channel] / (parameters[3][channel] + epsilon).squareRoot()
      factors.append(factor)
      shifts.append(parameters[1][channel] - parameters[2][channel] * factor)
    }
    let output = try context.allocate(.float32, input.shape)
    guard output.count > 0 else { return [try output.converted(to: given.elementType)] + kept }
    let planes = input.rank > 1 ? input.shape[0] * channels : 1
    let pixels = input.count / planes
    let source = input.pointer(to: Float.self)
    let target = output.mutablePointer(to: Float.self)
    context.parallel(planes, grain: max(1, 16_384 / pixels)) { range in
      for plane in range {
        let factor = factors[plane % channels]
        let shift = shifts[plane % channels]
        for index in plane * pixels..<(plane + 1) * pixels {
          target[index] = source[index] * factor + shift
        }
        if let activation {
          rk_activate_f32(
            target + plane * pixels, target + plane * pixels, pixels, activation)
        }
      }
    }
    return [try output.converted(to: given.elementType)] + kept
  }

  /// Mean and variance of each channel; two passes, as the mean of squares less a square cancels.
  private func statistics(
    of input: Tensor, channels: Int, in context: KernelContext
  ) -> (means: [Float], variances: [Float]) {
    var means = [Float](repeating: 0, count: channels)
    var variances = means
    guard input.count > 0 else { return (means, variances) }
    let images = input.rank > 1 ? input.shape[0] : 1
    let pixels = input.count / (images * channels)
    let source = input.pointer(to: Float.self)
    let count = Double(images * pixels)
    means.withUnsafeMutableBufferPointer { means in
      variances.withUnsafeMutableBufferPointer { variances in
        // One thread writes one channel.
        nonisolated(unsafe) let (means, variances) = (means, variances)
        context.parallel(channels) { range in
          for channel in range {
            func sum(_ term: (Double) -> Double) -> Double {
              var sum = 0.0
              for image in 0..<images {
                let start = (image * channels + channel) * pixels
                for index in start..<start + pixels { sum += term(Double(source[index])) }
              }
              return sum
            }
            let mean = sum { $0 } / count
            means[channel] = Float(mean)
            variances[channel] = Float(sum { ($0 - mean) * ($0 - mean) } / count)
          }
        }
      }
    }
    return (means, variances)
  }
}

/// Finds mean and inverse deviation of each of `rows` equal parts, and calls `body` with them and the
/// part's place.
private func normalizeRows(
  _ input: Tensor, rows: Int, epsilon: Float, _ context: KernelContext,
  _ body: (_ row: Int, _ mean: Float, _ inverse: Float, Range<Int>) -> Void
) {
  guard rows > 0, input.count > 0 else { return }
  let length = input.count / rows
  let source = input.pointer(to: Float.self)
  context.parallel(rows, grain: max(1, 16_384 / length)) { range in
    for row in range {
      let values = source + row * length
      let mean = rk_sum_f32(values, length) / Float(length)
      // Two passes: the mean of the squares less the square of the mean cancels.
      var sum: Float = 0
      for index in 0..<length {
        let difference = values[index] - mean
        sum += difference * difference
      }
      let inverse = 1 / (sum / Float(length) + epsilon).squareRoot()
      body(row, mean, inverse, row * length..<(row + 1) * length)
    }
  }
}

/// Each channel of each image by its own mean and variance.
private struct InstanceNormalization: Kernel {
  let epsilon: Float

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    let input = try context.real(given)
    guard input.rank >= 3 else {
      throw context.failure("the input must have at least 3 dimensions, got \(input.shape)")
    }
    let channels = input.shape[1]
    let scale = try context.parameter(
      context.input(1, of: inputs), count: channels, called: "scale")
    let bias = try context.parameter(context.input(2, of: inputs), count: channels, called: "B")
    let output = try context.allocate(.float32, input.shape)
    let source = input.pointer(to: Float.self)
    let target = output.mutablePointer(to: Float.self)
    let factors = scale.pointer(to: Float.self)
    let shifts = bias.pointer(to: Float.self)
    normalizeRows(
      input, rows: input.shape[0] * channels, epsilon: epsilon, context
    ) { row, mean, inverse, range in
      let factor = factors[row % channels] * inverse
      let shift = shifts[row % channels] - mean * factor
      for index in range { target[index] = source[index] * factor + shift }
    }
    return [try withExtendedLifetime((scale, bias)) { try output.converted(to: given.elementType) }]
  }
}

/// Groups of channels of each image by their own mean and variance.
package struct GroupNormalization: Kernel {
  let epsilon: Float
  let groups: Int
  /// Opset 18 scales by group, later ones by channel.
  let scalesGroups: Bool

  package init(_ node: NodeInfo) throws {
    epsilon = try node.float("epsilon", default: 1e-5)
    groups = try node.int("num_groups", default: 0)
    guard groups >= 1 else { throw node.failure("num_groups must be at least 1, is \(groups)") }
    scalesGroups = node.domain.isEmpty && node.opset < 21
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    let input = try context.real(given)
    guard input.rank >= 2, input.shape[1] % groups == 0 else {
      throw context.failure("input \(input.shape) has no \(groups) equal groups of channels")
    }
    let channels = input.shape[1]
    let count = scalesGroups ? groups : channels
    let scale = try context.parameter(context.input(1, of: inputs), count: count, called: "scale")
    let bias = try context.parameter(context.input(2, of: inputs), count: count, called: "bias")
    let output = try context.allocate(.float32, input.shape)
    guard input.count > 0 else { return [try output.converted(to: given.elementType)] }
    let source = input.pointer(to: Float.self)
    let target = output.mutablePointer(to: Float.self)
    let factors = scale.pointer(to: Float.self)
    let shifts = bias.pointer(to: Float.self)
    let pixels = input.count / (input.shape[0] * channels)
    normalizeRows(
      input, rows: input.shape[0] * groups, epsilon: epsilon, context
    ) { row, mean, inverse, range in
      for start in stride(from: range.lowerBound, to: range.upperBound, by: pixels) {
        let parameter = scalesGroups ? row % groups : start / pixels % channels
        let factor = factors[parameter] * inverse
        let shift = shifts[parameter] - mean * factor
        for index in start..<start + pixels { target[index] = source[index] * factor + shift }
      }
    }
    return [try withExtendedLifetime((scale, bias)) { try output.converted(to: given.elementType) }]
  }
}

/// Everything from one axis on by its own mean and variance.
package struct LayerNormalization: Kernel {
  let axis: Int
  let epsilon: Float
  let outputCount: Int

  package init(_ node: NodeInfo) throws {
    axis = try node.int("axis", default: -1)
    epsilon = try node.float("epsilon", default: 1e-5)
    outputCount = node.outputCount
  }

  package func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let given = try context.input(0, of: inputs)
    let input = try context.real(given)
    let axis = try context.normalizedAxis(self.axis, rank: input.rank)
    let outer = Array(input.shape[..<axis])
    let rows = outer.reduce(1, *)
    let columns = input.shape[axis...].reduce(1, *)
    let scale = try context.parameter(
      try context.input(1, of: inputs), count: columns, called: "Scale")
    let bias = try context.optionalInput(2, of: inputs)
      .map { try context.parameter($0, count: columns, called: "B") }
    let output = try context.allocate(.float32, input.shape)
    let statistics = outer + [Int](repeating: 1, count: input.rank - axis)
    // Statistics are rarely asked for.
    let means = try outputCount > 1 ? context.allocate(.float32, statistics) : nil
    let inverses = try outputCount > 2 ? context.allocate(.float32, statistics) : nil
    let source = input.pointer(to: Float.self)
    let target = output.mutablePointer(to: Float.self)
    let factors = scale.pointer(to: Float.self)
    let shifts = bias?.pointer(to: Float.self)
    let meanTarget = means?.mutablePointer(to: Float.self)
    let inverseTarget = inverses?.mutablePointer(to: Float.self)
    context.parallel(rows, grain: max(1, 16_384 / max(columns, 1))) { range in
      let offset = range.lowerBound * columns
      rk_layer_norm_f32(
        source + offset, factors, shifts, target + offset, range.count, columns, epsilon,
        meanTarget.map { $0 + range.lowerBound }, inverseTarget.map { $0 + range.lowerBound })
    }
    return try withExtendedLifetime((scale, bias)) {
      // The statistics stay float32 whatever the input's type.
      [try output.converted(to: given.elementType)] + [means, inverses].compactMap { $0 }
    }
  }
}
