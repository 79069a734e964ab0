import Foundation

/// Work that blocks, on a thread of its own.
enum BlockingWork {
  /// Does the work and returns its result.
  ///
  /// It has its own thread: a download blocks, and threads of the pool must not block.
  ///
  /// - Parameter work: it gets a closure that tells whether the task is cancelled.
  static func run<Value: Sendable>(
    _ work:
      @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws(ModelStoreError)
      -> Value
  ) async throws(ModelStoreError) -> Value {
    let flag = CancellationFlag()
    let result: Result<Value, ModelStoreError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(
            returning: Result { () throws(ModelStoreError) in try work { flag.isSet } })
        }
      }
    } onCancel: {
      flag.set()
    }
    return try result.get()
  }
}

/// Tells another thread that the work is cancelled.
private final class CancellationFlag: @unchecked Sendable {
  // Safe to share: the lock guards the mutable state.
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
