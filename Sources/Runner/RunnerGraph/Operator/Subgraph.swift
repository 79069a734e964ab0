import RunnerTensors

/// A graph that is ready to run inside of a node.
package protocol RunnableGraph: Sendable {
  var inputCount: Int { get }
  /// The number of values that it takes from the surrounding graph.
  var captureCount: Int { get }
  var outputCount: Int { get }

  /// Runs it inside the node of `context`.
  ///
  /// If `invariants` is given, all runs with it have the same `captures`, and are the turns of one loop.
  func run(
    _ arguments: [ModelValue], captures: [ModelValue], invariants: InvariantValues?,
    in context: KernelContext
  ) throws -> [ModelValue]
}

/// The values that are the same in every turn of a loop, computed in its first turn.
///
/// Only the thread that runs the loop uses it.
package final class InvariantValues {
  /// The values by their number in the body's graph.
  package var values: [(value: Graph.Value, is: ModelValue)] = []

  /// Whether a turn has computed them.
  package var areKnown = false

  package init() {}
}

/// A graph inside a node, such as a branch of `If`.
package struct Subgraph: Sendable {
  package let graph: any RunnableGraph
  /// The index of its first captured value among the node's inputs.
  package let captureOffset: Int

  package init(
    graph: any RunnableGraph, captureOffset: Int
  ) {
    self.graph = graph
    self.captureOffset = captureOffset
  }

  /// The number of its arguments.
  package var inputCount: Int { graph.inputCount }

  /// The number of its results.
  package var outputCount: Int { graph.outputCount }

  /// Runs it with `arguments`; `inputs` are those of the node, with the captured values in them.
  package func run(
    _ arguments: [ModelValue], capturingFrom inputs: [ModelValue?], in context: KernelContext
  ) throws -> [ModelValue] {
    try checkCount(of: arguments, in: context)
    return try graph.run(
      arguments, captures: captures(from: inputs, in: context), invariants: nil, in: context)
  }

  /// The turns of a loop over it; `inputs` are those of the node, with the captured values in them.
  package func turns(
    capturingFrom inputs: [ModelValue?], in context: KernelContext
  ) throws -> Turns {
    Turns(body: self, captures: try captures(from: inputs, in: context), context: context)
  }

  /// The turns of one run of a loop.
  ///
  /// What is the same in each turn is computed in the first one.
  package struct Turns {
    fileprivate let body: Subgraph
    fileprivate let captures: [ModelValue]
    fileprivate let context: KernelContext
    private let invariants = InvariantValues()

    fileprivate init(body: Subgraph, captures: [ModelValue], context: KernelContext) {
      self.body = body
      self.captures = captures
      self.context = context
    }

    /// Runs the next turn.
    ///
    /// The values that the body hands on as they are have to be those that it handed on.
    package func run(_ arguments: [ModelValue]) throws -> [ModelValue] {
      try body.checkCount(of: arguments, in: context)
      return try body.graph.run(arguments, captures: captures, invariants: invariants, in: context)
    }
  }

  private func checkCount(of arguments: [ModelValue], in context: KernelContext) throws {
    guard arguments.count == graph.inputCount else {
      throw context.failure(
        "its graph takes \(graph.inputCount) inputs, got \(arguments.count)")
    }
  }

  private func captures(
    from inputs: [ModelValue?], in context: KernelContext
  ) throws -> [ModelValue] {
    try (0..<graph.captureCount).map { try context.value(captureOffset + $0, of: inputs) }
  }
}
