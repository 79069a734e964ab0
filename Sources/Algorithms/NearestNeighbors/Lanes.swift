import Dispatch

/// Work on several threads at once.
enum Lanes {
  /// Calls `body` once for each of `count` lanes and returns when all are done.
  static func run(_ count: Int, _ body: @Sendable (Int) -> Void) {
    if count <= 1 {
      body(0)
    } else {
      DispatchQueue.concurrentPerform(iterations: count, execute: body)
    }
  }

  /// The results of `body` for each of `0..<count`, computed on up to `threads` threads.
  ///
  /// Each lane makes its tools once.
  ///
  /// - Throws: the first error in the order of the results.
  static func map<Tool, Result, Failure: Error>(
    _ count: Int, threads: Int, tool: @Sendable () -> Tool,
    _ body: @Sendable (Int, Tool) throws(Failure) -> Result
  ) throws(Failure) -> [Result] {
    typealias Outcome = Swift.Result<Result, Failure>
    let lanes = min(max(threads, 1), max(count, 1))
    let outcomes = [Outcome](unsafeUninitializedCapacity: count) { buffer, initialized in
      // Each lane writes to its own places.
      nonisolated(unsafe) let places = buffer.baseAddress
      run(lanes) { lane in
        guard let places, count > 0 else { return }
        let tool = tool()
        for index in stride(from: lane, to: count, by: lanes) {
          (places + index).initialize(to: Outcome { () throws(Failure) in try body(index, tool) })
        }
      }
      initialized = count
    }
    return try outcomes.map { (outcome) throws(Failure) in try outcome.get() }
  }
}
