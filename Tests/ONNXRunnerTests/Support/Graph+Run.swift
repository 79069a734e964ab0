import Testing

@testable import ONNXRunner
@testable import RunnerGraph
@testable import RunnerTensors

extension Graph {
  /// Plans the graph as it is and runs it once.
  func run(
    _ inputs: [Tensor], threads: Int = 1, usesWinograd: Bool = true
  ) throws -> [Tensor] {
    try Execution(
      pool: BufferPool(limit: 1 << 30), threads: ThreadPool(threadCount: threads),
      isCancelled: nil, profile: nil
    ).run(try PlanBuilder(usesWinograd: usesWinograd).plan(self), inputs: inputs)
  }
}

/// Checks that `fused`, on one thread and on three, gives to the last bit what `apart` gives.
func expectSameResult(_ fused: Graph, _ apart: Graph, _ inputs: [Tensor]) throws {
  let results = try [(fused, 1), (fused, 3), (apart, 1)].map { graph, threads in
    try graph.run(inputs, threads: threads)[0]
  }
  #expect(results.allSatisfy { $0.shape == results[2].shape })
  let values = try results.map { try $0.array(of: Float.self) }
  #expect(values[0] == values[2])
  #expect(values[1] == values[2])
}
