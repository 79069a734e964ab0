import TestSupport
import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

/// What is the same in every turn of a loop is computed in its first turn, and nowhere else.
@Suite struct LoopInvariantTests {
  private typealias Sketch = GraphPassTests.Sketch

  /// A loop of `turns` turns over `body`.
  ///
  /// Its inputs are the turn, the condition, `state` and `memory`. It gives `next`, as `state`, and `memory` on.
  private static func loop(
    turns: Int64, captures: [String] = [], _ body: (inout Sketch) throws -> Void
  ) throws -> Graph {
    var inner = Sketch(inputs: ["turn", "goesOn", "state", "memory"])
    inner.graph.captures = captures.map { inner.value($0) }
    try body(&inner)
    inner.graph.outputs = ["goesOn", "next", "memory"].map { inner.value($0) }
    var outer = Sketch(inputs: ["x", "m"])
    let limit = outer.value("limit")
    outer.graph.constants[limit] = Tensor(scalar: turns)
    let results = [outer.value("y"), outer.value("memory")]
    outer.graph.nodes.append(
      Graph.Node(
        name: "loop", operation: "Loop", domain: "",
        inputs: [limit, nil, outer.value("x"), outer.value("m")], outputs: results,
        attributes: ["body": .graph(inner.graph)], captures: captures.map { outer.value($0) }))
    outer.graph.outputs = [results[0]]
    return outer.graph
  }

  /// The names of the nodes that are computed once, and of what is kept of them.
  private static func once(_ graph: Graph) throws -> (nodes: [String], values: [String]) {
    let body = try #require(graph.nodes.first { $0.operation == "Loop" }?.attributes["body"])
    guard case .graph(let inner) = body else { return ([], []) }
    let results = try #require(LoopInvariants(of: inner)).results
    return (
      zip(inner.nodes, results).filter { $1 != nil }.map(\.0.name),
      results.flatMap { $0 ?? [] }.map { inner.names[$0] }
    )
  }

  private static func prepared(_ graph: Graph) throws -> Graph {
    var graph = graph
    try GraphPasses().prepare(&graph)
    return graph
  }

  /// Compares a prepared graph with the same one as it is, in which each turn computes everything.
  private static func check(_ graph: Graph, width: Int = 4) throws {
    let inputs = try (1...2).map { try Seeded.tensor(seed: UInt64($0), shape: [3, width]) }
    let expected = try graph.run(inputs)[0].floats()
    #expect(try prepared(graph).run(inputs)[0].floats() == expected)
  }

  @Test func productWithWhatIsHandedOn() throws {
    let graph = try Self.loop(turns: 5) {
      try $0.constant("weights", [4, 4], 0.25)
      $0.node("MatMul", ["memory", "weights"], "projected")
      $0.node("Add", ["projected", "state"], "sum")
      $0.node("Tanh", ["sum"], "next")
    }
    let once = try Self.once(Self.prepared(graph))
    #expect(once.nodes == ["projected"])
    #expect(once.values == ["projected"])
    try Self.check(graph)
  }

  @Test func whatOnlyInvariantNodesReadIsNotKept() throws {
    let graph = try Self.loop(turns: 3, captures: ["x"]) {
      $0.node("Exp", ["memory"], "a")
      $0.node("Mul", ["a", "x"], "b")
      $0.node("Sigmoid", ["b"], "c")
      $0.node("Mul", ["c", "state"], "next")
    }
    let once = try Self.once(Self.prepared(graph))
    #expect(once.nodes == ["a", "b", "c"])
    #expect(once.values == ["c"])
    try Self.check(graph)
  }

  @Test func whatDependsOnTheTurnIsComputedInEachTurn() throws {
    let graph = try Self.loop(turns: 4) {
      $0.node("Cast", ["turn"], "number", ["to": .int(1)])
      $0.node("Mul", ["memory", "number"], "scaled")
      $0.node("RandomUniformLike", ["memory"], "noise")
      $0.node("Mul", ["noise", "noise"], "squared")
      $0.node("Sub", ["squared", "squared"], "zeros")
      $0.node("Add", ["scaled", "state"], "sum")
      $0.node("Add", ["sum", "zeros"], "next")
    }
    #expect(try Self.once(Self.prepared(graph)).nodes.isEmpty)
    try Self.check(graph)
  }

  @Test func memoryThatChangesIsNotInvariant() throws {
    var graph = try Self.loop(turns: 4) {
      $0.node("Exp", ["memory"], "a")
      $0.node("Add", ["a", "state"], "next")
      $0.node("Neg", ["memory"], "turned")
    }
    guard case .graph(var body)? = graph.nodes[0].attributes["body"] else { return }
    body.outputs[2] = try #require(body.names.firstIndex(of: "turned"))
    graph.nodes[0].attributes["body"] = .graph(body)
    #expect(try Self.once(Self.prepared(graph)).nodes.isEmpty)
    try Self.check(graph)
  }

  /// A branch inside the body reads what was computed in the first turn, even if that turn took the other one.
  @Test func branchesReadWhatIsKept() throws {
    var branches: [Graph] = []
    for operation in ["Add", "Sub"] {
      var branch = Sketch(inputs: [])
      branch.graph.captures = ["scaled", "state"].map { branch.value($0) }
      branch.node(operation, ["state", "scaled"], "result")
      branch.graph.outputs = [branch.value("result")]
      branches.append(branch.graph)
    }
    let graph = try Self.loop(turns: 5) {
      $0.node("Exp", ["memory"], "scaled")
      $0.graph.constants[$0.value("two")] = Tensor(scalar: Int64(2))
      $0.node("Less", ["turn", "two"], "isEarly")
      let captures = [$0.value("scaled"), $0.value("state")]
      $0.graph.nodes.append(
        Graph.Node(
          name: "choice", operation: "If", domain: "", inputs: [$0.value("isEarly")],
          outputs: [$0.value("next")],
          attributes: ["else_branch": .graph(branches[1]), "then_branch": .graph(branches[0])],
          captures: captures + captures))
    }
    #expect(try Self.once(Self.prepared(graph)).values == ["scaled"])
    try Self.check(graph)
  }

  @Test func sequencesAreKept() throws {
    let graph = try Self.loop(turns: 2, captures: ["x"]) {
      $0.node("SequenceConstruct", ["memory", "x"], "both")
      $0.node("SequenceAt", ["both", "turn"], "one")
      $0.node("Mul", ["one", "state"], "next")
    }
    #expect(try Self.once(Self.prepared(graph)).values == ["both"])
    try Self.check(graph)
  }

  /// A node that cannot be computed is an error of the first turn, and so of no loop without turns.
  @Test func nothingIsComputedBeforeTheFirstTurn() throws {
    func graph(turns: Int64) throws -> Graph {
      try Self.prepared(
        try Self.loop(turns: turns, captures: ["m"]) {
          try $0.constant("weights", [5, 4], 1)
          $0.node("MatMul", ["memory", "weights"], "wrong")
          $0.node("Add", ["wrong", "state"], "next")
        })
    }
    let inputs = try (1...2).map { try Seeded.tensor(seed: UInt64($0), shape: [3, 4]) }
    #expect(try graph(turns: 0).run(inputs)[0].floats() == inputs[0].floats())
    let error = #expect(throws: ModelError.self) { try graph(turns: 2).run(inputs) }
    #expect("\(try #require(error))".contains("wrong"))
  }
}
