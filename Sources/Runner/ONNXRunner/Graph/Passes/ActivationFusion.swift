/// Lets a convolution apply the activation that follows it while it writes its output.
enum ActivationFusion {
  /// Operators whose kernels look at ``NodeInfo/activation``.
  private static let hosts: Set<String> = ["Conv"]

  static func apply(to graph: inout Graph) {
    let consumers = Consumers(graph)
    var removed: Set<Int> = []
    for index in graph.nodes.indices {
      let node = graph.nodes[index]
      guard hosts.contains(node.operation), node.domain.isEmpty, node.activation == nil,
        node.outputs.count == 1, let output = node.outputs[0]
      else { continue }
      guard let match = match(after: output, in: graph, consumers) else { continue }
      graph.nodes[index].activation = match.activation
      graph.nodes[index].outputs[0] = match.output
      removed.formUnion(match.nodes)
    }
    guard !removed.isEmpty else { return }
    graph.nodes = graph.nodes.enumerated().filter { !removed.contains($0.offset) }
      .map(\.element)
  }

  private struct Match {
    var activation: Activation
    var output: Graph.Value
    var nodes: [Int]
  }

  /// The nodes that use each value, and whether anything else does.
  private struct Consumers {
    var nodes: [[Int]]
    var isElsewhere: [Bool]

    init(_ graph: Graph) {
      nodes = .init(repeating: [], count: graph.names.count)
      isElsewhere = .init(repeating: false, count: graph.names.count)
      for (index, node) in graph.nodes.enumerated() {
        for input in node.inputs { if let input { nodes[input].append(index) } }
        for capture in node.captures { isElsewhere[capture] = true }
      }
      for output in graph.outputs { isElsewhere[output] = true }
    }
  }

  private static func match(
    after value: Graph.Value, in graph: Graph, _ consumers: Consumers
  ) -> Match? {
    guard !consumers.isElsewhere[value] else { return nil }
    let users = consumers.nodes[value]
    if users.count == 1 {
      let node = graph.nodes[users[0]]
      guard let activation = activation(of: node, in: graph), node.outputs.count == 1,
        let output = node.outputs[0]
      else { return nil }
      return Match(activation: activation, output: output, nodes: users)
    }
    return silu(after: value, users: users, in: graph, consumers)
  }

  /// x times its own sigmoid.
  private static func silu(
    after value: Graph.Value, users: [Int], in graph: Graph, _ consumers: Consumers
  ) -> Match? {
    guard users.count == 2 else { return nil }
    for (first, second) in [(users[0], users[1]), (users[1], users[0])] {
      let sigmoid = graph.nodes[first]
      let product = graph.nodes[second]
      guard sigmoid.operation == "Sigmoid", sigmoid.domain.isEmpty, product.operation == "Mul",
        product.domain.isEmpty, let gate = sigmoid.outputs.first, let gate,
        !consumers.isElsewhere[gate], consumers.nodes[gate] == [second],
        product.inputs == [value, gate] || product.inputs == [gate, value],
        let output = product.outputs.first, let output
      else { continue }
      return Match(activation: .silu, output: output, nodes: [first, second])
    }
    return nil
  }

  /// What a node of one input computes, where it is an activation with known parameters.
  static func activation(of node: Graph.Node, in graph: Graph) -> Activation? {
    guard node.domain.isEmpty else { return nil }
    func float(_ name: String, _ fallback: Float) -> Float {
      if case .float(let value)? = node.attributes[name] { return value }
      return fallback
    }
    switch node.operation {
    case "Relu": return .relu
    case "Sigmoid": return .sigmoid
    case "HardSwish": return .hardSwish
    case "HardSigmoid":
      return .hardSigmoid(alpha: float("alpha", 0.2), beta: float("beta", 0.5))
    case "LeakyRelu": return .leakyRelu(slope: float("alpha", 0.01))
    case "Clip": return clip(node, in: graph, float)
    default: return nil
    }
  }

  private static func clip(
    _ node: Graph.Node, in graph: Graph, _ attribute: (String, Float) -> Float
  ) -> Activation? {
    let unlimited = Float.greatestFiniteMagnitude
    if (graph.opsets[""] ?? 0) < 11 {
      return .clip(minimum: attribute("min", -unlimited), maximum: attribute("max", unlimited))
    }
    func bound(_ index: Int, _ fallback: Float) -> Float? {
      guard index < node.inputs.count, let value = node.inputs[index] else { return fallback }
      guard let tensor = graph.constants[value], tensor.elementType == .float32,
        tensor.count == 1
      else { return nil }
      return tensor.pointer(to: Float.self)[0]
    }
    guard let minimum = bound(1, -.infinity), let maximum = bound(2, .infinity) else {
      return nil
    }
    return .clip(minimum: minimum, maximum: maximum)
  }
}
