import RunnerGraph

extension GraphPass {
  /// Factors of a result must be in the weights before this pass.
  static let activationFusion = GraphPass(
    "activation-fusion", after: ["affine-folding", "gelu-fusion", "product-fusion"]
  ) { graph, _ in
    ActivationFusion.apply(to: &graph)
  }
}

/// Lets a convolution apply the activation that follows it when it writes its output.
enum ActivationFusion {
  static func apply(to graph: inout Graph) {
    let view = GraphView(graph)
    var removed: Set<Int> = []
    for index in graph.nodes.indices {
      let node = graph.nodes[index]
      guard node.has(.appliesActivation), node.fused.activation == nil,
        node.outputs.count == 1, let output = node.outputs[0]
      else { continue }
      guard let match = match(after: output, in: view) else { continue }
      graph.nodes[index].fused.activation = match.activation
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

  private static func match(after value: Graph.Value, in view: GraphView) -> Match? {
    guard !view.isElsewhere[value] else { return nil }
    if let hard = hardSwish(after: value, in: view) { return hard }
    let users = view.users[value]
    if users.count == 1 {
      let node = view.graph.nodes[users[0]]
      guard let activation = activation(of: node, in: view.graph), node.outputs.count == 1,
        let output = node.outputs[0]
      else { return nil }
      return Match(activation: activation, output: output, nodes: users)
    }
    guard let (activation, nodes) = silu(after: value, in: view),
      let output = nodes.last.flatMap({ view.graph.nodes[$0].outputs[0] })
    else { return nil }
    return Match(activation: activation, output: output, nodes: nodes)
  }

  /// SiLU of `value`, and its nodes in order: x sigmoid(x), or x sigmoid(alpha x), by which some networks replace GELU.
  static func silu(after value: Graph.Value, in view: GraphView) -> (Activation, nodes: [Int])? {
    let users = view.users[value]
    guard users.count == 2, let last = users.max() else { return nil }
    let product = view.graph.nodes[last]
    guard product.operation == "Mul", product.domain.isEmpty, product.outputs.count == 1,
      let gate = view.other(than: value, in: product), view.isUsedOnce(gate),
      let (index, sigmoid) = view.producer(of: gate, "Sigmoid")
    else { return nil }
    if sigmoid.inputs[0] == value { return users.contains(index) ? (.silu, [index, last]) : nil }
    guard let scaled = sigmoid.inputs[0], view.isUsedOnce(scaled),
      let (scaling, node) = view.producer(of: scaled, "Mul"), users.contains(scaling),
      let (x, factor) = view.valueAndNumber(node), x == value, factor > 0, factor.isFinite,
      (1 / factor).isFinite
    else { return nil }
    return (factor == 1 ? .silu : .scaledSilu(alpha: factor), [scaling, index, last])
  }

  /// x min(max(x + 3, 0), 6) / 6 as single steps, or HardSwish itself.
  ///
  /// A product and a sum may follow, each with one number.
  private static func hardSwish(after value: Graph.Value, in view: GraphView) -> Match? {
    let graph = view.graph
    let users = view.users[value]
    var nodes: [Int]
    var output: Graph.Value
    if let whole = view.onlyUser(of: value, "HardSwish"), let result = whole.node.outputs[0] {
      (nodes, output) = ([whole.index], result)
    } else if users.count == 2 {
      guard let sum = users.first(where: { graph.nodes[$0].operation == "Add" }),
        let shifted = step("Add", at: sum, from: value, by: 3, in: graph),
        let clip = view.onlyUser(of: shifted, "Clip"),
        activation(of: clip.node, in: graph) == .clip(minimum: 0, maximum: 6),
        let gate = clip.node.outputs[0], let product = view.onlyUser(of: gate, "Mul"),
        users.contains(product.index), Set(product.node.inputs) == [value, gate],
        let squared = product.node.outputs[0],
        let last = view.onlyUser(of: squared, "Div", "Mul"),
        let result = step("Div", at: last.index, from: squared, by: 6, in: graph)
          ?? step("Mul", at: last.index, from: squared, by: 1 / 6, in: graph)
      else { return nil }
      (nodes, output) = ([sum, clip.index, product.index, last.index], result)
    } else {
      return nil
    }
    var scale: Float = 1
    var shift: Float = 0
    for operation in ["Mul", "Add"] {
      guard let next = view.onlyUser(of: output, operation),
        let (number, result) = step(operation, at: next.index, from: output, in: graph)
      else { continue }
      if operation == "Mul" { scale = number } else { shift = number }
      nodes.append(next.index)
      output = result
    }
    let activation: Activation =
      scale == 1 && shift == 0 ? .hardSwish : .scaledHardSwish(scale: scale, shift: shift)
    return Match(activation: activation, output: output, nodes: nodes)
  }

  /// The result of a node that combines `value` with one known number.
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

  /// The activation of a node with one input, if its parameters are known.
  static func activation(of node: Graph.Node, in graph: Graph) -> Activation? {
    if node.domain == OperatorDomain.fused, node.operation == "Gelu" { return gelu(node) }
    // The expansion of a runtime operator has the newest version, whatever the file declares.
    guard node.domain.isEmpty || node.domain == OperatorDomain.newer else { return nil }
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
    case "Tanh": return .tanh
    case "Elu": return .elu(alpha: float("alpha", 1), scale: 1)
    case "Selu":
      return .elu(alpha: float("alpha", 1.673_263_2), scale: float("gamma", 1.050_701))
    case "Gelu": return gelu(node)
    case "Clip": return clip(node, in: graph, float)
    default: return nil
    }
  }

  private static func gelu(_ node: Graph.Node) -> Activation? {
    switch node.attributes["approximate"]?.string ?? "none" {
    case "none": return .gelu
    case "tanh": return .tanhGELU
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
