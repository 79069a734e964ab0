import RunnerGraph
import RunnerTensors

extension OperatorFamilies {
  /// Conversions from and to numbers of 8 and 4 bits.
  ///
  /// ONNX's own conversions are written out as these if they have such numbers.
  package static let narrowTypes: [Operator] = [
    Operator(
      "Cast", domain: OperatorDomain.narrow, versions: [1], inputs: 1...1, types: .narrow,
      attributes: ["round_mode": .string, "saturate": .int, "to": .int], shape: .cast
    ) { try NarrowCast($0) },
    Operator(
      "QuantizeLinear", domain: OperatorDomain.narrow, versions: [1], inputs: 2...3, types: .real,
      attributes: ["axis": .int, "block_size": .int, "output_dtype": .int, "saturate": .int],
      shape: .narrowQuantization
    ) { try NarrowQuantization($0) },
    Operator(
      "DequantizeLinear", domain: OperatorDomain.narrow, versions: [1], inputs: 2...3,
      types: .narrow, attributes: ["axis": .int, "block_size": .int, "output_dtype": .int],
      shape: .narrowDequantization
    ) { try NarrowDequantization($0) },
  ]

  /// `operators`, of which those that convert take numbers of 8 and 4 bits too.
  package static func takingNarrowTypes(_ operators: [Operator]) -> [Operator] {
    operators.map { operation in
      guard operation.domain.isEmpty else { return operation }
      switch operation.name {
      case "Cast":
        return operation.also(
          types: .narrow + ElementTypes([.float8e8m0]), attributes: castAttributes
        ) { node in
          guard let type = try node.info.elementType("to") else {
            throw node.info.failure("attribute 'to' is missing")
          }
          try node.cast(to: type)
        }
      case "CastLike":
        return operation.also(
          types: .narrow + ElementTypes([.float8e8m0]), attributes: castAttributes
        ) { node in
          // Without the type there is nothing but the usual way.
          guard let type = node.knowledge.count > 1 ? node.knowledge[1].type : nil else {
            guard try node.info.flag("saturate", default: true), !node.info.has("round_mode") else {
              throw node.info.unsupported("saturate = 0 to a type that is seen in a run")
            }
            return
          }
          try node.cast(to: type)
        }
      case "QuantizeLinear":
        return operation.also(types: ElementTypes([]), attributes: ["saturate": .int]) { node in
          let number = try node.info.int("output_dtype", default: 0)
          _ = try node.info.flag("saturate", default: true)
          let zero = node.knowledge.count > 2 ? node.knowledge[2].type : nil
          guard let type = zero ?? ElementType(rawValue: number), type.isNarrow else { return }
          var attributes = try node.info.values(of: ["axis", "block_size", "saturate"])
          attributes["output_dtype"] = .int(type.rawValue)
          node.give(
            node.add(node.info.operation, node.inputs, attributes, domain: OperatorDomain.narrow))
        }
      case "DequantizeLinear":
        return operation.also(types: .narrow, attributes: [:]) { node in
          guard node.type(0).isNarrow else { return }
          let attributes = try node.info.values(of: ["axis", "block_size", "output_dtype"])
          if let known = try node.dequantized() {
            node.give(node.add("Identity", [node.known(known)]))
          } else if node.type(0).isFloatingPoint {
            node.give(
              node.add(
                node.info.operation, node.inputs, attributes, domain: OperatorDomain.narrow))
          }
          // Integers of four bits are numbers like any other.
        }
      default: return operation
      }
    }
  }

  private static let castAttributes: AttributeKinds = ["round_mode": .string, "saturate": .int]
}

extension NodeExpansion {
  /// Writes a conversion that is not what it usually is.
  fileprivate mutating func cast(to type: ElementType) throws {
    let attributes = try info.values(of: ["round_mode", "saturate"])
    let x = try required(0)
    if type == .string, self.type(0).isNarrow || self.type(0) == .float8e8m0 {
      let wide = add("Cast", [x], ["to": .int(ElementType.float32.rawValue)])
      give(add("Cast", [wide], ["to": .int(type.rawValue)]))
    } else if !attributes.isEmpty, type.isFloatingPoint, type.bitCount <= 8 {
      give(
        add(
          "Cast", [x], attributes.merging(["to": .int(type.rawValue)]) { $1 },
          domain: OperatorDomain.narrow))
    }
  }
}

extension NodeExpansion {
  /// What known numbers become, once for all runs: weights are too many for that to be done in each.
  fileprivate mutating func dequantized() throws -> Tensor? {
    let tensors = inputs.indices.map { info.constant($0) }
    guard inputs.indices.allSatisfy({ inputs[$0] == nil || tensors[$0] != nil }),
      let count = tensors.first??.count, count <= room / 4
    else { return nil }
    let context = KernelContext(
      nodeName: info.name, operation: info.operation, pool: BufferPool(limit: room),
      threads: ThreadPool(threadCount: 1), isCancelled: nil)
    let kernel = try NarrowDequantization(info)
    // What is wrong is said in a run.
    guard let result = try? kernel.run(tensors, in: context).first else { return nil }
    room -= result.byteCount
    return result
  }
}

extension ElementType {
  /// Whether it is stored and converted only: of four bits, or `float8`.
  fileprivate var isNarrow: Bool { ElementTypes.narrow.list.contains(self) }
}

extension ShapeRule {
  fileprivate static let narrowQuantization = ShapeRule { query in
    guard let type = try query.info.elementType("output_dtype") else { throw ShapeQuery.Unknown() }
    return [ValueFact(type, try query.shape(0))]
  }

  fileprivate static let narrowDequantization = ShapeRule { query in
    let type =
      try query.info.int("output_dtype", default: 0) == 0
      ? nil : try query.info.elementType("output_dtype")
    return [ValueFact(try type ?? query.input(1).type, try query.shape(0))]
  }
}

/// Conversion to a floating-point format of 8 or 4 bits.
private struct NarrowCast: Kernel {
  private let type: ElementType
  private let format: NarrowFormat
  private let saturates: Bool
  private let rounding: NarrowFormat.ScaleRounding

  init(_ node: NodeInfo) throws {
    saturates = try node.flag("saturate", default: true)
    let mode = try node.string("round_mode", default: "up")
    guard let rounding = NarrowFormat.ScaleRounding(rawValue: mode) else {
      throw node.failure("round_mode is '\(mode)', expected up, down or nearest")
    }
    self.rounding = rounding
    guard let type = try node.elementType("to"), let format = NarrowFormat(type) else {
      throw node.failure("attribute 'to' is not a type of 8 or 4 bits")
    }
    self.type = type
    self.format = format
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.converted(context.input(0, of: inputs), to: .float32)
    return [
      try context.coded(input, type) {
        format.code(of: $0, saturates: saturates, rounding: rounding)
      }
    ]
  }
}

extension KernelContext {
  /// A tensor of 8-bit codes of a type, one for each element.
  fileprivate func coded(
    _ input: Tensor, _ type: ElementType, _ code: (Float) -> UInt8
  ) throws -> Tensor {
    let output = try allocate(type, input.shape)
    let from = input.pointer(to: Float.self)
    let to = output.mutableBytes.assumingMemoryBound(to: UInt8.self)
    parallel(input.count, grain: 1 << 12) { range in
      for index in range { to[index] = code(from[index]) }
    }
    return withExtendedLifetime(input) { output }
  }

  /// Scales or zero points in a shape that broadcasts to `shape`.
  ///
  /// One for the whole tensor, one for each slice along `axis`, or one for each run of `block` elements
  /// along it.
  fileprivate func spread(
    _ parameters: Tensor, over shape: [Int], axis: Int, block: Int
  ) throws -> Tensor {
    let parameters = try converted(parameters, to: .float32)
    if parameters.count == 1, block == 0 { return parameters.viewed(as: []) }
    let axis = try normalizedAxis(axis, rank: shape.count)
    guard block > 0 else {
      guard parameters.rank == 1, parameters.count == shape[axis] else {
        throw failure("scales of shape \(parameters.shape) for axis \(axis) of shape \(shape)")
      }
      var view = [Int](repeating: 1, count: shape.count)
      view[axis] = parameters.count
      return parameters.viewed(as: view)
    }
    guard parameters.rank == shape.count,
      shape.indices.allSatisfy({
        $0 == axis
          ? (shape[$0] - 1) / block < parameters.shape[$0] : shape[$0] == parameters.shape[$0]
      })
    else {
      throw failure("scales of shape \(parameters.shape) for shape \(shape), blocks of \(block)")
    }
    let places = (0..<shape[axis]).map { Int64($0 / block) }
    return try perform(
      "Gather", attributes: ["axis": .int(axis)],
      [parameters, Tensor(shape: [places.count], places)])
  }
}

/// `x / scale + zero`, rounded to a type of 8 or 4 bits.
private struct NarrowQuantization: Kernel {
  private let axis: Int
  private let block: Int
  private let type: ElementType
  private let saturates: Bool

  init(_ node: NodeInfo) throws {
    axis = try node.int("axis", default: 1)
    block = try node.int("block_size", default: 0)
    saturates = try node.flag("saturate", default: true)
    guard let type = try node.elementType("output_dtype"), type.isNarrow else {
      throw node.failure("output_dtype is not a type of 8 or 4 bits")
    }
    self.type = type
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.converted(context.input(0, of: inputs), to: .float32)
    let scale = try context.spread(
      context.input(1, of: inputs), over: input.shape, axis: axis, block: block)
    let zeros = try context.optionalInput(2, of: inputs).map { zeros in
      guard zeros.elementType == type else {
        throw context.failure("zero points are \(zeros.elementType), expected \(type)")
      }
      return try context.spread(zeros, over: input.shape, axis: axis, block: block)
    }
    var scaled = try context.perform("Div", [input, scale])
    guard scaled.shape == input.shape else {
      throw context.failure("scales of shape \(scale.shape) for shape \(input.shape)")
    }
    if type.isInteger { scaled = try context.perform("Round", [scaled]) }
    if let zeros { scaled = try context.perform("Add", [scaled, zeros]) }
    if let format = NarrowFormat(type) {
      return [
        try context.coded(scaled, type) { format.code(of: $0, saturates: saturates) }
      ]
    }
    let range: ClosedRange<Float> = type == .int4 ? -8...7 : 0...15
    return [
      try context.coded(scaled, type) { x in
        let limited = x.isNaN ? 0 : Int64(min(max(x, range.lowerBound), range.upperBound))
        return type == .int4
          ? UInt8(bitPattern: NarrowIntegers.signed(limited)) : NarrowIntegers.unsigned(limited)
      }
    ]
  }
}

/// `(x - zero) scale` of numbers of 8 or 4 bits.
private struct NarrowDequantization: Kernel {
  private let axis: Int
  private let block: Int
  private let type: ElementType?

  init(_ node: NodeInfo) throws {
    axis = try node.int("axis", default: 1)
    block = try node.int("block_size", default: 0)
    type =
      try node.int("output_dtype", default: 0) == 0 ? nil : try node.elementType("output_dtype")
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let input = try context.input(0, of: inputs)
    let scales = try context.input(1, of: inputs)
    guard scales.elementType.isFloatingPoint, type?.isFloatingPoint ?? true else {
      throw context.failure("scales are \(scales.elementType)")
    }
    var value = try context.converted(input, to: .float32)
    if let zeros = context.optionalInput(2, of: inputs) {
      try context.requireSameType([input, zeros])
      value = try context.perform(
        "Sub", [value, context.spread(zeros, over: input.shape, axis: axis, block: block)])
    }
    let scale = try context.spread(scales, over: input.shape, axis: axis, block: block)
    let result = try context.perform("Mul", [value, scale])
    guard result.shape == input.shape else {
      throw context.failure("scales of shape \(scales.shape) for shape \(input.shape)")
    }
    return [try context.converted(result, to: type ?? scales.elementType)]
  }
}
