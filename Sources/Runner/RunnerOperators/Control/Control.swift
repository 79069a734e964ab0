import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// What passes values on, holds them, or decides what runs.
  package static let control: [Operator] = [
    Operator(
      "Identity", versions: [1, 13, 14, 16, 19, 21, 23, 24], inputs: 1...1, types: .any,
      shape: .likeFirst, memory: .view, traits: [.elementwise, .widens]
    ) { _ in
      Identity()
    },
    // A constant becomes a value of the graph when it is built; this entry is for the documentation
    // and for errors.
    Operator(
      "Constant", versions: [1, 9, 11, 12, 13, 19, 21, 23, 24], inputs: 0...0, types: .any,
      attributes: [
        "value": .tensor, "value_float": .float, "value_floats": .floats, "value_int": .int,
        "value_ints": .ints, "value_string": .string, "value_strings": .strings,
      ],
      shape: .dependsOnData
    ) {
      throw $0.failure("it has no output")
    },
    Operator(
      "ConstantOfShape", versions: [9, 20, 21, 23, 24], inputs: 1...1, types: .numeric + .bool,
      attributes: ["value": .tensor], shape: .constantOfShape
    ) {
      try ConstantOfShape($0)
    },
    Operator(
      "Dropout", versions: [6, 7, 10, 12, 13, 22], inputs: 1...3, outputs: 1...2, types: .real,
      attributes: ["is_test": .int], shape: .likeFirst, memory: .view,
      limits: "Inference only: nothing is dropped. In training only with a ratio of 0."
    ) {
      try Dropout($0)
    },
  ]
}

extension ShapeRule {
  static let constantOfShape = ShapeRule { query in
    guard let shape = try query.integers(0), shape.allSatisfy({ $0 >= 0 }) else {
      throw ShapeQuery.Unknown()
    }
    return [ValueFact(try query.info.tensor("value")?.elementType ?? .float32, shape)]
  }
}

/// The input, as it is, of whatever kind.
private struct Identity: ValueKernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    [try context.input(0, of: inputs)]
  }

  func run(values: [ModelValue?], in context: KernelContext) throws -> [ModelValue] {
    [try context.value(0, of: values)]
  }
}

/// One value, as often as a shape says.
private struct ConstantOfShape: Kernel {
  let value: Tensor

  init(_ node: NodeInfo) throws {
    value = try node.tensor("value") ?? Tensor(scalar: Float(0))
    guard value.count == 1, value.elementType != .string else {
      throw node.failure("value must be one number, got \(value.elementType)\(value.shape)")
    }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let shape = try context.integers(try context.input(0, of: inputs))
    let output = try context.allocate(value.elementType, shape)
    let (target, count, from) = (output.mutableBytes, output.count, value.bytes)
    switch value.elementType.byteCount {
    case 1: fill(target, UInt8.self, count, from)
    case 2: fill(target, UInt16.self, count, from)
    case 4: fill(target, UInt32.self, count, from)
    default: fill(target, UInt64.self, count, from)
    }
    return [output]
  }

  private func fill<Element: BitwiseCopyable>(
    _ target: UnsafeMutableRawPointer, _: Element.Type, _ count: Int, _ value: UnsafeRawPointer
  ) {
    target.assumingMemoryBound(to: Element.self)
      .update(repeating: value.loadUnaligned(as: Element.self), count: count)
  }
}

/// The input, as it is: nothing is dropped outside training.
private struct Dropout: Kernel {
  let givesMask: Bool

  init(_ node: NodeInfo) throws {
    givesMask = node.outputCount > 1 && node.hasOutput[1]
    if node.opset < 7, try !node.flag("is_test") { throw node.unsupported("training mode") }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    if let training = context.optionalInput(2, of: inputs),
      try training.array(of: Bool.self).first == true, try !keepsAll(inputs, in: context)
    {
      throw context.unsupported("training mode")
    }
    guard givesMask else { return [input] }
    let mask = try context.allocate(.bool, input.shape)
    mask.mutablePointer(to: Bool.self).update(repeating: true, count: mask.count)
    return [input, mask]
  }

  /// Whether training would drop nothing either.
  private func keepsAll(_ inputs: [Tensor?], in context: KernelContext) throws -> Bool {
    guard let ratio = context.optionalInput(1, of: inputs) else { return false }
    return try context.converted(ratio, to: .float64).array(of: Double.self) == [0]
  }
}
