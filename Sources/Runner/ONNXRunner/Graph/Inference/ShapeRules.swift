/// The outputs' types and shapes by operator, as the ONNX specification has them.
///
/// A rule throws where it needs to know more. It must never say what a run would not give: shape
/// arithmetic is computed from it.
enum ShapeRules {
  typealias Rule = @Sendable (ShapeQuery) throws -> [ValueFact?]

  /// The rule for a node; nodes on blocks follow those of the operator they stand for.
  static func rule(for node: Graph.Node) -> Rule? {
    switch node.domain {
    case "": return plain[node.operation]
    case ChannelBlocking.domain: return blocked[node.operation] ?? plain[node.operation]
    default: return further[node.domain]?[node.operation]
    }
  }

  private static let plain: [String: Rule] = {
    var rules: [String: Rule] = [:]
    for name in likeFirst { rules[name] = { [try $0.input(0)] } }
    for name in arithmetic {
      rules[name] = { query in
        // Early opsets say by attributes how one side is repeated.
        if query.info.has("axis") || query.info.has("broadcast") { throw ShapeQuery.Unknown() }
        let shapes = try query.inputs.indices.map { try query.shape($0) }
        return [ValueFact(try query.input(0).type, try query.broadcast(shapes))]
      }
    }
    for name in comparisons {
      rules[name] = { query in
        // Early opsets say by attributes how one side is repeated.
        if query.info.has("axis") || query.info.has("broadcast") { throw ShapeQuery.Unknown() }
        let shapes = try query.inputs.indices.map { try query.shape($0) }
        return [ValueFact(.bool, try query.broadcast(shapes))]
      }
    }
    for family in [types, windows, products, movement, gathering, reductions, quantization] {
      rules.merge(family) { first, _ in first }
    }
    return rules
  }()

  /// What ``ChannelBlocking`` makes, where it differs from the operator of the same name.
  private static let blocked: [String: Rule] = [
    "ToBlocks": { [try $0.input(0)] },
    "FromBlocks": { [try $0.input(0)] },
    SqueezeExciteFusion.operation: { [try $0.input(0)] },
    PixelRowsFusion.operation: { query in
      var (pixels, first) = (0, 0)
      for count in try query.info.ints("parts") ?? [] {
        let shape = try query.shape(first)
        guard shape.count == 4 else { throw ShapeQuery.Unknown() }
        pixels += shape[2] * shape[3]
        first += count
      }
      let parts = try query.info.ints("parts")?.first ?? 0
      let columns = try (0..<parts).reduce(0) { $0 + (try query.shape($1))[1] }
      return [ValueFact(.float32, [try query.shape(0)[0], pixels, columns])]
    },
    "Conv": { query in
      let result = try convolution(query, weights: 1)
      guard query.isGiven(3) else { return [ValueFact(.float32, result)] }
      return [ValueFact(.float32, try query.broadcast([result, query.shape(3)]))]
    },
  ]

  /// Operators of other domains, such as those that fusions make.
  private static let further: [String: [String: Rule]] = [:]

  /// One output, like the first input.
  private static let likeFirst: [String] = [
    "Abs", "Neg", "Sign", "Floor", "Ceil", "Round", "Reciprocal", "Sqrt", "Log", "Sin", "Cos",
    "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Asinh", "Acosh", "Atanh", "Exp", "Erf", "Tanh",
    "Sigmoid", "Relu", "HardSwish", "HardSigmoid", "LeakyRelu", "Gelu", "Elu", "Celu", "Selu",
    "Softplus", "Softsign", "Mish", "Swish", "ThresholdedRelu", "Shrink", "Clip", "Softmax",
    "LogSoftmax", "Hardmax", "LayerNormalization", "RMSNormalization", "InstanceNormalization",
    "GroupNormalization", "BatchNormalization", "LRN", "LpNormalization",
    "MeanVarianceNormalization", "CumSum", "Trilu", "Dropout", "Identity", "Not", "BitwiseNot",
    "ReverseSequence", "Scatter", "ScatterElements", "ScatterND",
  ]

  private static let arithmetic: [String] = [
    "Add", "Sub", "Mul", "Div", "Mod", "Pow", "PRelu", "Sum", "Min", "Max", "Mean", "BitwiseAnd",
    "BitwiseOr", "BitwiseXor", "BitShift",
  ]

  private static let comparisons: [String] = [
    "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "And", "Or", "Xor", "IsNaN",
    "IsInf",
  ]

  private static let types: [String: Rule] = [
    "Cast": { query in
      guard let type = try query.info.elementType("to") else { throw ShapeQuery.Unknown() }
      return [ValueFact(type, try query.shape(0))]
    },
    "CastLike": { [ValueFact(try $0.input(1).type, try $0.shape(0))] },
    "Where": { query in
      let shapes = try (0..<3).map { try query.shape($0) }
      return [ValueFact(try query.input(1).type, try query.broadcast(shapes))]
    },
    "Shape": { query in
      // Its value is known with it: see ``ShapeFolding``.
      let rank = try query.shape(0).count
      func clamped(_ index: Int) -> Int {
        min(max(index < 0 ? index + rank : index, 0), rank)
      }
      let first = clamped(try query.info.int("start", default: 0))
      return [ValueFact(.int64, [max(clamped(try query.info.int("end") ?? rank) - first, 0)])]
    },
    "Size": { query in
      _ = try query.input(0)
      return [ValueFact(.int64, [])]
    },
    "ConstantOfShape": { query in
      guard let shape = try query.integers(0), shape.allSatisfy({ $0 >= 0 }) else {
        throw ShapeQuery.Unknown()
      }
      return [ValueFact(try query.info.tensor("value")?.elementType ?? .float32, shape)]
    },
  ]

  /// Zero points give the type of what is rounded.
  private static let quantization: [String: Rule] = [
    "QuantizeLinear": { query in
      guard !query.info.has("output_dtype") else { throw ShapeQuery.Unknown() }
      let type = query.isGiven(2) ? try query.input(2).type : .uint8
      return [ValueFact(type, try query.shape(0))]
    },
    "DequantizeLinear": { query in
      guard !query.info.has("output_dtype") else { throw ShapeQuery.Unknown() }
      return [ValueFact(try query.input(1).type, try query.shape(0))]
    },
    "DynamicQuantizeLinear": { query in
      [ValueFact(.uint8, try query.shape(0)), ValueFact(.float32, []), ValueFact(.uint8, [])]
    },
    "QLinearConv": { query in
      [ValueFact(try query.input(7).type, try convolution(query, weights: 3))]
    },
    "ConvInteger": { [ValueFact(.int32, try convolution($0, weights: 1))] },
    "QLinearMatMul": { query in
      [ValueFact(try query.input(7).type, try product(query.shape(0), query.shape(3), query))]
    },
    "MatMulInteger": { query in
      [ValueFact(.int32, try product(query.shape(0), query.shape(1), query))]
    },
  ]
}
