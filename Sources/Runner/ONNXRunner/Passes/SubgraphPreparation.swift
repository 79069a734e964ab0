import RunnerGraph
import RunnerTensors

extension PassID {
  /// Constants around a subgraph become known in it, and a few passes are applied to it.
  package static let subgraphs: PassID = "subgraphs"
}

/// Makes the constants around subgraphs known in them, and applies passes to them.
///
/// A branch or a body reads the weights of the graph around it as captured values. TensorFlow's and Paddle's exporters
/// even hand a loop its weights as values that every turn returns as they are. Without this pass, kernels in the body
/// would get such weights again in each turn, and could not pack them.
struct SubgraphPreparation {
  private var passes: GraphPasses

  /// The passes that use known values and need no shapes.
  private static let inner: [GraphPass] = [
    .constantFolding, .productFusion, .activationFusion, .deadCode,
  ]

  init(_ passes: GraphPasses) {
    self.passes = passes
    self.passes.settings.memoryLimit = min(passes.settings.memoryLimit, ConstantFolding.memoryLimit)
  }

  /// Changes the subgraphs of all nodes, and those in them.
  mutating func apply(to graph: inout Graph) throws {
    try apply(to: &graph, depth: 0)
  }

  private mutating func apply(to graph: inout Graph, depth: Int) throws {
    // A plan refuses deeper graphs.
    guard depth <= PlanBuilder.maximumDepth else { return }
    for index in graph.nodes.indices
    where graph.nodes[index].attributes.values.contains(where: \.holdsGraph) {
      try prepare(&graph.nodes[index], in: graph, depth: depth)
    }
  }

  private mutating func prepare(_ node: inout Graph.Node, in graph: Graph, depth: Int) throws {
    var captures: [Graph.Value] = []
    var rest = node.captures[...]
    for (name, value) in node.attributes.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .graph(var inner):
        captures += define(&inner, rest.prefix(inner.captures.count), in: graph)
        rest = rest.dropFirst(value.captureCount)
        defineInvariants(&inner, of: node, in: graph)
        try applyPasses(to: &inner)
        try apply(to: &inner, depth: depth + 1)
        node.attributes[name] = .graph(inner)
      default:
        captures += rest.prefix(value.captureCount)
        rest = rest.dropFirst(value.captureCount)
      }
    }
    node.captures = captures
  }

  /// Applies the passes; what all subgraphs' computed constants take together is limited.
  private mutating func applyPasses(to inner: inout Graph) throws {
    let before = inner.constants
    try passes.apply(Self.inner, to: &inner)
    for (value, tensor) in inner.constants where before[value] == nil {
      passes.settings.memoryLimit -= min(tensor.byteCount, passes.settings.memoryLimit)
    }
  }

  /// Makes captured values known whose `sources` are; returns the sources of the others.
  private func define(
    _ inner: inout Graph, _ sources: ArraySlice<Graph.Value>, in graph: Graph
  ) -> [Graph.Value] {
    let captured = zip(inner.captures, sources)
    for (value, source) in captured { inner.constants[value] = graph.constants[source] }
    let unknown = captured.filter { graph.constants[$1] == nil }
    inner.captures = unknown.map(\.0)
    return unknown.map(\.1)
  }

  /// Makes values known that begin with a known one and are handed from turn to turn as they are.
  ///
  /// They stay among the inputs and the outputs. All others that are handed on as they are become the body's invariant
  /// inputs.
  private func defineInvariants(_ body: inout Graph, of node: Graph.Node, in graph: Graph) {
    guard let state = LoopState(node, body, opset: graph.opsets[""] ?? 0) else { return }
    let places = state.unchangedPlaces(in: body)
    body.invariantInputs = places.map { body.inputs[state.firstInput + $0] }
    for place in places {
      guard let tensor = graph.constant(state.firstOfNode + place, of: node) else { continue }
      let input = body.inputs[state.firstInput + place]
      let value = body.addValue(named: body.names[input])
      body.constants[value] = tensor
      body.replaceUses(of: input, with: value)
    }
  }
}

/// The places of the values that a loop hands from one turn to the next.
private struct LoopState {
  /// How many there are.
  let count: Int
  /// The place of the first among the inputs and outputs of the body, and among the inputs of the node.
  let firstInput: Int
  let firstOutput: Int
  let firstOfNode: Int

  /// Nil if the node is not a loop, or not a valid one.
  init?(_ node: Graph.Node, _ body: Graph, opset: Int) {
    guard node.domain.isEmpty else { return nil }
    switch node.operation {
    case "Loop":
      count = node.inputs.count - 2
      (firstInput, firstOutput, firstOfNode) = (2, 1, 2)
    case "Scan" where opset >= 9:
      count = node.inputs.count - (node.attributes["num_scan_inputs"]?.int ?? node.inputs.count)
      (firstInput, firstOutput, firstOfNode) = (0, 0, 0)
    case "SequenceMap":
      (count, firstInput, firstOutput, firstOfNode) = (0, 0, 0, 0)
    default: return nil
    }
    guard count >= 0, body.inputs.count >= firstInput + count,
      body.outputs.count >= firstOutput + count
    else { return nil }
  }

  /// The places, below `count`, of the values that `body` hands on as they are.
  func unchangedPlaces(in body: Graph) -> [Int] {
    let producers = body.producers()
    return (0..<count).filter { place in
      var output = body.outputs[firstOutput + place]
      while producers[output] >= 0, case let producer = body.nodes[producers[output]],
        producer.operation == "Identity", producer.domain.isEmpty, let source = producer.inputs[0]
      {
        output = source
      }
      return output == body.inputs[firstInput + place]
    }
  }
}

extension AttributeValue {
  /// The number of values that the graphs in it read from around them.
  fileprivate var captureCount: Int {
    switch self {
    case .graph(let graph): graph.captures.count
    case .graphs(let graphs): graphs.reduce(0) { $0 + $1.captures.count }
    default: 0
    }
  }
}
