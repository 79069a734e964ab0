import RunnerTensors

/// The order in which nodes of a graph can be computed.
///
/// ONNX asks for files whose nodes are in such an order, and some tools do not write it. A file
/// that is in order keeps it.
package enum NodeOrder {
  /// `nodes`, each after those that define what it uses, and otherwise in the order in which they
  /// are.
  ///
  /// What no node defines counts as known.
  ///
  /// - Throws: ``ModelError/invalidGraph(reason:)`` if nodes depend on each other in a cycle.
  package static func sorted(_ nodes: [NodeMessage]) throws -> [NodeMessage] {
    var definers: [ExactName: Int] = [:]
    for (index, node) in nodes.enumerated() {
      for output in node.outputs where !output.isEmpty {
        if definers[ExactName(output)] == nil { definers[ExactName(output)] = index }
      }
    }
    let needed = nodes.map { node in node.uses.compactMap { definers[$0] } }
    if needed.enumerated().allSatisfy({ index, others in others.allSatisfy { $0 < index } }) {
      return nodes
    }

    // Depth first, without recursion: a chain may be as long as the file.
    var states = [State](repeating: .waiting, count: nodes.count)
    var order: [Int] = []
    for first in nodes.indices where states[first] == .waiting {
      var path = [(node: first, next: 0)]
      states[first] = .entered
      while let (node, next) = path.last {
        guard next < needed[node].count else {
          states[node] = .done
          order.append(node)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let other = needed[node][next]
        switch states[other] {
        case .done: continue
        case .entered: throw cycle(path.map(\.node), from: other, nodes)
        case .waiting:
          states[other] = .entered
          path.append((other, 0))
        }
      }
    }
    return order.map { nodes[$0] }
  }

  private enum State {
    case waiting
    case entered
    case done
  }

  private static func cycle(
    _ path: [Int], from start: Int, _ nodes: [NodeMessage]
  ) -> ModelError {
    let members = path[(path.firstIndex(of: start) ?? 0)...].map { nodes[$0] }
    let names = members.prefix(5).map { "'\($0.shownName)' (\($0.operation))" }
    let rest = members.count > names.count ? " and \(members.count - names.count) more" : ""
    let needs = members.count == 1 ? "needs its own result" : "need each other's results"
    return .invalidGraph(
      reason: "a cycle: node\(members.count == 1 ? "" : "s") "
        + "\(names.joined(separator: ", "))\(rest) \(needs)")
  }
}

extension NodeMessage {
  /// The node's name, or its first output's if it has none.
  package var shownName: String {
    name.isEmpty ? outputs.first { !$0.isEmpty } ?? operation : name
  }

  /// The names that the node and the graphs in it use, except those that the graphs define.
  var uses: [ExactName] {
    inputs.filter { !$0.isEmpty }.map { ExactName($0) } + graphs.flatMap(\.usesFromOutside)
  }

  /// The graphs among its attributes.
  package var graphs: [GraphMessage] {
    attributes.flatMap { attribute in (attribute.graph.map { [$0] } ?? []) + attribute.graphs }
  }
}

extension GraphMessage {
  fileprivate var usesFromOutside: [ExactName] {
    var defined: Set<ExactName> = []
    for tensor in initializers { defined.insert(ExactName(tensor.name)) }
    for input in inputs { defined.insert(ExactName(input.name)) }
    for node in nodes { defined.formUnion(node.outputs.map { ExactName($0) }) }
    var seen: Set<ExactName> = []
    let used = nodes.flatMap(\.uses) + outputs.map { ExactName($0.name) }
    return used.filter { !defined.contains($0) && seen.insert($0).inserted }
  }
}
