import RunnerGraph
import RunnerTensors

/// Expands the nodes of operators that other operators compute, in subgraphs too.
struct Expansions {
  /// The bytes that known tensors computed from others may still take.
  private var room: Int

  init(limit: Int) {
    room = limit
  }

  mutating func apply(to graph: inout Graph) throws {
    try apply(to: &graph, depth: 0)
  }

  private mutating func apply(to graph: inout Graph, depth: Int) throws {
    // A plan refuses deeper graphs.
    guard depth <= PlanBuilder.maximumDepth, Self.hasWork(graph) else { return }
    var knowledge = Knowledge(graph)
    var nodes: [Graph.Node] = []
    for var node in graph.nodes {
      for (name, value) in node.attributes where value.holdsGraph {
        switch value {
        case .graph(var inner):
          try apply(to: &inner, depth: depth + 1)
          node.attributes[name] = .graph(inner)
        case .graphs(var all):
          for index in all.indices { try apply(to: &all[index], depth: depth + 1) }
          node.attributes[name] = .graphs(all)
        default: break
        }
      }
      let written = try written(node, in: &graph, knowledge) ?? [node]
      for node in written { knowledge.visit(node, in: graph) }
      nodes += written
    }
    graph.nodes = nodes
    // If a file does not import an opset, the newest is used.
    if graph.opsets[""] == nil { graph.opsets[""] = Operator.opsets.upperBound }
    graph.opsets[OperatorDomain.newer] = Operator.opsets.upperBound
  }

  private static func hasWork(_ graph: Graph) -> Bool {
    graph.nodes.contains { node in
      node.definition?.expansion != nil || node.attributes.values.contains(where: \.holdsGraph)
    }
  }

  /// The nodes that replace `node`; nil if it stays.
  private mutating func written(
    _ node: Graph.Node, in graph: inout Graph, _ knowledge: Knowledge
  ) throws -> [Graph.Node]? {
    guard let definition = node.definition, let rule = definition.expansion else { return nil }
    let info = definition.declared(NodeInfo(node, in: graph))
    try info.checkKinds()
    var expansion = NodeExpansion(
      info, inputs: node.inputs, knowledge: node.inputs.map { knowledge[$0] },
      opset: graph.opsets[""] ?? Operator.opsets.upperBound, room: room,
      firstValue: graph.names.count)
    try rule(&expansion)
    guard expansion.isComplete else { return nil }
    room = expansion.room
    for (name, tensor) in expansion.values {
      let value = graph.addValue(named: name)
      if let tensor { graph.constants[value] = tensor }
    }
    return try expansion.finished(node.outputs)
  }
}

/// Element types and numbers of dimensions, as far as they are known without shapes.
private struct Knowledge {
  private var values: [NodeExpansion.Knowledge]

  init(_ graph: Graph) {
    values = graph.names.indices.map { value in
      if let tensor = graph.constants[value] {
        return NodeExpansion.Knowledge(type: tensor.elementType, rank: tensor.rank)
      }
      guard let declared = graph.declared[value], declared.kind == .tensor else {
        return NodeExpansion.Knowledge()
      }
      return NodeExpansion.Knowledge(type: declared.elementType, rank: declared.shape?.count)
    }
  }

  subscript(value: Graph.Value?) -> NodeExpansion.Knowledge {
    guard let value, value < values.count else { return NodeExpansion.Knowledge() }
    return values[value]
  }

  /// Infers the first output of one node; the nodes before it must have been visited.
  mutating func visit(_ node: Graph.Node, in graph: Graph) {
    while values.count < graph.names.count {
      let tensor = graph.constants[values.count]
      values.append(NodeExpansion.Knowledge(type: tensor?.elementType, rank: tensor?.rank))
    }
    guard let output = node.outputs.first ?? nil, output < values.count else { return }
    let made = result(of: node, in: graph)
    values[output].type = values[output].type ?? made.type
    values[output].rank = values[output].rank ?? made.rank
  }

  private func result(of node: Graph.Node, in graph: Graph) -> NodeExpansion.Knowledge {
    let inputs = node.inputs.map { self[$0] }
    guard let first = inputs.first else { return NodeExpansion.Knowledge() }
    var result = NodeExpansion.Knowledge(type: first.type)
    switch node.operation {
    case "Cast":
      result = first
      result.type = node.attributes["to"]?.int.flatMap(ElementType.init(rawValue:))
    case "DequantizeLinear", "Where", "CastLike":
      result.type = inputs.count > 1 ? inputs[1].type : nil
    case "QuantizeLinear":
      let number = node.attributes["output_dtype"]?.int
      result.type =
        inputs.count > 2 ? inputs[2].type : number.flatMap(ElementType.init(rawValue:)) ?? .uint8
    case "Transpose": result.rank = node.attributes["perm"]?.ints?.count ?? first.rank
    case "Reshape":
      result.rank = graph.constant(1, of: node)?.count ?? node.attributes["shape"]?.ints?.count
    case "Add", "Sub", "Mul", "Div", "MatMul", "Max", "Min", "Pow":
      let ranks = inputs.compactMap(\.rank)
      result.rank = ranks.count == inputs.count ? ranks.max() : nil
    case "LayerNormalization", "RMSNormalization", "Softmax", "Relu", "Gelu", "Tanh", "Sigmoid",
      "Erf", "Identity", "Dropout", "Clip", "RotaryEmbedding":
      result.rank = first.rank
    default: if !node.has(.widens) { result.type = nil }
    }
    return result
  }
}
