import Foundation
import TestSupport
import Testing

@testable import ONNXFormat
@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// Nodes need not be in order; those that are keep it.
@Suite struct NodeOrderTests {
  @Test func wrongOrder() throws {
    let chain = (0..<6).map { index in
      SmallModel.Node(
        operation: index % 2 == 0 ? "Neg" : "Abs", inputs: [index == 0 ? "x" : "v\(index - 1)"],
        outputs: [index == 5 ? "y" : "v\(index)"], name: "n\(index)")
    }
    let x = try Seeded.tensor(seed: 1, shape: [1, 2, 4, 4])
    for order in [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 0, 5, 1, 4, 2]] {
      let session = try InferenceSession(data: SmallModel(nodes: order.map { chain[$0] }).data)
      let y = try #require(try session.run(["x": x])["y"])
      #expect(try y.floats() == x.floats().map { abs($0) })
    }
    let file = try ModelFile(copying: SmallModel(nodes: [chain[0], chain[2], chain[1]]).data)
    let nodes = try #require(try ModelMessage(WireReader(file)).graph?.nodes)
    #expect(try NodeOrder.sorted(nodes).map(\.name) == ["n0", "n1", "n2"])
    #expect(try NodeOrder.sorted([nodes[1], nodes[0]]).map(\.name) == ["n2", "n0"])
  }

  @Test func cycles() {
    let cycle = SmallModel.Node(operation: "Relu", inputs: ["y"], outputs: ["y"], name: "c")
    #expect(
      ModelErrorTests.error(SmallModel(nodes: [cycle]))
        == .invalidGraph(reason: "a cycle: node 'c' (Relu) needs its own result"))
    let pair = [("z", "y"), ("y", "z")].map {
      SmallModel.Node(operation: "Neg", inputs: [$0.0], outputs: [$0.1], name: $0.1)
    }
    #expect(
      ModelErrorTests.error(
        SmallModel(nodes: [ModelErrorTests.relu] + pair.suffix(1) + [pair[0]], outputs: ["z"]))
        != nil)
    #expect(
      ModelErrorTests.error(SmallModel(nodes: pair))
        == .invalidGraph(reason: "a cycle: nodes 'y' (Neg), 'z' (Neg) need each other's results"))
    // As long as a file may be, without a recursion that runs out of stack.
    let long = (0..<50_000).map { index in
      SmallModel.Node(
        operation: "Neg", inputs: ["v\((index + 1) % 50_000)"], outputs: ["v\(index)"])
    }
    let error = ModelErrorTests.error(SmallModel(nodes: long, outputs: ["v0"]))?.description
    #expect(error?.contains("and 49995 more need each other's results") == true)
  }

  /// In graphs of nodes too, whose nodes use values around them.
  @Test func graphsInNodes() throws {
    let file = try ModelFile(mapping: goldenModel("subgraphs"))
    var message = try ModelMessage(WireReader(file))
    func graph() throws -> Graph {
      try GraphBuilder(
        weights: WeightLoader(file: file, folder: nil, memoryLimit: 1 << 20),
        opsets: LoadedModel.opsets(of: message)
      ).graph(try #require(message.graph))
    }
    let ordered = try graph()
    message.graph = message.graph.map(Self.reversed)
    let inputs = try ordered.inputs.enumerated().map { index, input in
      let shape = try #require(ordered.declared[input]?.shape).map { side in
        if case .fixed(let extent) = side { extent } else { 4 }
      }
      return try Seeded.tensor(seed: UInt64(index + 1), shape: shape)
    }
    let results = try [ordered, try graph()].map { try $0.run(inputs).map { try $0.floats() } }
    #expect(results[0] == results[1] && !results[0].isEmpty)
    #expect(ordered.nodes.contains { !$0.captures.isEmpty })
  }

  private static func reversed(_ graph: GraphMessage) -> GraphMessage {
    var graph = graph
    graph.nodes.reverse()
    for node in graph.nodes.indices {
      for attribute in graph.nodes[node].attributes.indices {
        let inner = graph.nodes[node].attributes[attribute].graph
        graph.nodes[node].attributes[attribute].graph = inner.map(reversed)
      }
    }
    return graph
  }
}
