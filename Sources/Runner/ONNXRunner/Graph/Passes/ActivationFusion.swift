/// Lets a convolution apply the activation that follows it while it writes its output.
enum ActivationFusion {
  /// Operators whose kernels look at ``NodeInfo/activation``.
  private static let hosts: Set<String> = ["Conv", "ConvTranspose"]

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
    if let hard = hardSwish(after: value, users: users, in: graph, consumers) { return hard }
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

  /// x min(max(x + 3, 0), 6) / 6 in its single steps, or HardSwish itself, and a product and a sum with
  /// one number each that may follow.
  private static func hardSwish(
    after value: Graph.Value, users: [Int], in graph: Graph, _ consumers: Consumers
  ) -> Match? {
    var nodes: [Int]
    var output: Graph.Value
    if users.count == 1, graph.nodes[users[0]].operation == "HardSwish",
      graph.nodes[users[0]].domain.isEmpty, let result = graph.nodes[users[0]].outputs[0]
    {
      (nodes, output) = (users, result)
    } else if users.count == 2 {
      guard let sum = users.first(where: { graph.nodes[$0].operation == "Add" }),
        let shifted = step("Add", at: sum, from: value, by: 3, in: graph),
        let clip = onlyUser(of: shifted, consumers),
        activation(of: graph.nodes[clip], in: graph) == .clip(minimum: 0, maximum: 6),
        let gate = graph.nodes[clip].outputs[0], let product = onlyUser(of: gate, consumers),
        users.contains(product), graph.nodes[product].operation == "Mul",
        graph.nodes[product].domain.isEmpty,
        Set(graph.nodes[product].inputs) == [value, gate],
        let squared = graph.nodes[product].outputs[0],
        let last = onlyUser(of: squared, consumers),
        let result = step("Div", at: last, from: squared, by: 6, in: graph)
          ?? step("Mul", at: last, from: squared, by: 1 / 6, in: graph)
      else { return nil }
      (nodes, output) = ([sum, clip, product, last], result)
    } else {
      return nil
    }
    var scale: Float = 1
    var shift: Float = 0
    for operation in ["Mul", "Add"] {
      guard let next = onlyUser(of: output, consumers),
        let (number, result) = step(operation, at: next, from: output, in: graph)
      else { continue }
      if operation == "Mul" { scale = number } else { shift = number }
      nodes.append(next)
      output = result
    }
    let activation: Activation =
      scale == 1 && shift == 0 ? .hardSwish : .scaledHardSwish(scale: scale, shift: shift)
    return Match(activation: activation, output: output, nodes: nodes)
  }

  private static func onlyUser(of value: Graph.Value, _ consumers: Consumers) -> Int? {
    guard !consumers.isElsewhere[value], consumers.nodes[value].count == 1 else { return nil }
    return consumers.nodes[value][0]
  }

  /// The result of a node that applies one known number to `value`.
  private static func step(
    _ operation: String, at index: Int, from value: Graph.Value, by number: Float, in graph: Graph
  ) -> Graph.Value? {
    guard let (found, output) = step(operation, at: index, from: value, in: graph),
      found == number
    else { return nil }
    return output
  }

  private static func step(
    _ operation: String, at index: Int, from value: Graph.Value, in graph: Graph
  ) -> (Float, Graph.Value)? {
    let node = graph.nodes[index]
    guard node.operation == operation, node.domain.isEmpty, node.inputs.count == 2,
      graph.opsets[""] ?? 1 >= 7, let output = node.outputs[0]
    else { return nil }
    let isFirst = node.inputs[0] == value
    guard isFirst || (node.inputs[1] == value && operation != "Div"),
      let other = node.inputs[isFirst ? 1 : 0], let tensor = graph.constants[other],
      tensor.elementType == .float32, tensor.count == 1, tensor.rank <= 3
    else { return nil }
    return (tensor.pointer(to: Float.self)[0], output)
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
