import ONNXFormat
import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// What is known around a subgraph is known in it.
@Suite struct SubgraphPreparationTests {
  private static func prepared(without disabled: Set<PassID> = []) throws -> Graph {
    let file = try ModelFile(mapping: goldenModel("loops"))
    let message = try ModelMessage(WireReader(file))
    var graph = try GraphBuilder(
      weights: WeightLoader(file: file, folder: nil, memoryLimit: 1 << 20),
      opsets: LoadedModel.opsets(of: message)
    ).graph(try #require(message.graph))
    try GraphPasses(disabled: disabled).prepare(&graph)
    return graph
  }

  private static func operations(_ name: String, of operation: String, in graph: Graph) throws
    -> [String]
  {
    let node = try #require(graph.nodes.first { $0.operation == operation })
    guard case .graph(let inner)? = node.attributes[name] else {
      Issue.record("\(operation) has no graph '\(name)'")
      return []
    }
    return inner.nodes.map(\.operation).sorted()
  }

  @Test func branchesPackCapturedWeights() throws {
    let graph = try Self.prepared()
    #expect(try Self.operations("then_branch", of: "If", in: graph) == ["Product"])
    #expect(try Self.operations("else_branch", of: "If", in: graph) == ["Product"])
    let node = try #require(graph.nodes.first { $0.operation == "If" })
    #expect(node.captures.map { graph.names[$0] } == ["x", "x"])
  }

  /// Weights that every turn returns as they are, turned once and not in each turn.
  @Test func bodiesPackWeightsHandedOn() throws {
    let graph = try Self.prepared()
    #expect(
      try Self.operations("body", of: "Loop", in: graph)
        == ["Add", "Identity", "Product", "Product"])
    #expect(
      try Self.operations("body", of: "Scan", in: graph)
        == ["Identity", "Product", "Unsqueeze"])
  }

  @Test func canBeSwitchedOff() throws {
    let graph = try Self.prepared(without: [.subgraphs])
    #expect(try Self.operations("body", of: "Loop", in: graph).contains("Transpose"))
  }
}
