import Foundation
import RunnerTensors

/// Who is told what a session is given, such as a quantiser that looks on while a pipeline runs.
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
  /// Has `body` called with the inputs of each run before it; nil ends that.
  package func observeInputs(_ body: (@Sendable ([String: Tensor]) -> Void)?) {
    observer.set(body)
  }

  /// Gives memory back that earlier runs took and that no tensor needs any more.
  package func releaseUnusedMemory() {
    pool.trim()
  }
}
