import RunnerGraph
import RunnerTensors

extension Graph.Node {
  /// The node's operator; nil if the runner has none of its name.
  var definition: Operator? { OperatorTable.definition(of: operation, domain: domain) }

  /// Whether its operator has all of these traits.
  func has(_ traits: OperatorTraits) -> Bool {
    definition?.traits.isSuperset(of: traits) ?? false
  }

  /// The node's operator, after checks that hold for every operator.
  ///
  /// - Throws: ``ModelError`` if the model's opset has none of its name, or if the node has more or
  ///   fewer inputs or outputs than it.
  func definition(in graph: Graph) throws -> Operator {
    let opset = graph.opsets[domain] ?? 1
    guard let definition, definition.version(at: opset) != nil else {
      throw ModelError.missingOperators([
        MissingOperator(
          name: operation, domain: domain, opset: opset, nodeCount: 1, firstNode: name)
      ])
    }
    try definition.checkCounts(of: self)
    return definition
  }

  /// The kernel of a node that has no graphs among its attributes, for passes that compute it.
  func kernel(in graph: Graph) throws -> any Kernel {
    try definition(in: graph).kernel(for: NodeInfo(self, in: graph))
  }
}
