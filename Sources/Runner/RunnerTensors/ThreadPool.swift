import _RunnerKernels

/// The threads that work on a session's runs together with the caller.
///
/// All pools of a process share one set of threads, whose size is the largest number that a pool
/// asked for. Simultaneous runs share it: a thread joins one only while fewer threads work than
/// there are cores (or than a pool asked for), so that several sessions do not slow each other
/// down.
package final class ThreadPool: @unchecked Sendable {
  // Unchecked because of the C pointer: the pool behind it can be used from any thread, and it is
  // freed only when this object is unreachable.
  private let pool: OpaquePointer?

  /// The number of threads that work on a job, including the caller's.
  package let threadCount: Int

  package init(threadCount: Int) {
    self.threadCount = min(max(threadCount, 1), 256)
    self.pool = self.threadCount > 1 ? tally_pool_create(Int32(self.threadCount)) : nil
  }

  deinit {
    tally_pool_destroy(pool)
  }

  /// Calls `body` and keeps the threads awake during it, because its jobs follow each other
  /// closely.
  package func duringRun<Result>(_ body: () throws -> Result) rethrows -> Result {
    tally_pool_begin(pool)
    defer { tally_pool_end(pool) }
    return try body()
  }

  /// Calls `body` with each index below `count` and the number of its thread, below
  /// ``threadCount``.
  ///
  /// It returns when all are done. `body` may only write to memory that no other index, or that no
  /// other thread, touches.
  package func forEach(count: Int, _ body: (_ index: Int, _ thread: Int) -> Void) {
    guard count > 1, let pool else {
      for index in 0..<max(count, 0) { body(index, 0) }
      return
    }
    withoutActuallyEscaping(body) { escaping in
      var body = escaping
      withUnsafeMutablePointer(to: &body) { context in
        tally_pool_run(
          pool, Int64(count),
          { context, index, thread in
            context?.assumingMemoryBound(to: ((Int, Int) -> Void).self)
              .pointee(Int(index), Int(thread))
          }, context)
      }
    }
  }
}
