import Foundation
import Recognition
import Tracking

/// A clock that moves only when a test moves it.
///
/// ```swift
/// let clock = TestClock()
/// let router = RecognitionRouter<TestImage>(clock: clock)
/// let log = try TelemetryLog(folder: folder, now: { clock.date })
/// clock.advance(by: .milliseconds(500))
/// ```
public final class TestClock: RecognitionClock {
  private struct State: Sendable {
    var time: FrameTime
    var sleeping = 0
  }

  private let state: Watched<State>
  private let start: FrameTime
  private let startDate: Date

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - time: its time.
  ///   - date: the date at that time; 1 January 2026 at noon, UTC, if a test does not say another.
  public init(
    at time: FrameTime = .zero, date: Date = Date(timeIntervalSince1970: 1_767_268_800)
  ) {
    state = Watched(State(time: time))
    start = time
    startDate = date
  }

  /// The time.
  public func now() -> FrameTime { state.current.time }

  /// The date.
  public var date: Date {
    startDate.addingTimeInterval(Double((now() - start).nanoseconds) / 1e9)
  }

  /// Moves the clock, and wakes the tasks that slept until then; a negative duration does nothing.
  public func advance(by duration: FrameDuration) {
    guard duration.nanoseconds > 0 else { return }
    state.change { $0.time = $0.time + duration }
  }

  /// Returns when a test has moved the clock that far.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  public func sleep(until time: FrameTime) async throws {
    state.change { $0.sleeping += 1 }
    defer { state.change { $0.sleeping -= 1 } }
    try await state.wait { $0.time.nanoseconds >= time.nanoseconds }
  }

  /// Returns when at least that many tasks sleep.
  ///
  /// Wait for them before you move the clock.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  public func waitForSleepers(_ count: Int = 1) async throws {
    try await state.wait { $0.sleeping >= count }
  }
}
