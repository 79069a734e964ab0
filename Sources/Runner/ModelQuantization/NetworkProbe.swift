import Foundation
import ONNXRunner
import RunnerGraph
import RunnerTensors

/// Runs a graph and hands out values within it, few enough at a time to fit in memory.
struct NetworkProbe {
  /// Bytes of the values that one run hands out, about.
  private static let mostBytes = 256 << 20

  private let sessions: [(session: InferenceSession, values: [(name: String, value: Graph.Value)])]
  private let inputs: [(name: String, value: Graph.Value)]

  /// - Parameters:
  ///   - graph: what is run.
  ///   - values: what is handed out.
  ///   - facts: the values' shapes, as far as they are known.
  init(
    _ graph: Graph, values: [Graph.Value], facts: [ValueFact?], _ writer: ModelFileWriter,
    _ options: SessionOptions
  ) throws {
    let given = Set(graph.inputs)
    inputs = values.filter { given.contains($0) }.map { (graph.names[$0], $0) }
    var groups: [[Graph.Value]] = [[]]
    var bytes = 0
    for value in values where !given.contains(value) {
      let fact = value < facts.count ? facts[value] : nil
      let size = fact.flatMap { $0.byteCount(of: $0.shape) } ?? 16 << 20
      if bytes + size > Self.mostBytes, !(groups.last ?? []).isEmpty {
        groups.append([])
        bytes = 0
      }
      groups[groups.count - 1].append(value)
      bytes += size
    }
    let outputs = Set(graph.outputs)
    var prefix = "seen "
    while graph.names.contains(where: { $0.hasPrefix(prefix) }) { prefix += "again " }
    sessions = try groups.filter { !$0.isEmpty }.map { group in
      // Names as they are written: an output has its own, and others are given.
      var graph = graph
      for (place, value) in group.enumerated() where !outputs.contains(value) {
        graph.names[value] = "\(prefix)\(place)"
      }
      let data = try writer.data(
        graph, outputs: group.filter { !outputs.contains($0) }, isTemporary: true)
      let session = try InferenceSession(data: data, options: options)
      let known = Set(session.outputs.map(\.name))
      let names = group.map { (graph.names[$0], $0) }.filter { known.contains($0.0) }
      return (session, names)
    }
  }

  /// Runs the graph and calls `body` with each value, in no order.
  func run(
    _ given: [String: Tensor], _ body: (Graph.Value, Tensor) throws -> Void
  ) throws {
    for (name, value) in inputs {
      if let tensor = given[name] { try body(value, tensor) }
    }
    for (session, values) in sessions {
      try hand(values, of: session, given, body)
      // All sessions together would hold what one is to be enough for.
      session.releaseUnusedMemory()
    }
  }

  private func hand(
    _ values: [(name: String, value: Graph.Value)], of session: InferenceSession,
    _ given: [String: Tensor], _ body: (Graph.Value, Tensor) throws -> Void
  ) throws {
    let results = try session.run(given)
    for (name, value) in values {
      if let tensor = results[name] { try body(value, tensor) }
    }
  }
}
