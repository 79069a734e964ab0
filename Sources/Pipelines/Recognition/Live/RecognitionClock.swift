import Dispatch
import Tracking

/// The clock of a router, which tests can replace.
public protocol RecognitionClock: Sendable {
  /// The time now, counted from any start that stays the same.
  func now() -> FrameTime

  /// Returns when it is that late, or throws when the task is cancelled.
  func sleep(until time: FrameTime) async throws
}

/// The machine's monotonic clock.
public struct UptimeClock: RecognitionClock {
  /// Makes a clock.
  public init() {}

  /// The time since the machine was started.
  public func now() -> FrameTime {
    FrameTime(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
  }

  /// Returns when it is that late, or throws when the task is cancelled.
  public func sleep(until time: FrameTime) async throws {
    let rest = time - now()
    try await Task.sleep(nanoseconds: UInt64(max(rest.nanoseconds, 0)))
  }
}
