@testable import ONNXRunner

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
