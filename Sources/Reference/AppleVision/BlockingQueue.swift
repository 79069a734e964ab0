import Dispatch
import Foundation

/// A queue for calls that block their thread, such as a request of Vision or a prediction of Core
/// ML.
///
/// One call runs at a time, so that many tasks do not take a thread each, and the threads of
/// Swift's own pool stay free.
struct BlockingQueue: Sendable {
  private let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label, qos: .userInitiated)
  }

  /// What the work returns.
  ///
  /// Work that waits in the queue is not begun if the task is cancelled. Work that runs is
  /// stopped by its interruption.
  ///
  /// - Throws: what `work` throws; `CancellationError` if the task is cancelled, whatever the work
  ///   answered or threw.
  func run<Value: Sendable>(
    _ work: @escaping @Sendable (Interruption) throws -> Value
  ) async throws -> Value {
    let interruption = Interruption()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async {
          let result = Result {
            try interruption.check()
            return try work(interruption)
          }
          // What a stopped request throws is not the reason: the task was cancelled.
          continuation.resume(
            with: interruption.isSet ? .failure(CancellationError()) : result)
        }
      }
    } onCancel: {
      interruption.set()
    }
  }
}

/// Whether work is to stop, and how it is stopped.
final class Interruption: @unchecked Sendable {
  // Unchecked: every access to the two values is under `lock`.
  private let lock = NSLock()
  private var hasBeenSet = false
  private var action: (() -> Void)?

  var isSet: Bool { lock.withLock { hasBeenSet } }

  func check() throws {
    if isSet { throw CancellationError() }
  }

  /// Calls `stop` from another thread when the work is to stop, until `body` returns.
  func stopping<Value>(by stop: @escaping () -> Void, _ body: () throws -> Value) throws -> Value {
    try lock.withLock {
      if hasBeenSet { throw CancellationError() }
      action = stop
    }
    defer { lock.withLock { action = nil } }
    return try body()
  }

  func set() {
    let stop = lock.withLock {
      hasBeenSet = true
      return action
    }
    stop?()
  }
}
