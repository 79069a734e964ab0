import RunnerGraph
import RunnerOperators
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Operators on quantised numbers.
  package static let quantization: [Operator] = [
    Operator(
      "QuantizeLinear", versions: [10, 13, 19, 21, 23, 24], inputs: 2...3,
      types: ElementTypes([.float16, .bfloat16, .float32, .int32]),
      attributes: ["axis": .int, "block_size": .int, "output_dtype": .int], shape: .quantizeLinear,
      traits: [.elementwise], limits: "Not to types of four bits or `float8`."
    ) { node in
      QuantizeLinear(
        axis: try node.int("axis", default: 1), block: try node.int("block_size", default: 0),
        type: try node.int("output_dtype", default: 0) == 0
          ? nil : try node.elementType("output_dtype"))
    },
    Operator(
      "DequantizeLinear", versions: [10, 13, 19, 21, 23, 24], inputs: 2...3,
      types: ElementTypes([.int8, .int16, .int32, .uint8, .uint16]),
      attributes: ["axis": .int, "block_size": .int, "output_dtype": .int],
      shape: .dequantizeLinear, traits: [.elementwise],
      limits: "Not from types of four bits or `float8`."
    ) { node in
      DequantizeLinear(
        axis: try node.int("axis", default: 1), block: try node.int("block_size", default: 0),
        type: try node.int("output_dtype", default: 0) == 0
          ? nil : try node.elementType("output_dtype"))
    },
    Operator(
      "DynamicQuantizeLinear", versions: [11], inputs: 1...1, outputs: 3...3,
      types: ElementTypes([.float32]), shape: .dynamicQuantizeLinear
    ) { _ in DynamicQuantizeLinear() },
  ]
}

extension ShapeRule {
  // Zero points determine the type of the rounded numbers.
  static let quantizeLinear = ShapeRule { query in
    guard !query.info.has("output_dtype") else { throw ShapeQuery.Unknown() }
    let type = query.isGiven(2) ? try query.input(2).type : .uint8
    return [ValueFact(type, try query.shape(0))]
  }

  static let dequantizeLinear = ShapeRule { query in
    guard !query.info.has("output_dtype") else { throw ShapeQuery.Unknown() }
    return [ValueFact(try query.input(1).type, try query.shape(0))]
  }

  static let dynamicQuantizeLinear = ShapeRule { query in
    [ValueFact(.uint8, try query.shape(0)), ValueFact(.float32, []), ValueFact(.uint8, [])]
  }
}

extension KernelContext {
  /// Scales or zero points in a shape that broadcasts to `shape`.
  ///
  /// There is one for the whole tensor, one per slice along `axis`, or one per run of `block`
  /// elements along it.
  func quantization(
    _ parameters: Tensor, over shape: [Int], axis: Int, block: Int
  ) throws -> Tensor {
    if parameters.count == 1, block == 0 { return parameters.viewed(as: []) }
    let axis = try normalizedAxis(axis, rank: shape.count)
    if block > 0 {
      guard parameters.rank == shape.count,
        shape.indices.allSatisfy({
          $0 == axis
            ? (shape[$0] - 1) / block < parameters.shape[$0] : shape[$0] == parameters.shape[$0]
        })
      else {
        throw failure("scales of shape \(parameters.shape) for shape \(shape), blocks of \(block)")
      }
      let places = (0..<shape[axis]).map { Int64($0 / block) }
      return try Gather(axis: axis).run(
        [parameters, Tensor(shape: [places.count], places)], in: self)[0]
    }
    guard parameters.rank == 1, parameters.count == shape[axis] else {
      throw failure("scales of shape \(parameters.shape) for axis \(axis) of shape \(shape)")
    }
    var view = [Int](repeating: 1, count: shape.count)
    view[axis] = parameters.count
    return parameters.viewed(as: view)
  }

  /// The range of an integer type for quantised numbers.
  func quantizedRange(of type: ElementType) throws -> ClosedRange<Int64> {
    switch type {
    case .int8: return -128...127
    case .uint8: return 0...255
    case .int16: return -32_768...32_767
    case .uint16: return 0...65_535
    default: throw unsupported("quantisation to \(type)")
    }
  }

  /// `round(value / scale) + zeroPoint`, clamped to the range of `type`.
  func quantized(
    _ value: Tensor, scale: Tensor, zeroPoint: Tensor?, to type: ElementType
  ) throws -> Tensor {
    let range = try quantizedRange(of: type)
    // The limit is far outside of any range, but adding a zero point cannot overflow.
    let steps = try combined(value, scale) { (x: Float, scale: Float) -> Int64 in
      Int64(clampingValue: Double(min(max((x / scale).rounded(.toNearestOrEven), -1e9), 1e9)))
    }
    let zero = try zeroPoint.map { try converted($0, to: .int64) } ?? Tensor(scalar: Int64(0))
    let clamped = try combined(steps, zero) { (x: Int64, zero: Int64) in
      min(max(x + zero, range.lowerBound), range.upperBound)
    }
    return try converted(clamped, to: type)
  }
}

extension KernelContext {
  /// The number of elements that a thread quantises at a time.
  private static let quantizationPiece = 1 << 15

  /// `round(value / scale) + zero` of `float32` numbers, clamped to the range of an 8-bit `type`.
  package func quantizedBytes(
    _ value: Tensor, scale: Float, zero: Int32, to type: ElementType
  ) throws -> Tensor {
    let output = try allocate(type, value.shape)
    let source = value.pointer(to: Float.self)
    let target = output.mutablePointer(to: UInt8.self)
    parallel(value.count, grain: Self.quantizationPiece) { range in
      rk_quantize_f32(
        source + range.lowerBound, target + range.lowerBound, range.count, scale, zero,
        type == .int8 ? 1 : 0)
    }
    return output
  }

  /// `(value - zero) * scale` of 8-bit numbers.
  package func dequantizedBytes(_ value: Tensor, scale: Float, zero: Int32) throws -> Tensor {
    let output = try allocate(.float32, value.shape)
    let source = value.pointer(to: UInt8.self)
    let target = output.mutablePointer(to: Float.self)
    parallel(value.count, grain: Self.quantizationPiece) { range in
      rk_dequantize_f32(
        source + range.lowerBound, target + range.lowerBound, range.count, scale, zero,
        value.elementType == .int8 ? 1 : 0)
    }
    return output
  }

  /// The least and the greatest element; infinities if there are no elements.
  fileprivate func extremes(of input: Tensor) throws -> (Float, Float) {
    let piece = Self.quantizationPiece
    let count = max(1, (input.count + piece - 1) / piece)
    let parts = try allocate(.float32, [count, 2])
    let values = input.pointer(to: Float.self)
    let target = parts.mutablePointer(to: Float.self)
    target[0] = .infinity
    target[1] = -.infinity
    parallel(input.count, grain: piece) { range in
      let part = range.lowerBound / piece
      target[2 * part] = rk_min_f32(values + range.lowerBound, range.count)
      target[2 * part + 1] = rk_max_f32(values + range.lowerBound, range.count)
    }
    return withExtendedLifetime(parts) {
      var result = (target[0], target[1])
      for part in 1..<max(count, 1) where count > 1 {
        // A comparison with NaN is false, and NaN must be the result.
        if !(target[2 * part] >= result.0) { result.0 = target[2 * part] }
        if !(target[2 * part + 1] <= result.1) { result.1 = target[2 * part + 1] }
      }
      return result
    }
  }
}

private struct QuantizeLinear: Kernel {
  let axis: Int
  let block: Int
  let type: ElementType?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let scales = try context.input(1, of: inputs)
    let zeros = context.optionalInput(2, of: inputs)
    guard scales.elementType.isFloatingPoint || scales.elementType == .int32 else {
      throw context.failure("scales are \(scales.elementType)")
    }
    let target = zeros?.elementType ?? type ?? .uint8
    if input.elementType == .float32, scales.elementType == .float32, scales.count == 1, block == 0,
      zeros.map({ $0.count == 1 }) ?? true, target == .int8 || target == .uint8
    {
      return [
        try context.quantizedBytes(
          input, scale: scales.pointer(to: Float.self)[0], zero: Tensor.zeroPoints(zeros)[0],
          to: target)
      ]
    }
    let scale = try context.quantization(scales, over: input.shape, axis: axis, block: block)
    let zero = try zeros.map {
      try context.quantization($0, over: input.shape, axis: axis, block: block)
    }
    return [
      try context.quantized(
        context.converted(input, to: .float32), scale: context.converted(scale, to: .float32),
        zeroPoint: zero, to: zeros?.elementType ?? type ?? .uint8)
    ]
  }
}

private struct DequantizeLinear: Kernel {
  let axis: Int
  let block: Int
  let type: ElementType?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let scales = try context.input(1, of: inputs)
    guard input.elementType.isInteger, scales.elementType.isFloatingPoint else {
      throw context.failure("elements are \(input.elementType), scales \(scales.elementType)")
    }
    let zeros = context.optionalInput(2, of: inputs)
    if input.elementType == .int8 || input.elementType == .uint8, scales.elementType == .float32,
      scales.count == 1, block == 0, type ?? .float32 == .float32,
      zeros.map({ $0.count == 1 && $0.elementType == input.elementType }) ?? true
    {
      return [
        try context.dequantizedBytes(
          input, scale: scales.pointer(to: Float.self)[0], zero: Tensor.zeroPoints(zeros)[0])
      ]
    }
    let scale = try context.quantization(scales, over: input.shape, axis: axis, block: block)
    var value = input
    if let zeros = context.optionalInput(2, of: inputs) {
      try context.requireSameType([input, zeros])
      let zero = try context.quantization(zeros, over: input.shape, axis: axis, block: block)
      value = try context.combined(
        context.converted(input, to: .int64), context.converted(zero, to: .int64), .subtract)
    }
    let result = try context.combined(
      context.converted(value, to: .float32), context.converted(scale, to: .float32), .multiply)
    return [try context.converted(result, to: type ?? scales.elementType)]
  }
}

/// Scale and zero point from the least and the greatest element.
private struct DynamicQuantizeLinear: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    guard input.elementType == .float32 else {
      throw context.failure("elements are \(input.elementType), expected float32")
    }
    let (least, greatest) = try context.extremes(of: input)
    let low = min(0, least)
    let high = max(0, greatest)
    let scale = (high - low) / 255
    // A tensor of only zeros has no scale; any scale is right.
    let divisor = scale > 0 ? scale : 1
    let zero = Int64(clampingValue: Double((-low / divisor).rounded(.toNearestOrEven)))
    let zeroPoint = Tensor(scalar: UInt8(clamping: zero))
    return [
      try context.quantizedBytes(
        input, scale: divisor, zero: Int32(Tensor.zeroPoints(zeroPoint)[0]), to: .uint8),
      Tensor(scalar: scale), zeroPoint,
    ]
  }
}
