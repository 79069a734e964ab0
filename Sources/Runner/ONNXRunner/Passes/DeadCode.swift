import RunnerGraph

extension GraphPass {
  static let deadCode = GraphPass("dead-code") { graph, _ in
    DeadCode.apply(to: &graph)
  }
}

/// Drops nodes and weights that no output depends on.
enum DeadCode {
  static func apply(to graph: inout Graph) {
    var isNeeded = [Bool](repeating: false, count: graph.names.count)
    for output in graph.outputs { isNeeded[output] = true }
    var kept: [Graph.Node] = []
    for node in graph.nodes.reversed() {
      // A node without outputs has no effect.
      guard node.outputs.contains(where: { $0.map { isNeeded[$0] } ?? false }) else { continue }
      for input in node.inputs { if let input { isNeeded[input] = true } }
      for capture in node.captures { isNeeded[capture] = true }
      kept.append(node)
    }
    graph.nodes = kept.reversed()
    graph.constants = graph.constants.filter { isNeeded[$0.key] }
  }
}
