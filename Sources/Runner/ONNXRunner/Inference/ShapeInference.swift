import RunnerGraph
import RunnerTensors

/// Works out types and shapes from those of the inputs, operator by operator.
///
/// Only what is sure is said: a value whose shape depends on data has none here, and neither has
/// anything made of it, nor the result of an operator without a rule. Then it is seen in a run.
struct ShapeInference {
  /// What is known so far; nil if nothing is.
  private(set) var facts: [ValueFact?]

  /// Starts with what is given for the inputs, in their order, and with the constants.
  init(_ graph: Graph, inputs: [ValueFact]) {
    facts = .init(repeating: nil, count: graph.names.count)
    for (value, fact) in zip(graph.inputs, inputs) { facts[value] = Self.possible(fact) }
    for (value, tensor) in graph.constants { facts[value] = ValueFact(tensor) }
  }

  /// All there is to know about `graph`.
  static func facts(of graph: Graph, inputs: [ValueFact]) -> [ValueFact?] {
    var inference = ShapeInference(graph, inputs: inputs)
    for node in graph.nodes { inference.visit(node, in: graph) }
    return inference.facts
  }

  /// Works out the outputs of one node; those before it must have been visited.
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

  /// What could not be a tensor will fail in the run, with a message.
  private static func possible(_ fact: ValueFact?) -> ValueFact? {
    fact.flatMap { $0.byteCount(of: $0.shape) == nil ? nil : $0 }
  }
}
