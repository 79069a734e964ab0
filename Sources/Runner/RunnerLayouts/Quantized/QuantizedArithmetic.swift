import RunnerGraph
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Operators on quantised numbers from ONNX Runtime's quantiser.
  ///
  /// Each computes the float operator on the dequantised numbers, and quantises the result.
  package static let quantizedArithmetic: [Operator] = {
    func definition(
      _ name: String, inputs: ClosedRange<Int>, attributes: AttributeKinds = [:],
      shape: ShapeRule = .likeFirst,
      traits: OperatorTraits = [],
      _ make: @escaping @Sendable (NodeInfo) throws -> any Kernel
    ) -> Operator {
      Operator(
        name, domain: OperatorDomain.runtime, versions: [1], inputs: inputs,
        types: ElementTypes([.int8, .uint8]), attributes: attributes, shape: shape,
        traits: traits, make: make)
    }
    return [
      definition("QLinearAdd", inputs: 7...8, shape: .quantizedBroadcast, traits: .elementwise) {
        _ in
        QuantizedBinary(RK_ADD, "Add")
      },
      definition("QLinearMul", inputs: 7...8, shape: .quantizedBroadcast, traits: .elementwise) {
        _ in
        QuantizedBinary(RK_MUL, "Mul")
      },
      definition("QLinearSigmoid", inputs: 4...5, traits: .elementwise) { _ in
        QuantizedFunction("Sigmoid", [:])
      },
      definition(
        "QLinearLeakyRelu", inputs: 4...5, attributes: ["alpha": .float], traits: .elementwise
      ) { node in
        QuantizedFunction("LeakyRelu", ["alpha": .float(try node.float("alpha", default: 0.01))])
      },
      definition("QLinearSoftmax", inputs: 5...5, attributes: ["axis": .int, "opset": .int]) {
        node in
        let axis = try node.int("axis", default: -1)
        guard try node.int("opset", default: 13) >= 13 else {
          throw node.unsupported("softmax over several axes")
        }
        return QuantizedFunction("Softmax", ["axis": .int(axis)])
      },
      definition(
        "QLinearGlobalAveragePool", inputs: 4...5, attributes: ["channels_last": .int],
        shape: .globalPool
      ) {
        node in
        guard try !node.flag("channels_last") else { throw node.unsupported("channels last") }
        return QuantizedFunction("GlobalAveragePool", of: OperatorFamilies.pooling, [:])
      },
      definition(
        "QLinearConcat", inputs: 5...Operator.many, attributes: ["axis": .int],
        shape: .quantizedConcat
      ) { node in
        QuantizedConcat(axis: try node.int("axis", default: 0))
      },
    ]
  }()
}

extension ShapeRule {
  fileprivate static let quantizedBroadcast = ShapeRule {
    [ValueFact(try $0.input(0).type, try $0.broadcast([$0.shape(0), $0.shape(3)]))]
  }

  /// Each part has a scale and a zero point after it, and the result has its own before them.
  fileprivate static let quantizedConcat = ShapeRule {
    try concat($0, Array(stride(from: 2, to: $0.inputs.count, by: 3)))
  }
}

extension KernelContext {
  /// The scale and zero point of a whole tensor, in the inputs at `index` and after it.
  func quantizationRange(
    _ index: Int, _ type: ElementType, of inputs: [Tensor?]
  ) throws -> rk_q8_range {
    let scale = try input(index, of: inputs)
    let zero = optionalInput(index + 1, of: inputs)
    guard scale.elementType == .float32, scale.count == 1,
      zero.map({ $0.count == 1 && $0.elementType == type }) ?? true
    else { throw failure("input \(index) must be a scale with a zero point of type \(type)") }
    return rk_q8_range(scale: scale.pointer(to: Float.self)[0], zero: Tensor.zeroPoints(zero)[0])
  }

  /// An 8-bit input.
  func byteInput(_ index: Int, of inputs: [Tensor?]) throws -> Tensor {
    let tensor = try input(index, of: inputs)
    guard tensor.elementType == .int8 || tensor.elementType == .uint8 else {
      throw unsupported("elements of type \(tensor.elementType)")
    }
    return tensor
  }
}

/// Sums and products.
private struct QuantizedBinary: Kernel {
  let operation: rk_binary_op
  let name: String

  init(_ operation: rk_binary_op, _ name: String) {
    self.operation = operation
    self.name = name
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let a = try context.byteInput(0, of: inputs)
    let b = try context.byteInput(3, of: inputs)
    try context.requireSameType([a, b])
    let ranges = (
      try context.quantizationRange(1, a.elementType, of: inputs),
      try context.quantizationRange(4, a.elementType, of: inputs),
      try context.quantizationRange(6, a.elementType, of: inputs)
    )
    if a.elementType == .uint8, let result = try quick(a, b, ranges, in: context) {
      return [result]
    }
    let result = try context.perform(
      name,
      [
        context.dequantizedBytes(a, scale: ranges.0.scale, zero: ranges.0.zero),
        context.dequantizedBytes(b, scale: ranges.1.scale, zero: ranges.1.zero),
      ])
    return [
      try context.quantizedBytes(
        result, scale: ranges.2.scale, zero: ranges.2.zero, to: a.elementType)
    ]
  }

  /// The fast path: shapes are equal, or one of the two is repeated as a whole or is one number.
  private func quick(
    _ a: Tensor, _ b: Tensor, _ ranges: (rk_q8_range, rk_q8_range, rk_q8_range),
    in context: KernelContext
  ) throws -> Tensor? {
    func isSuffix(_ small: Tensor, of large: Tensor) -> Bool {
      let shape = Array(small.shape.drop { $0 == 1 })
      return small.rank <= large.rank && Array(large.shape.suffix(shape.count)) == shape
    }
    let isSwapped = !isSuffix(b, of: a)
    guard !isSwapped || isSuffix(a, of: b) else { return nil }
    let (large, small) = isSwapped ? (b, a) : (a, b)
    let output = try context.allocate(.uint8, large.shape)
    guard output.count > 0, small.count > 0 else { return output.count > 0 ? nil : output }
    let (left, right) = (a.pointer(to: UInt8.self), b.pointer(to: UInt8.self))
    let target = output.mutablePointer(to: UInt8.self)
    let period = small.count == 1 ? 1 << 14 : small.count
    let rows = (output.count + period - 1) / period
    // Long rows are divided into pieces, and short ones are combined.
    let piece = min(period, 1 << 14)
    let pieces = (period + piece - 1) / piece
    context.parallel(rows * pieces, grain: max(1, (1 << 14) / piece)) { items in
      for item in items {
        let (row, part) = item.quotientAndRemainder(dividingBy: pieces)
        let start = row * period + part * piece
        let end = min(start + piece, (row + 1) * period, output.count)
        guard start < end else { continue }
        let offset = small.count == 1 ? 0 : part * piece
        let step = small.count == 1 ? 0 : 1
        rk_q8_binary(
          operation, left + (isSwapped ? offset : start), isSwapped ? step : 1, ranges.0,
          right + (isSwapped ? start : offset), isSwapped ? 1 : step, ranges.1, target + start,
          ranges.2, end - start)
      }
    }
    return output
  }
}

/// A float operator of one input on the dequantised numbers.
private struct QuantizedFunction: Kernel {
  let name: String
  let family: [Operator]?
  let attributes: [String: AttributeValue]

  init(
    _ name: String, of family: [Operator]? = nil, _ attributes: [String: AttributeValue]
  ) {
    self.name = name
    self.family = family
    self.attributes = attributes
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.byteInput(0, of: inputs)
    let given = try context.quantizationRange(1, input.elementType, of: inputs)
    let wanted = try context.quantizationRange(3, input.elementType, of: inputs)
    let value = try context.dequantizedBytes(input, scale: given.scale, zero: given.zero)
    return [
      try context.quantizedBytes(
        context.perform(name, of: family, attributes: attributes, [value]),
        scale: wanted.scale, zero: wanted.zero, to: input.elementType)
    ]
  }
}

private struct QuantizedConcat: Kernel {
  let axis: Int

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    guard inputs.count % 3 == 2 else {
      throw context.failure("takes two and three times as many inputs as parts")
    }
    let first = try context.byteInput(2, of: inputs)
    let wanted = try context.quantizationRange(0, first.elementType, of: inputs)
    let parts = try stride(from: 2, to: inputs.count, by: 3).map { index -> Tensor in
      let part = try context.byteInput(index, of: inputs)
      try context.requireSameType([first, part])
      let range = try context.quantizationRange(index + 1, first.elementType, of: inputs)
      if range.scale == wanted.scale, range.zero == wanted.zero { return part }
      // The result for each of the 256 numbers.
      let all = try Tensor(shape: [256], (0..<256).map { UInt8($0) })
      let codes = Tensor(
        elementType: first.elementType, shape: [256], count: 256, storage: all.storage)
      let table = try context.quantizedBytes(
        context.dequantizedBytes(codes, scale: range.scale, zero: range.zero),
        scale: wanted.scale, zero: wanted.zero, to: first.elementType)
      return try Lookup.apply(table, to: part, in: context)
    }
    return [try context.perform("Concat", attributes: ["axis": .int(axis)], parts)]
  }
}

/// Replaces each 8-bit number by its entry in a table of 256.
struct Lookup: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    [
      try Self.apply(
        try context.input(1, of: inputs), to: try context.byteInput(0, of: inputs), in: context)
    ]
  }

  static func apply(
    _ table: Tensor, to input: Tensor, in context: KernelContext
  ) throws -> Tensor {
    guard table.elementType.byteCount == 1, table.count == 256 else {
      throw context.failure("expected a table of 256 8-bit numbers")
    }
    let output = try context.allocate(table.elementType, input.shape)
    let source = input.pointer(to: UInt8.self)
    let target = output.mutablePointer(to: UInt8.self)
    let numbers = table.pointer(to: UInt8.self)
    context.parallel(input.count, grain: 1 << 15) { range in
      rk_q8_table(source + range.lowerBound, target + range.lowerBound, range.count, numbers)
    }
    return output
  }
}
