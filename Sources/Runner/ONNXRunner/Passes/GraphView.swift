import RunnerGraph

/// The producers and users of a graph's values at one moment, for finding patterns.
package struct GraphView {
  package let graph: Graph
  /// The node that defines each value; -1 if none does.
  package let producers: [Int]
  /// The nodes that use each value, once per use.
  package let users: [[Int]]
  /// Whether a value is an output or used inside a node's graph.
  package let isElsewhere: [Bool]

  package init(_ graph: Graph) {
    self.graph = graph
    producers = graph.producers()
    var users = [[Int]](repeating: [], count: graph.names.count)
    var isElsewhere = [Bool](repeating: false, count: graph.names.count)
    for (index, node) in graph.nodes.enumerated() {
      for input in node.inputs { if let input { users[input].append(index) } }
      for capture in node.captures { isElsewhere[capture] = true }
    }
    for output in graph.outputs { isElsewhere[output] = true }
    self.users = users
    self.isElsewhere = isElsewhere
  }

  /// The node that defines `value`, if it is one of `operations`, by default of ONNX's own domain.
  func producer(
    of value: Graph.Value?, _ operations: String..., in domain: String = ""
  ) -> (index: Int, node: Graph.Node)? {
    guard let value, producers[value] >= 0 else { return nil }
    let node = graph.nodes[producers[value]]
    guard node.domain == domain, operations.contains(node.operation), node.outputs.count == 1,
      node.captures.isEmpty
    else { return nil }
    return (producers[value], node)
  }

  /// The only node that uses `value`, if it is one of `operations` in ONNX's own domain.
  func onlyUser(
    of value: Graph.Value?, _ operations: String...
  ) -> (index: Int, node: Graph.Node)? {
    guard let value, !isElsewhere[value], users[value].count == 1 else { return nil }
    let node = graph.nodes[users[value][0]]
    guard node.domain.isEmpty, operations.contains(node.operation), node.outputs.count == 1,
      node.captures.isEmpty
    else { return nil }
    return (users[value][0], node)
  }

  /// Whether `value` is used once, and by a node.
  func isUsedOnce(_ value: Graph.Value) -> Bool {
    !isElsewhere[value] && users[value].count == 1
  }

  /// The only element of a known `float32` tensor.
  func number(_ value: Graph.Value?) -> Float? {
    guard let value, let tensor = graph.constants[value], tensor.elementType == .float32,
      tensor.count == 1, tensor.rank <= 1
    else { return nil }
    return tensor.pointer(to: Float.self)[0]
  }

  /// The elements of a known `int64` tensor.
  func integers(_ value: Graph.Value?) -> [Int]? {
    guard let value, let tensor = graph.constants[value], tensor.elementType == .int64 else {
      return nil
    }
    return try? tensor.array(of: Int64.self).map { Int($0) }
  }

  /// For an operator of two inputs: the value that is combined with a known number, and the number.
  ///
  /// If the order matters, the number must be the second.
  func valueAndNumber(_ node: Graph.Node) -> (value: Graph.Value, number: Float)? {
    guard node.inputs.count == 2, let first = node.inputs[0], let second = node.inputs[1] else {
      return nil
    }
    if let number = number(second) { return (first, number) }
    guard ["Add", "Mul"].contains(node.operation), let number = number(first) else { return nil }
    return (second, number)
  }

  /// The other input of a node with two inputs, one of which is `value`.
  func other(than value: Graph.Value, in node: Graph.Node) -> Graph.Value? {
    guard node.inputs.count == 2, let first = node.inputs[0], let second = node.inputs[1] else {
      return nil
    }
    if first == value { return second }
    return second == value ? first : nil
  }
}

/// The changes that a pass found: nodes that replace others.
struct GraphRewrite {
  private var replacements: [Int: Graph.Node] = [:]
  private var obsolete: Set<Int> = []

  /// Puts `node` in the place of the node at `index`, whose output it has.
  ///
  /// Nodes of `others` that nothing needs any more are dropped.
  mutating func replace(_ index: Int, by node: Graph.Node, obsolete others: [Int]) {
    replacements[index] = node
    obsolete.formUnion(others)
  }

  /// Replaces every node for which `find` has a replacement, and drops nodes that are then
  /// obsolete.
  static func replaceNodes(
    of graph: inout Graph, _ find: (Graph.Node) -> (node: Graph.Node, obsolete: [Int])?
  ) {
    var rewrite = GraphRewrite()
    for (index, node) in graph.nodes.enumerated() {
      guard let found = find(node) else { continue }
      rewrite.replace(index, by: found.node, obsolete: found.obsolete)
    }
    rewrite.apply(to: &graph)
  }

  /// Whether nothing was found.
  var isEmpty: Bool { replacements.isEmpty }

  func apply(to graph: inout Graph) {
    guard !isEmpty else { return }
    for (index, node) in replacements { graph.nodes[index] = node }
    var uses = graph.useCounts()
    var removed: Set<Int> = []
    // A node comes after the nodes that it reads, so one iteration from the back is enough.
    for index in obsolete.sorted(by: >) where replacements[index] == nil {
      let node = graph.nodes[index]
      guard node.outputs.allSatisfy({ $0.map { uses[$0] == 0 } ?? true }) else { continue }
      removed.insert(index)
      for input in node.inputs { if let input { uses[input] -= 1 } }
      for capture in node.captures { uses[capture] -= 1 }
    }
    graph.nodes = graph.nodes.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
  }
}
