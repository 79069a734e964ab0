import Foundation

/// Lets a few pieces of work run at once, and a limited number wait for their turn, first come, first served.
final class WorkQueue: @unchecked Sendable {
  // Unchecked: the mutable state is only touched under `lock`.

  /// The queue has no room for another piece of work.
  struct Full: Error {}

  private let lock = NSLock()
  private let jobs: Int
  private let mostWaiting: Int
  private var running = 0
  private var nextTicket = 0
  private var waiting: [(ticket: Int, continuation: CheckedContinuation<Void, any Error>)] = []

  /// A queue for `jobs` pieces of work at once.
  init(jobs: Int, mostWaiting: Int) {
    self.jobs = jobs
    self.mostWaiting = mostWaiting
  }

  /// Whether another piece of work would be refused now.
  var isFull: Bool { lock.withLock { running >= jobs && waiting.count >= mostWaiting } }

  /// Works when it is its turn.
  ///
  /// - Throws: ``Full``; `CancellationError` if the task is cancelled while it waits; errors of the work.
  func run<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
    try await enter()
    defer { leave() }
    return try await work()
  }

  private func enter() async throws {
    let ticket = lock.withLock {
      nextTicket += 1
      return nextTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let early: Result<Void, any Error>? = lock.withLock {
          if Task.isCancelled { return .failure(CancellationError()) }
          if running < jobs {
            running += 1
            return .success(())
          }
          if waiting.count >= mostWaiting { return .failure(Full()) }
          waiting.append((ticket, continuation))
          return nil
        }
        if let early { continuation.resume(with: early) }
      }
    } onCancel: {
      let left = lock.withLock {
        waiting.firstIndex { $0.ticket == ticket }.map { waiting.remove(at: $0).continuation }
      }
      left?.resume(throwing: CancellationError())
    }
  }

  private func leave() {
    let next = lock.withLock {
      if waiting.isEmpty {
        running -= 1
        return nil as CheckedContinuation<Void, any Error>?
      }
      return waiting.removeFirst().continuation
    }
    next?.resume()
  }
}
