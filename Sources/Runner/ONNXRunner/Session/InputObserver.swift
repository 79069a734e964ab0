import Foundation
import RunnerTensors

/// Receives the inputs of a session, for example for a quantiser that observes a pipeline.
final class InputObserver: @unchecked Sendable {
  // Unchecked: the mutable state is only touched under `lock`.
  private let lock = NSLock()
  private var body: (@Sendable ([String: Tensor]) -> Void)?

  func set(_ body: (@Sendable ([String: Tensor]) -> Void)?) {
    lock.lock()
    defer { lock.unlock() }
    self.body = body
  }

  func note(_ inputs: [String: Tensor]) {
    lock.lock()
    let body = body
    lock.unlock()
    body?(inputs)
  }
}

extension InferenceSession {
  /// Calls `body` with the inputs of each run before the run; nil ends that.
  package func observeInputs(_ body: (@Sendable ([String: Tensor]) -> Void)?) {
    observer.set(body)
  }

  /// Frees memory of earlier runs that no tensor needs any more.
  package func releaseUnusedMemory() {
    pool.trim()
  }
}
