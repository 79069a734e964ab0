import RunnerGraph
import RunnerTensors

extension GraphPass {
  static let halfWidening = GraphPass("half-widening", after: ["constant-folding"]) { graph, _ in
    try HalfWidening.apply(to: &graph)
  }
}

/// Computes `float16` parts of a graph in `float32`; weights are widened once.
///
/// The supported processors do not multiply binary16 fast, and rounding after every node costs
/// accuracy. ONNX Runtime does the same on a CPU. Rounding that the model itself requests with a
/// `Cast` stays. Only graphs with products in `float16` are changed.
enum HalfWidening {
  static func apply(to graph: inout Graph) throws {
    let isHalf = halfValues(of: graph)
    guard
      graph.nodes.contains(where: { node in
        node.has(.product) && node.inputs.contains { $0.map { isHalf[$0] } ?? false }
      })
    else { return }
    var pass = Pass(graph: graph, isHalf: isHalf)
    for node in graph.nodes { try pass.rewrite(node) }
    graph = pass.finished()
  }

  /// Which values hold `float16`, as far as it is known.
  private static func halfValues(of graph: Graph) -> [Bool] {
    var isHalf = [Bool](repeating: false, count: graph.names.count)
    for input in graph.inputs { isHalf[input] = graph.declared[input]?.elementType == .float16 }
    for (value, tensor) in graph.constants { isHalf[value] = tensor.elementType == .float16 }
    for node in graph.nodes {
      let given = node.inputs.contains { $0.map { isHalf[$0] } ?? false }
      for (index, output) in node.outputs.enumerated() {
        guard let output else { continue }
        if node.operation == "Cast" {
          if case .int(ElementType.float16.rawValue)? = node.attributes["to"] {
            isHalf[output] = true
          }
        } else if node.has(.widens) {
          // The second output of a pooling holds indices.
          isHalf[output] = given && (index == 0 || node.has(.widensAllOutputs))
        } else {
          isHalf[output] = graph.declared[output]?.elementType == .float16
        }
      }
    }
    return isHalf
  }

  private struct Pass {
    var graph: Graph
    var isHalf: [Bool]
    var nodes: [Graph.Node] = []
    /// The `float32` value of a `float16` one.
    var wide: [Graph.Value: Graph.Value] = [:]
    /// Values that exist only in `float32` so far.
    var isOnlyWide: Set<Graph.Value> = []

    init(graph: Graph, isHalf: [Bool]) {
      self.graph = graph
      self.isHalf = isHalf
    }

    mutating func rewrite(_ node: Graph.Node) throws {
      var node = node
      let given = node.inputs.contains { $0.map { isHalf[$0] } ?? false }
      guard given, node.captures.isEmpty, node.has(.widens) else {
        for input in node.inputs { if let input { narrow(input) } }
        for capture in node.captures { narrow(capture) }
        nodes.append(node)
        return
      }
      for index in node.inputs.indices {
        if let input = node.inputs[index], isHalf[input] {
          node.inputs[index] = try widen(input)
        }
      }
      for index in node.outputs.indices {
        guard let output = node.outputs[index], isHalf[output] else { continue }
        let value = graph.addValue(named: graph.names[output] + "/float32")
        wide[output] = value
        isOnlyWide.insert(output)
        node.outputs[index] = value
      }
      nodes.append(node)
    }

    mutating func finished() -> Graph {
      for output in graph.outputs { narrow(output) }
      graph.nodes = nodes
      return graph
    }

    private mutating func widen(_ value: Graph.Value) throws -> Graph.Value {
      if let known = wide[value] { return known }
      let result = graph.addValue(named: graph.names[value] + "/float32")
      wide[value] = result
      if let tensor = graph.constants[value] {
        graph.constants[result] = try tensor.convertedOnDemand(to: .float32)
      } else {
        addCast(from: value, to: result, .float32)
      }
      return result
    }

    /// Makes the `float16` value if something needs it.
    private mutating func narrow(_ value: Graph.Value) {
      guard isOnlyWide.remove(value) != nil, let source = wide[value] else { return }
      addCast(from: source, to: value, .float16)
    }

    private mutating func addCast(
      from source: Graph.Value, to target: Graph.Value, _ type: ElementType
    ) {
      nodes.append(
        Graph.Node(
          name: graph.names[target], operation: "Cast", domain: "", inputs: [source],
          outputs: [target], attributes: ["to": .int(type.rawValue)]))
    }
  }
}
