import Foundation

/// A gate at which work waits while it is paused.
///
/// ```swift
/// let gate = PauseGate()
/// for photo in photos {
///   try await gate.pass()
///   results.append(try await counter.count(in: photo))
/// }
/// ```
///
/// A gate is open at first. Work stops only at the gate: what was let through goes on. A
/// ``Pausable`` puts a gate before each call of a detector, an embedder or a reader.
///
/// Any number of tasks may use it at the same time.
public final class PauseGate: @unchecked Sendable {  // every access holds the lock
  private let lock = NSLock()
  private var isClosed = false
  private var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
  private var nextID = 0

  /// Makes an open gate.
  public init() {}

  /// Whether work waits at the gate.
  public var isPaused: Bool { lock.withLock { isClosed } }

  /// Closes the gate.
  public func pause() {
    lock.withLock { isClosed = true }
  }

  /// Opens the gate, and lets through all that waits.
  ///
  /// A task that finds the gate closed again waits on.
  public func resume() {
    let released = lock.withLock {
      isClosed = false
      defer { waiting = [:] }
      return waiting.values
    }
    for continuation in released { continuation.resume() }
  }

  /// Returns at once if the gate is open, or else when it opens.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, also while it waits.
  public func pass() async throws {
    try Task.checkCancellation()
    // Once more, as the gate may be closed again before the task goes on.
    while isPaused {
      try await wait()
      try Task.checkCancellation()
    }
  }

  private func wait() async throws {
    let id = lock.withLock {
      nextID += 1
      return nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // A task is marked as cancelled before its handler runs, so one of both sees the other.
        let early: Result<Void, any Error>? = lock.withLock {
          if Task.isCancelled { return .failure(CancellationError()) }
          if !isClosed { return .success(()) }
          waiting[id] = continuation
          return nil
        }
        if let early { continuation.resume(with: early) }
      }
    } onCancel: {
      lock.withLock { waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
    }
  }
}
