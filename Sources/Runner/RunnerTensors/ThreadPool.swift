import _RunnerKernels

/// The threads that work on a session's runs together with the caller.
///
/// All pools of a process draw on one crew of threads, which grows to what the largest asks for.
/// Runs at once share it out: a thread joins one only while fewer threads are at work than there
/// are cores (or than a pool asked for), so that several sessions do not stand in each other's way.
package final class ThreadPool: @unchecked Sendable {
  // Unchecked because of the C pointer: the pool behind it is safe to use from any thread, and it
  // goes only when nobody can reach this object.
  private let pool: OpaquePointer?

  /// How many threads work on a job, the caller's among them.
  package let threadCount: Int

  package init(threadCount: Int) {
    self.threadCount = min(max(threadCount, 1), 256)
    self.pool = self.threadCount > 1 ? tally_pool_create(Int32(self.threadCount)) : nil
  }

  deinit {
    tally_pool_destroy(pool)
  }

  /// Calls `body`, and has the threads stay awake meanwhile: jobs follow each other closely in it.
  package func duringRun<Result>(_ body: () throws -> Result) rethrows -> Result {
    tally_pool_begin(pool)
    defer { tally_pool_end(pool) }
    return try body()
  }

  /// Calls `body` with each index below `count` and the number, below ``threadCount``, of the
  /// thread it is called on, and returns when all are done.
  ///
  /// `body` may only write to memory that no other index, or that no other thread, touches.
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
