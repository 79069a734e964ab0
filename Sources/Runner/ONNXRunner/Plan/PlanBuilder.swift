import RunnerGraph
import RunnerTensors

/// Chooses a kernel for each node and computes the lifetime of each value.
struct PlanBuilder {
  /// Whether 3x3 convolutions may use Winograd's method.
  var usesWinograd = true

  /// The packed weights that are shared with other plans.
  var packedWeights: PackedWeightsCache?

  /// The greatest depth of nested subgraphs.
  static let maximumDepth = 16

  /// The plan of `graph`.
  func plan(_ graph: Graph, depth: Int = 0, facts: [ValueFact?]? = nil) throws -> Plan {
    guard depth <= Self.maximumDepth else {
      throw ModelError.invalidGraph(
        reason: "graphs lie more than \(Self.maximumDepth) deep in each other")
    }
    let reads = graph.nodes.map { read(by: $0, in: graph) }
    var lastUse = [Int](repeating: -1, count: graph.names.count)
    for (index, node) in graph.nodes.enumerated() {
      for output in node.outputs { if let output { lastUse[output] = index } }
      for input in reads[index] { if let input { lastUse[input] = index } }
      for capture in node.captures { lastUse[capture] = index }
    }
    let kept = Set(graph.outputs)
    // Weights stay with the plan, so only computed values and inputs are released.
    var expiring = [[Int]](repeating: [], count: graph.nodes.count)
    for (value, index) in lastUse.enumerated()
    where index >= 0 && !kept.contains(value) && graph.constants[value] == nil {
      expiring[index].append(value)
    }
    let invariants = LoopInvariants(of: graph)
    let steps = try graph.nodes.enumerated().map { index, node in
      let operation = try node.definition(in: graph)
      let kernel = try operation.kernel(for: info(for: node, in: graph, depth: depth))
      return Plan.Step(
        node, operation, kernel: kernel,
        inputs: reads[index].map { $0 ?? -1 } + node.captures, releases: expiring[index],
        invariantResults: invariants?.results[index],
        operationCount: facts.flatMap { operation.cost?(node, facts: $0) })
    }
    let constants = graph.constants.filter { lastUse[$0.key] >= 0 || kept.contains($0.key) }
      .map { (slot: $0.key, tensor: $0.value) }
    return Plan(
      steps: steps, slotCount: graph.names.count, constants: constants, inputs: graph.inputs,
      captures: graph.captures, outputs: graph.outputs,
      outputNames: graph.outputs.map { graph.names[$0] })
  }

  /// The inputs that a node's kernel reads when it runs.
  private func read(by node: Graph.Node, in graph: Graph) -> [Graph.Value?] {
    switch node.definition?.keeps {
    case .constants:
      return node.inputs.map { value in value.flatMap { graph.constants[$0] == nil ? $0 : nil } }
    case .input(let place):
      return node.inputs.enumerated().map { $0 == place ? nil : $1 }
    case .nothing, nil: return node.inputs
    }
  }

  /// The information for a kernel.
  private func info(for node: Graph.Node, in graph: Graph, depth: Int) throws -> NodeInfo {
    var info = NodeInfo(node, in: graph)
    var offset = node.inputs.count
    for (name, value) in node.attributes.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .graph(let inner):
        info.subgraphs[name] = Subgraph(
          graph: try plan(inner, depth: depth + 1), captureOffset: offset)
        offset += inner.captures.count
      case .graphs(let graphs):
        offset += graphs.reduce(0) { $0 + $1.captures.count }
      default: break
      }
    }
    info.allowsWinograd = usesWinograd
    info.packedWeights = packedWeights
    return info
  }
}
