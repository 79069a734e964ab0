import Tracking

/// The time of a session, which a camera's clock that starts again does not turn back.
///
/// Times that step back a little are late frames, and stay what they are. A step back of three
/// seconds or more is a clock that was set: the session's time goes on from its latest moment then.
struct SessionClock: Sendable {
  private var latest: FrameTime?
  private var offset = FrameDuration.zero

  private static let restart = FrameDuration.milliseconds(-3000)

  /// The session's time for a frame's.
  mutating func time(of raw: FrameTime) -> FrameTime {
    var time = raw + offset
    if let latest, time - latest <= Self.restart {
      offset = offset + (latest - time)
      time = raw + offset
    }
    latest = max(time, latest ?? time)
    return time
  }

  /// The session's time, without taking note of it.
  func peek(at raw: FrameTime) -> FrameTime {
    var copy = self
    return copy.time(of: raw)
  }

  /// The frame's time for a session's.
  func raw(of time: FrameTime) -> FrameTime {
    .zero + (time - (.zero + offset))
  }
}
