import RunnerGraph
import RunnerTensors

extension Graph.Node {
  /// The node's operator; nil if the runner does not have it.
  var definition: Operator? { OperatorTable.definition(of: operation, domain: domain) }

  /// Whether its operator has all of these traits.
  func has(_ traits: OperatorTraits) -> Bool {
    definition?.traits.isSuperset(of: traits) ?? false
  }

  /// The node's operator, after checks that apply to every operator.
  ///
  /// - Throws: ``ModelError`` if the model's opset does not have the operator, or if the node has
  ///   more or fewer inputs or outputs than the operator allows.
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

  /// The kernel of a node without subgraphs, for passes that compute the node.
  func kernel(in graph: Graph) throws -> any Kernel {
    try definition(in: graph).kernel(for: NodeInfo(self, in: graph))
  }
}
