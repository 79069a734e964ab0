import RunnerTensors

/// A graph that is ready to run inside of a node.
package protocol RunnableGraph: Sendable {
  var inputCount: Int { get }
  /// The number of values that it takes from the surrounding graph.
  var captureCount: Int { get }
  var outputCount: Int { get }

  /// Runs it one graph deeper than the node of `context`.
  func run(
    _ arguments: [ModelValue], captures: [ModelValue], in context: KernelContext
  ) throws -> [ModelValue]
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
    guard arguments.count == graph.inputCount else {
      throw context.failure(
        "its graph takes \(graph.inputCount) inputs, got \(arguments.count)")
    }
    var captures: [ModelValue] = []
    for offset in 0..<graph.captureCount {
      captures.append(try context.value(captureOffset + offset, of: inputs))
    }
    return try graph.run(arguments, captures: captures, in: context)
  }
}
