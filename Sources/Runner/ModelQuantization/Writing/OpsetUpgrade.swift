import ONNXRunner
import RunnerGraph
import RunnerTensors

/// Rewrites a graph for opset 13, the first in which weights can have a scale for each channel.
struct OpsetUpgrade {
  /// The first opset whose DequantizeLinear has an axis.
  static let wanted = 13
  /// What the steps below know.
  static let least = 11

  private var graph: Graph
  /// How many dimensions values have, as far as it is known.
  private let ranks: [Int?]

  /// - Throws: ``ModelQuantizationError/opset(version:least:)`` for older files.
  static func apply(to graph: inout Graph, ranks: [Int?]) throws {
    let version = graph.opsets[""] ?? wanted
    guard version < wanted else { return }
    guard version >= least else {
      throw ModelQuantizationError.opset(version: version, least: least)
    }
    if let node = graph.nodes.first(where: { $0.attributes.values.contains { $0.holdsGraph } }) {
      // What lies in there would have to be rewritten too.
      throw ModelError.unsupported(
        node: node.name, operation: node.operation,
        reason: "a graph in a node of opset \(version); convert the model to opset \(wanted) first")
    }
    var upgrade = OpsetUpgrade(graph, ranks: ranks)
    let given = graph.nodes
    upgrade.graph.nodes = try given.flatMap { try upgrade.upgraded($0) }
    upgrade.graph.opsets[""] = wanted
    graph = upgrade.graph
  }

  private init(_ graph: Graph, ranks: [Int?]) {
    self.graph = graph
    self.ranks = ranks
  }

  private mutating func upgraded(_ node: Graph.Node) throws -> [Graph.Node] {
    guard node.domain.isEmpty else { return [node] }
    switch node.operation {
    case "Squeeze", "Unsqueeze", "ReduceSum": return [try moved("axes", of: node)]
    case "Split": return [try moved("split", of: node)]
    case "Dropout":
      // Outside of training it hands its input on, whatever the share was.
      var node = node
      if graph.opsets[""] ?? 0 < 12 {
        node.attributes["ratio"] = nil
      }
      return [node]
    case "Softmax", "LogSoftmax", "Hardmax": return softmax(node)
    default: return [node]
    }
  }

  /// A list that was an attribute as the second input.
  private mutating func moved(_ name: String, of node: Graph.Node) throws -> Graph.Node {
    var node = node
    guard let values = node.attributes[name]?.ints else { return node }
    node.attributes[name] = nil
    let value = graph.addValue(named: "\(node.name)/\(name)")
    graph.constants[value] = try Tensor(shape: [values.count], values.map { Int64($0) })
    node.inputs = [node.inputs[0], value]
    return node
  }

  /// Softmax was over all dimensions from an axis on, and is over that axis.
  private mutating func softmax(_ node: Graph.Node) -> [Graph.Node] {
    var node = node
    let axis = node.attributes["axis"]?.int ?? 1
    let rank = node.inputs[0].flatMap { $0 < ranks.count ? ranks[$0] : nil }
    if axis == -1 || rank == axis + 1 {
      node.attributes["axis"] = .int(-1)
      return [node]
    }
    let input = node.inputs[0]
    let output = node.outputs[0]
    let rows = graph.addValue(named: node.name + "/rows")
    let result = graph.addValue(named: node.name + "/of_rows")
    let shape = graph.addValue(named: node.name + "/shape")
    node.inputs = [rows]
    node.outputs = [result]
    node.attributes["axis"] = .int(-1)
    func step(
      _ operation: String, _ inputs: [Graph.Value?], _ output: Graph.Value?,
      _ attributes: [String: AttributeValue] = [:]
    ) -> Graph.Node {
      Graph.Node(
        name: "\(node.name)/\(operation)", operation: operation, domain: "", inputs: inputs,
        outputs: [output], attributes: attributes)
    }
    return [
      step("Shape", [input], shape), step("Flatten", [input], rows, ["axis": .int(axis)]), node,
      step("Reshape", [result, shape], output),
    ]
  }
}
