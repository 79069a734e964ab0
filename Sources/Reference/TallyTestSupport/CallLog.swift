/// The calls of a double, and what is to happen to the next ones.
///
/// ```swift
/// let detector = FakeDetector<TestImage>([])
/// let counter = ObjectCounter(
///   detector: detector, embedder: FakeEmbedder<TestImage>(dimension: 2) { _ in [1, 0] })
/// detector.calls.hold()                        // calls wait
/// let count = Task { try await counter.count(in: photo) }
/// try await detector.calls.wait(for: 1)        // the detector was asked
/// count.cancel()
/// detector.calls.release()
/// ```
public final class CallLog<Input: Sendable>: Sendable {
  private struct State: Sendable {
    var inputs: [Input] = []
    var isHeld = false
    var error: (any Error)?
    var failuresLeft = 0
  }

  private let state = Watched(State())

  /// Makes a log without calls.
  public init() {}

  /// What the double was asked, in order, calls that fail or wait too.
  public var inputs: [Input] { state.current.inputs }

  /// The number of calls.
  public var count: Int { inputs.count }

  /// Makes the next calls fail.
  ///
  /// - Parameters:
  ///   - error: what they throw.
  ///   - calls: how many fail; by default all until ``succeed()``.
  public func fail(with error: any Error, calls: Int = .max) {
    state.change {
      $0.error = error
      $0.failuresLeft = max(0, calls)
    }
  }

  /// Makes the next calls succeed.
  public func succeed() { state.change { $0.failuresLeft = 0 } }

  /// Makes calls wait until ``release()``, or until their task is cancelled.
  public func hold() { state.change { $0.isHeld = true } }

  /// Lets waiting calls go on.
  public func release() { state.change { $0.isHeld = false } }

  /// Returns when there have been that many calls.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  public func wait(for count: Int) async throws {
    try await state.wait { $0.inputs.count >= count }
  }

  /// Notes a call; returns when it may answer.
  ///
  /// Doubles of your own call it first.
  ///
  /// - Throws: the error that was asked for; `CancellationError` if the task is cancelled while the
  ///   call waits.
  public func begin(_ input: Input) async throws {
    state.change { $0.inputs.append(input) }
    try await state.wait { !$0.isHeld }
    try state.change {
      guard $0.failuresLeft > 0, let error = $0.error else { return }
      $0.failuresLeft -= 1
      throw error
    }
  }
}
