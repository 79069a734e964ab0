import RunnerGraph
import RunnerTensors
import _RunnerKernels

extension OperatorFamilies {
  /// Choosing and limiting values, and changing their type.
  package static let selection: [Operator] = [
    Operator(
      "Where", versions: [9, 16], inputs: 3...3, types: .any, shape: .choice, traits: [.widens]
    ) { _ in Where() },
    Operator(
      "Clip", versions: [6, 11, 12, 13], inputs: 1...3, types: .numeric,
      attributes: ["max": .float, "min": .float], shape: .likeFirst, memory: .inPlace,
      traits: [.elementwise, .widens]
    ) { node in
      // Before opset 11 the bounds are attributes.
      Clip(low: try node.float("min"), high: try node.float("max"))
    },
    Operator(
      "Cast", versions: [6, 9, 13, 19, 21, 23, 24], inputs: 1...1, types: .any,
      attributes: ["to": .int], shape: .cast, limits: "To and from the types of this page."
    ) { node in
      guard let type = try node.elementType("to") else {
        throw node.failure("attribute 'to' is missing")
      }
      return Cast(type: type)
    },
    Operator(
      "CastLike", versions: [15, 19, 21, 23, 24], inputs: 2...2, types: .any, shape: .castLike
    ) { _ in
      Cast(type: nil)
    },
  ]
}

extension ShapeRule {
  package static let choice = ShapeRule { query in
    let shapes = try (0..<3).map { try query.shape($0) }
    return [ValueFact(try query.input(1).type, try query.broadcast(shapes))]
  }

  package static let cast = ShapeRule { query in
    guard let type = try query.info.elementType("to") else { throw ShapeQuery.Unknown() }
    return [ValueFact(type, try query.shape(0))]
  }

  static let castLike = ShapeRule { [ValueFact(try $0.input(1).type, try $0.shape(0))] }
}

/// One of two values, by a condition; all three broadcast.
private struct Where: Kernel {
  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let condition = try context.truths(context.input(0, of: inputs))
    let a = try context.input(1, of: inputs)
    let b = try context.input(2, of: inputs)
    try context.requireSameType([a, b])
    let shape = try context.broadcastShape([condition, a, b])
    if a.elementType == .string {
      return try context.movingText([a, b]) { positions, context in
        try select(condition, positions[0], positions[1], shape, UInt64.self, in: context)
      }
    }
    switch a.elementType.byteCount {
    case 1: return [try select(condition, a, b, shape, UInt8.self, in: context)]
    case 2: return [try select(condition, a, b, shape, UInt16.self, in: context)]
    case 4: return [try select(condition, a, b, shape, UInt32.self, in: context)]
    default: return [try select(condition, a, b, shape, UInt64.self, in: context)]
    }
  }

  private func select<Element: BitwiseCopyable>(
    _ condition: Tensor, _ a: Tensor, _ b: Tensor, _ shape: [Int], _: Element.Type,
    in context: KernelContext
  ) throws -> Tensor {
    let output = try context.allocate(a.elementType, shape)
    guard output.count > 0 else { return output }
    let layout = context.layout(shape, broadcasting: [condition, a, b])
    let to = output.mutableBytes.assumingMemoryBound(to: Element.self)
    let truths = condition.pointer(to: UInt8.self)
    let first = a.bytes.assumingMemoryBound(to: Element.self)
    let second = b.bytes.assumingMemoryBound(to: Element.self)
    let length = layout.rowLength
    let step = layout.rowStep
    context.parallelRows(layout) { rows in
      layout.forEachRow(in: rows) { _, starts in
        for index in 0..<length {
          to[starts[0] &+ index] =
            truths[starts[1] &+ index &* step[1]] != 0
            ? first[starts[2] &+ index &* step[2]] : second[starts[3] &+ index &* step[3]]
        }
      }
    }
    return output
  }
}

/// Values limited to a range; NaN stays.
private struct Clip: Kernel {
  let low: Float?
  let high: Float?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let type = input.elementType
    guard type != .bool, type != .string else {
      throw context.failure("elements are \(type), expected numbers")
    }
    let bounds = try [(1, low), (2, high)].map { index, attribute -> Tensor? in
      if let bound = context.optionalInput(index, of: inputs) {
        guard bound.count == 1 else {
          throw context.failure("input \(index) has shape \(bound.shape), expected a scalar")
        }
        try context.requireSameType([input, bound])
        return try context.widened(bound).viewed(as: [])
      }
      let compute = try context.computeType(of: input).elementType
      return try attribute.map { try context.converted(Tensor(scalar: $0), to: compute) }
    }
    var value = try context.widened(input)
    if value.elementType == .float32 {
      value = try context.activated(
        value,
        vk_activation(
          kind: VK_CLIP, alpha: bounds[0].map { $0.pointer(to: Float.self)[0] } ?? -.infinity,
          beta: bounds[1].map { $0.pointer(to: Float.self)[0] } ?? .infinity))
    } else {
      if let low = bounds[0] { value = try context.combined(value, low, .maximum) }
      if let high = bounds[1] { value = try context.combined(value, high, .minimum) }
    }
    return [try context.converted(value, to: type)]
  }
}

/// Values in another type: a fixed one, or the second input's.
private struct Cast: Kernel {
  let type: ElementType?

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let type = try type ?? context.input(1, of: inputs).elementType
    if input.elementType == type { return [input] }
    if input.elementType == .string { return [try parsed(input, as: type, in: context)] }
    if type == .string { return [try written(input)] }
    return [try context.converted(input, to: type)]
  }

  private func parsed(
    _ input: Tensor, as type: ElementType, in context: KernelContext
  ) throws -> Tensor {
    let strings = try input.strings()
    if type.isInteger {
      let numbers = try strings.map { text -> Int64 in
        if let number = Int64(text) { return number }
        guard let number = Double(text) else { throw context.failure("'\(text)' is not a number") }
        return Int64(clampingValue: number)
      }
      return try context.converted(Tensor(shape: input.shape, numbers), to: type)
    }
    let numbers = try strings.map { text -> Double in
      guard let number = Double(text) else { throw context.failure("'\(text)' is not a number") }
      return number
    }
    return try context.converted(Tensor(shape: input.shape, numbers), to: type)
  }

  private func written(_ input: Tensor) throws -> Tensor {
    let strings: [String]
    switch input.elementType {
    case .float64: strings = try input.array(of: Double.self).map { text("\($0)") }
    case .float32, .float16, .bfloat16:
      strings = try input.converted(to: .float32).array(of: Float.self).map { text("\($0)") }
    case .uint64: strings = try input.array(of: UInt64.self).map { "\($0)" }
    case .bool: strings = try input.array(of: Bool.self).map { $0 ? "1" : "0" }
    default: strings = try input.converted(to: .int64).array(of: Int64.self).map { "\($0)" }
    }
    return try Tensor(shape: input.shape, strings: strings)
  }

  /// A number as ONNX writes it.
  ///
  /// Infinity and NaN have capital letters, and whole numbers have no fraction.
  private func text(_ number: String) -> String {
    switch number {
    case "nan": return "NaN"
    case "inf": return "INF"
    case "-inf": return "-INF"
    default: return number.hasSuffix(".0") ? String(number.dropLast(2)) : number
    }
  }
}

extension KernelContext {
  /// Runs a kernel that only moves elements on the positions of texts instead of the texts.
  ///
  /// `move` gets one tensor of positions for each of `tensors`, all different, and answers positions.
  func movingText(
    _ tensors: [Tensor], _ move: ([Tensor], KernelContext) throws -> Tensor
  ) throws -> [Tensor] {
    var all: [String] = []
    let positions = try tensors.map { tensor in
      let strings = try tensor.strings()
      let first = Int64(all.count)
      all += strings
      return try Tensor(shape: tensor.shape, strings.indices.map { first + Int64($0) })
    }
    let moved = try move(positions, self)
    return [
      try Tensor(shape: moved.shape, strings: moved.array(of: Int64.self).map { all[Int($0)] })
    ]
  }
}
