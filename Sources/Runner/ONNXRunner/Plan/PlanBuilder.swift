/// Chooses a kernel for each node and works out how long each value lives.
struct PlanBuilder {
  /// Whether 3x3 convolutions may be computed by Winograd's method.
  var usesWinograd = true

  /// Where packed weights are shared with other plans.
  var packedWeights: PackedWeightsCache?

  /// Subgraphs may lie this deep in each other.
  static let maximumDepth = 16

  /// The plan of `graph`.
  func plan(_ graph: Graph, depth: Int = 0, facts: [ValueFact?]? = nil) throws -> Plan {
    guard depth <= Self.maximumDepth else {
      throw ModelError.invalidGraph(
        reason: "graphs lie more than \(Self.maximumDepth) deep in each other")
    }
    var lastUse = [Int](repeating: -1, count: graph.names.count)
    for (index, node) in graph.nodes.enumerated() {
      for output in node.outputs { if let output { lastUse[output] = index } }
      for input in read(by: node, in: graph) { if let input { lastUse[input] = index } }
      for capture in node.captures { lastUse[capture] = index }
    }
    let kept = Set(graph.outputs)
    // Weights stay with the plan, so only what is computed or passed in is worth releasing.
    var expiring = [[Int]](repeating: [], count: graph.nodes.count)
    for (value, index) in lastUse.enumerated()
    where index >= 0 && !kept.contains(value) && graph.constants[value] == nil {
      expiring[index].append(value)
    }
    let steps = try graph.nodes.enumerated().map { index, node in
      let operation = try operation(of: node, in: graph)
      let kernel = try kernel(operation, for: node, in: graph, depth: depth)
      return Plan.Step(
        name: node.name, operation: node.operation, kernel: kernel, memory: operation.memory,
        isOnValues: kernel is any ValueKernel,
        inputs: read(by: node, in: graph).map { $0 ?? -1 } + node.captures,
        outputs: node.outputs.map { $0 ?? -1 },
        releases: expiring[index],
        operationCount: facts.flatMap { operation.cost?(node, facts: $0) })
    }
    let constants = graph.constants.filter { lastUse[$0.key] >= 0 || kept.contains($0.key) }
      .map { (slot: $0.key, tensor: $0.value) }
    return Plan(
      steps: steps, slotCount: graph.names.count, constants: constants, inputs: graph.inputs,
      captures: graph.captures, outputs: graph.outputs,
      outputNames: graph.outputs.map { graph.names[$0] })
  }

  /// The inputs that a node's kernel reads when it runs: those on blocks keep what they need of
  /// constants in a form of their own, and so do products.
  private func read(by node: Graph.Node, in graph: Graph) -> [Graph.Value?] {
    if node.domain == FusedOperators.domain, node.operation == ProductFusion.operation {
      var inputs = node.inputs
      inputs[1] = nil
      return inputs
    }
    guard node.fused.layout != nil else { return node.inputs }
    return node.inputs.map { value in value.flatMap { graph.constants[$0] == nil ? $0 : nil } }
  }

  /// The operator of a node; throws if the model's opset has none of its name.
  private func operation(of node: Graph.Node, in graph: Graph) throws -> Operator {
    let opset = graph.opsets[node.domain] ?? 1
    guard
      let definition = OperatorTable.definition(of: node.operation, domain: node.domain)
    else {
      throw ModelError.unknownOperator(
        node: node.name, operation: node.operation, domain: node.domain, opset: opset)
    }
    guard definition.version(at: opset) != nil else {
      throw ModelError.unsupported(
        node: node.name, operation: node.operation,
        reason: "it is not known for opset \(opset)")
    }
    return definition
  }

  /// The kernel of one node, after checks that hold for every operator.
  func kernel(for node: Graph.Node, in graph: Graph) throws -> any Kernel {
    try kernel(operation(of: node, in: graph), for: node, in: graph, depth: 0)
  }

  private func kernel(
    _ operation: Operator, for node: Graph.Node, in graph: Graph, depth: Int
  ) throws -> any Kernel {
    try operation.checkCounts(of: node)
    let opset = graph.opsets[node.domain] ?? 1
    return try operation.make(info(for: node, in: graph, opset: opset, depth: depth))
  }

  /// What a kernel is made from.
  func info(
    for node: Graph.Node, in graph: Graph, opset: Int, depth: Int
  ) throws -> NodeInfo {
    var constants: [Int: Tensor] = [:]
    for (index, input) in node.inputs.enumerated() {
      if let input, let tensor = graph.constants[input] { constants[index] = tensor }
    }
    var subgraphs: [String: Subgraph] = [:]
    var offset = node.inputs.count
    for (name, value) in node.attributes.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .graph(let graph):
        subgraphs[name] = Subgraph(
          plan: try plan(graph, depth: depth + 1), captureOffset: offset)
        offset += graph.captures.count
      case .graphs(let graphs):
        offset += graphs.reduce(0) { $0 + $1.captures.count }
      default: break
      }
    }
    return NodeInfo(
      name: node.name, operation: node.operation, domain: node.domain, opset: opset,
      hasInput: node.inputs.map { $0 != nil }, hasOutput: node.outputs.map { $0 != nil },
      attributes: node.attributes, constants: constants, subgraphs: subgraphs,
      fused: node.fused, allowsWinograd: usesWinograd,
      packedWeights: packedWeights)
  }
}
