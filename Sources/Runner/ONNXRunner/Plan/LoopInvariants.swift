import RunnerGraph

/// What is the same in every turn of a loop.
///
/// A body's captured values, constants and invariant inputs are the same in every turn, and so is what only depends on
/// them. Nodes that give random numbers, and nodes with graphs in them, are computed in every turn.
struct LoopInvariants {
  /// Whether each value of the body is the same in every turn.
  private var isInvariant: [Bool]

  /// For each node that gives the same in every turn, the results that other nodes or the caller read; nil for all
  /// other nodes.
  private(set) var results: [[Graph.Value]?] = []

  /// Nil if `body` is not the body of a loop.
  init?(of body: Graph) {
    guard let inputs = body.invariantInputs else { return nil }
    isInvariant = [Bool](repeating: false, count: body.names.count)
    for value in inputs + body.captures { isInvariant[value] = true }
    for value in body.constants.keys { isInvariant[value] = true }
    var isReadElsewhere = [Bool](repeating: false, count: body.names.count)
    for value in body.outputs { isReadElsewhere[value] = true }
    for node in body.nodes {
      if isInvariantNode(node) {
        for output in node.outputs { if let output { isInvariant[output] = true } }
      } else {
        for input in node.inputs { if let input { isReadElsewhere[input] = true } }
        for capture in node.captures { isReadElsewhere[capture] = true }
      }
    }
    results = body.nodes.map { node in
      isInvariantNode(node) ? node.outputs.compactMap { $0 }.filter { isReadElsewhere[$0] } : nil
    }
  }

  /// Whether `value` is the same in every turn.
  func contains(_ value: Graph.Value) -> Bool { isInvariant[value] }

  private func isInvariantNode(_ node: Graph.Node) -> Bool {
    node.captures.isEmpty && !node.attributes.values.contains(where: \.holdsGraph)
      && !node.has(.random) && node.inputs.allSatisfy { $0.map { isInvariant[$0] } ?? true }
  }
}
