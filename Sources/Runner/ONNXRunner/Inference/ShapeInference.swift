import RunnerGraph
import RunnerTensors

/// Infers types and shapes of values from those of the inputs, operator by operator.
///
/// It is conservative. A value has no fact if its shape depends on data, if it depends on such a
/// value, or if its operator has no rule. The shapes of such values are learned in the first run.
struct ShapeInference {
  /// The facts known so far; nil if a value has none.
  private(set) var facts: [ValueFact?]

  /// Starts with the facts of the inputs, in their order, and with the constants.
  init(_ graph: Graph, inputs: [ValueFact]) {
    facts = .init(repeating: nil, count: graph.names.count)
    for (value, fact) in zip(graph.inputs, inputs) { facts[value] = Self.possible(fact) }
    for (value, tensor) in graph.constants { facts[value] = ValueFact(tensor) }
  }

  /// All facts about the values of `graph`.
  static func facts(of graph: Graph, inputs: [ValueFact]) -> [ValueFact?] {
    var inference = ShapeInference(graph, inputs: inputs)
    for node in graph.nodes { inference.visit(node, in: graph) }
    return inference.facts
  }

  /// Infers the outputs of one node; the nodes before it must have been visited.
  mutating func visit(_ node: Graph.Node, in graph: Graph) {
    let results = outputs(of: node, in: graph)
    for (index, output) in node.outputs.enumerated() {
      if let output, index < results.count { facts[output] = results[index] }
    }
  }

  mutating func set(_ fact: ValueFact, of value: Graph.Value) {
    facts[value] = fact
  }

  private func outputs(of node: Graph.Node, in graph: Graph) -> [ValueFact?] {
    guard let definition = node.definition else { return [] }
    let rule: ShapeRule.Outputs
    switch definition.shape.form {
    case .rule(let outputs): rule = outputs
    case .asReplaced:
      return node.outputs.map { value in
        value.flatMap { $0 < graph.facts.count ? graph.facts[$0] : nil }
      }
    case .dependsOnData, .seenInRun, .asExpanded: return []
    }
    guard node.captures.isEmpty, !node.attributes.values.contains(where: \.holdsGraph) else {
      return []
    }
    let known = node.inputs.map { value in value.flatMap { facts[$0] } }
    let query = ShapeQuery(
      info: definition.declared(NodeInfo(node, in: graph)), inputs: known)
    guard let results = try? rule(query) else { return [] }
    return results.map(Self.possible)
  }

  /// A shape that is impossible for a tensor fails in the run, with a message.
  private static func possible(_ fact: ValueFact?) -> ValueFact? {
    fact.flatMap { $0.byteCount(of: $0.shape) == nil ? nil : $0 }
  }
}
