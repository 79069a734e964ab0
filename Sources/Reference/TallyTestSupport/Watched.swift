import Foundation

/// A value behind a lock, for whose changes tasks can wait.
final class Watched<Value: Sendable>: @unchecked Sendable {
  // Safe to share: every access holds the lock, and nobody is resumed while it is held.
  private struct Waiter {
    let isDone: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Void, any Error>
  }

  private let lock = NSLock()
  private var value: Value
  private var waiters: [UUID: Waiter] = [:]

  init(_ value: Value) { self.value = value }

  /// A copy of the value.
  var current: Value { lock.withLock { value } }

  /// Changes the value, and wakes the tasks that waited for it.
  func change<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    let (result, woken) = try lock.withLock {
      let result = try body(&value)
      let done = waiters.filter { $0.value.isDone(value) }
      for id in done.keys { waiters[id] = nil }
      return (result, done.values.map(\.continuation))
    }
    for continuation in woken { continuation.resume() }
    return result
  }

  /// Returns when the value is as wanted.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  func wait(until isDone: @escaping @Sendable (Value) -> Bool) async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = lock.withLock {
          // A task that was cancelled before this has had its handler called already.
          if Task.isCancelled { return .failure(CancellationError()) }
          if isDone(value) { return .success(()) }
          waiters[id] = Waiter(isDone: isDone, continuation: continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiter = lock.withLock { waiters.removeValue(forKey: id) }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
}
