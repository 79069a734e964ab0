import Tracking

/// What of the readings is shown, and for how long.
struct GuidanceDisplay: Sendable {
  let framesToChange: Int
  let lifetime: FrameDuration
  /// What the last frames agreed on.
  private(set) var guidance: Guidance?
  private var since = FrameTime.zero
  private var candidate: Guidance?
  private var count = 0

  init(_ configuration: FrameConfiguration) {
    framesToChange = configuration.framesToChange
    lifetime = configuration.messageLifetime
  }

  /// Takes a frame's reading.
  mutating func add(_ reading: Guidance, at time: FrameTime) {
    if reading == candidate {
      count = min(count + 1, framesToChange)
    } else {
      (candidate, count) = (reading, 1)
    }
    if count >= framesToChange, reading != guidance { (guidance, since) = (reading, time) }
  }

  /// Restarts the count of equal frames; the shown guidance stays.
  mutating func interrupt() {
    (candidate, count) = (nil, 0)
  }

  /// The guidance, or nil if it has been shown unchanged for its whole life.
  func message(at time: FrameTime) -> Guidance? {
    time - since < lifetime ? guidance : nil
  }
}
