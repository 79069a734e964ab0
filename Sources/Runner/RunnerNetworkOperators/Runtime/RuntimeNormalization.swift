import RunnerGraph
import RunnerOperators
import RunnerTensors

extension OperatorFamilies {
  /// Normalizations of ONNX Runtime.
  package static let runtimeNormalization: [Operator] = [
    Operator(
      "SkipLayerNormalization", domain: OperatorDomain.runtime, inputs: 3...5, outputs: 1...4,
      attributes: ["epsilon": .float]
    ) { try skipNormalization(&$0, isCentered: true) },
    Operator(
      "SkipSimplifiedLayerNormalization", domain: OperatorDomain.runtime, inputs: 3...4,
      outputs: 1...4, attributes: ["epsilon": .float],
      limits: "Without the statistics, outputs 1 and 2."
    ) { try skipNormalization(&$0, isCentered: false) },
    // ONNX Runtime has it in ONNX's own domain.
    Operator(
      "SimplifiedLayerNormalization", domain: "", inputs: 2...2, outputs: 1...2,
      attributes: ["axis": .int, "epsilon": .float],
      limits: "ONNX Runtime's, not ONNX's. Without the statistics, output 1."
    ) { node in
      node.give(
        node.add(
          "RMSNormalization", [try node.required(0), try node.required(1)],
          [
            "axis": .int(try node.info.int("axis", default: -1)),
            "epsilon": .float(try node.info.float("epsilon", default: 1e-5)),
          ], since: 23))
    },
    Operator(
      "EmbedLayerNormalization", domain: OperatorDomain.runtime, versions: [1], inputs: 1...9,
      outputs: 1...3, types: ElementTypes([.int32, .int64]),
      attributes: ["epsilon": .float, "mask_index_type": .int], shape: .embeddings
    ) { try EmbedLayerNormalization($0) },
  ]

  /// The sum of the first inputs and a bias, normalized; inputs are x, skip, scale, perhaps a shift, bias.
  private static func skipNormalization(
    _ node: inout NodeExpansion, isCentered: Bool
  ) throws {
    let epsilon = AttributeValue.float(try node.info.float("epsilon", default: 1e-12))
    var sum = node.add("Add", [try node.required(0), try node.required(1)])
    if let bias = node.input(isCentered ? 4 : 3) { sum = node.add("Add", [sum, bias]) }
    let scale = try node.required(2)
    if isCentered {
      let results = node.add(
        "LayerNormalization", [sum, scale] + (node.input(3).map { [$0] } ?? []),
        ["axis": .int(-1), "epsilon": epsilon], since: 17,
        outputs: node.isWanted(2) ? 3 : node.isWanted(1) ? 2 : 1)
      for (index, result) in results.enumerated() { node.give(result, as: index) }
    } else {
      node.give(
        node.add(
          "RMSNormalization", [sum, scale], ["axis": .int(-1), "epsilon": epsilon], since: 23))
    }
    node.give(sum, as: 3)
  }
}

extension ShapeRule {
  /// The normalized sums of rows of three tables, how long each sequence is, and the sums.
  fileprivate static let embeddings = ShapeRule { query in
    let ids = try query.shape(0)
    let words = try query.input(2)
    guard ids.count == 2, words.shape.count == 2 else { throw ShapeQuery.Unknown() }
    let result = ValueFact(words.type, ids + [words.shape[1]])
    return [result, ValueFact(.int32, [ids[0]]), result]
  }
}

/// Rows of a table of words, one of positions and perhaps one of segments, added and normalized.
private struct EmbedLayerNormalization: Kernel {
  let epsilon: Float

  init(_ node: NodeInfo) throws {
    epsilon = try node.float("epsilon", default: 1e-12)
    guard
      try node.int("mask_index_type", default: 1) != 0 || !node.hasOutput.dropFirst().contains(true)
    else { throw node.unsupported("mask_index_type 0") }
  }

  func run(_ inputs: [Tensor?], in context: KernelContext) throws -> [Tensor] {
    let ids = try context.input(0, of: inputs)
    let words = try context.input(2, of: inputs)
    let positions = try context.input(3, of: inputs)
    guard ids.rank == 2, words.rank == 2, positions.rank == 2,
      words.elementType.isFloatingPoint, positions.shape[0] >= ids.shape[1]
    else {
      throw context.failure(
        "words \(ids.shape) of tables \(words.shape) and \(positions.shape)")
    }
    let rows = ["axis": AttributeValue.int(0)]
    var sum = try context.perform("Gather", attributes: rows, [words, ids])
    var places = context.optionalInput(8, of: inputs)
    if places == nil {
      places = try Tensor(shape: [ids.shape[1]], (0..<ids.shape[1]).map { Int64($0) })
    }
    sum = try context.perform(
      "Add", [sum, context.perform("Gather", attributes: rows, [positions, places])])
    if let segments = context.optionalInput(1, of: inputs),
      let table = context.optionalInput(4, of: inputs)
    {
      sum = try context.perform(
        "Add", [sum, context.perform("Gather", attributes: rows, [table, segments])])
    }
    guard sum.shape == ids.shape + [words.shape[1]] else {
      throw context.failure("embeddings of shape \(sum.shape) for words \(ids.shape)")
    }
    let result = try context.perform(
      "LayerNormalization", attributes: ["axis": .int(-1), "epsilon": .float(epsilon)],
      [sum, context.input(5, of: inputs), context.input(6, of: inputs)])
    return [result, try lengths(inputs, ids, in: context), sum]
  }

  /// How many words of each sequence the mask keeps; 0 if there is none.
  private func lengths(
    _ inputs: [Tensor?], _ ids: Tensor, in context: KernelContext
  ) throws -> Tensor {
    guard let mask = context.optionalInput(7, of: inputs) else {
      return try Tensor(shape: [ids.shape[0]], [Int32](repeating: 0, count: ids.shape[0]))
    }
    guard mask.shape == ids.shape, mask.elementType.isInteger else {
      throw context.failure("a mask of \(mask.elementType)\(mask.shape) for words \(ids.shape)")
    }
    let sum = try context.perform(
      "ReduceSum", attributes: ["keepdims": .int(0)], [mask, context.axes([1])])
    return try context.converted(sum, to: .int32)
  }
}
