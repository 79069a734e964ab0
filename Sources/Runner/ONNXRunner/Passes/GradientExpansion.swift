import ONNXFormat
import RunnerGraph
import RunnerTensors

extension GraphPass {
  static let gradientExpansion = GraphPass("gradient-expansion") { graph, _ in
    try GradientExpansion.apply(to: &graph)
  }
}

/// Replaces each `Gradient` node by the nodes that compute the derivatives.
///
/// The method is reverse accumulation: from the result back, each node passes the derivative by its
/// output on to its inputs. If a graph is differentiated at other values than those of its run, it
/// is copied for them.
enum GradientExpansion {
  static let domain = OperatorDomain.training

  /// The domain of new nodes that ONNX has no operator for.
  static let ownDomain = OperatorDomain.derivatives

  static func apply(to graph: inout Graph) throws {
    guard graph.nodes.contains(where: isGradient) else { return }
    var expansion = Expansion(graph: graph)
    for node in graph.nodes {
      if isGradient(node) {
        try expansion.expand(node)
      } else {
        expansion.nodes.append(node)
      }
    }
    graph = expansion.graph
    graph.nodes = expansion.nodes
  }

  private static func isGradient(_ node: Graph.Node) -> Bool {
    node.operation == "Gradient" && node.domain == domain
  }

  private struct Expansion {
    var graph: Graph
    /// The nodes so far.
    var nodes: [Graph.Node] = []
    private var gradient = Graph.Node(
      name: "", operation: "Gradient", domain: domain, inputs: [], outputs: [])
    /// The derivative by each value, as far as it is known.
    private var derivatives: [Graph.Value: Graph.Value] = [:]

    init(graph: Graph) {
      self.graph = graph
    }

    mutating func expand(_ node: Graph.Node) throws {
      gradient = node
      derivatives = [:]
      let variables = try names("xs")
      let named = try (variables + names("zs")).map { try value(named: $0) }
      guard !variables.isEmpty, named.count == node.inputs.count,
        node.outputs.count <= variables.count, case .string(let result)? = node.attributes["y"]
      else { throw failure("xs, zs and y must name its inputs and what is differentiated") }
      let path = try path(to: try value(named: result), from: Set(named))
      var places: [Graph.Value: Graph.Value] = [:]
      for (value, input) in zip(named, node.inputs) {
        guard let input else { throw failure("all of its inputs must be given") }
        places[value] = input
      }
      let steps = places.allSatisfy { $0.key == $0.value } ? path : copy(path, &places)
      let target = try value(named: result)
      derivatives[places[target] ?? target] = ones(like: places[target] ?? target)
      for step in steps.reversed() { try goBack(through: step) }
      for (variable, output) in zip(named, node.outputs) {
        guard let output else { continue }
        let place = places[variable] ?? variable
        nodes.append(
          Graph.Node(
            name: node.name, operation: "Identity", domain: "",
            inputs: [derivatives[place] ?? add("Sub", [place, place])], outputs: [output]))
      }
    }

    private func names(_ attribute: String) throws -> [String] {
      guard let value = gradient.attributes[attribute] else { return [] }
      guard case .strings(let names) = value else { throw failure("\(attribute) must be texts") }
      return names
    }

    private func value(named name: String) throws -> Graph.Value {
      guard let value = graph.names.firstIndex(where: { ExactName($0) == ExactName(name) })
      else {
        throw failure("there is no value '\(name)'")
      }
      return value
    }

    private func failure(_ reason: String) -> ModelError {
      .invalidNode(node: gradient.name, operation: gradient.operation, reason: reason)
    }

    /// The nodes between `variables` and `result`, in order.
    private func path(
      to result: Graph.Value, from variables: Set<Graph.Value>
    ) throws -> [Graph.Node] {
      var needed: Set<Graph.Value> = [result]
      var path: [Graph.Node] = []
      for node in nodes.reversed() {
        let outputs = node.outputs.compactMap { $0 }
        guard outputs.contains(where: { needed.contains($0) && !variables.contains($0) }) else {
          continue
        }
        path.append(node)
        needed.formUnion(node.inputs.compactMap { $0 })
      }
      return path.reversed()
    }

    /// A copy of the nodes for other values.
    private mutating func copy(
      _ path: [Graph.Node], _ places: inout [Graph.Value: Graph.Value]
    ) -> [Graph.Node] {
      var copies: [Graph.Node] = []
      for var node in path {
        node.inputs = node.inputs.map { value in value.map { places[$0] ?? $0 } }
        for index in node.outputs.indices {
          guard let output = node.outputs[index] else { continue }
          let value = graph.addValue(named: graph.names[output] + "/" + gradient.name)
          if places[output] == nil { places[output] = value }
          node.outputs[index] = value
        }
        copies.append(node)
      }
      nodes += copies
      return copies
    }

    /// Passes the derivative by the node's output on to its inputs.
    private mutating func goBack(through node: Graph.Node) throws {
      guard let output = node.outputs.first ?? nil, let given = derivatives[output] else { return }
      let inputs = node.inputs.compactMap { $0 }
      guard node.domain.isEmpty, inputs.count == node.inputs.count, let a = inputs.first else {
        throw unknown(node)
      }
      if inputs.count == 2 {
        let b = inputs[1]
        switch node.operation {
        case "Add":
          hand(given, to: a)
          hand(given, to: b)
        case "Sub":
          hand(given, to: a)
          hand(add("Neg", [given]), to: b)
        case "Mul":
          hand(add("Mul", [given, b]), to: a)
          hand(add("Mul", [given, a]), to: b)
        case "Div":
          let quotient = add("Div", [given, b])
          hand(quotient, to: a)
          hand(add("Neg", [add("Mul", [quotient, output])]), to: b)
        default: throw unknown(node)
        }
        return
      }
      switch node.operation {
      case "Identity": hand(given, to: a)
      case "Neg": hand(add("Neg", [given]), to: a)
      case "Exp": hand(add("Mul", [given, output]), to: a)
      case "Log": hand(add("Div", [given, a]), to: a)
      case "Sqrt": hand(add("Div", [given, add("Add", [output, output])]), to: a)
      case "Sigmoid":
        let rest = add("Sub", [output, add("Mul", [output, output])])
        hand(add("Mul", [given, rest]), to: a)
      case "Tanh":
        let square = add("Mul", [output, output])
        hand(add("Sub", [given, add("Mul", [given, square])]), to: a)
      default: throw unknown(node)
      }
    }

    private func unknown(_ node: Graph.Node) -> ModelError {
      .unsupported(
        node: gradient.name, operation: gradient.operation,
        reason: "no derivative is known of \(node.operation) ('\(node.name)')")
    }

    /// Adds `part` to the derivative by `input`, summed over the dimensions along which it was
    /// repeated.
    private mutating func hand(_ part: Graph.Value, to input: Graph.Value) {
      let sum = add("SumLike", [part, input], domain: GradientExpansion.ownDomain)
      derivatives[input] = derivatives[input].map { add("Add", [$0, sum]) } ?? sum
    }

    private mutating func ones(like value: Graph.Value) -> Graph.Value {
      let shape = add("Shape", [value])
      let ones = add("ConstantOfShape", [shape])
      nodes[nodes.count - 1].attributes["value"] = .tensor(Tensor(scalar: Float(1)))
      return ones
    }

    private mutating func add(
      _ operation: String, _ inputs: [Graph.Value], domain: String = ""
    ) -> Graph.Value {
      let value = graph.addValue(named: "\(gradient.name)/\(graph.names.count)")
      nodes.append(
        Graph.Node(
          name: gradient.name, operation: operation, domain: domain, inputs: inputs,
          outputs: [value]))
      return value
    }
  }
}
