import Tracking

/// How hot the device is; the names are those of Foundation's `ProcessInfo.ThermalState`.
public enum ThermalState: String, Hashable, Sendable, Codable, CaseIterable {
  /// As it should be.
  case nominal
  /// Slightly warm.
  case fair
  /// Hot; fans run and clocks go down.
  case serious
  /// Too hot; nothing is analysed.
  case critical
}

/// Whether a frame is to be analysed.
public enum FrameAdmission: Hashable, Sendable, Codable {
  /// It is.
  case analyze
  /// It is not: the last analysis is too near. The first frame from `until` on will be.
  case wait(until: FrameTime)
  /// The frame is dropped, and all others until the device has cooled down.
  case offBecauseOfHeat
  /// The frame is dropped, and all others until the session is switched on again.
  case switchedOff
}

/// Lets at most one frame through in an interval, which depends on how hot the device is and on
/// whether there is anything to see.
///
/// Everything is driven by the times of the frames; no clock is read. A frame taken before the last
/// one let through waits, as it comes too late.
public struct FrameThrottle: Hashable, Sendable {
  /// How hot the device is; set it whenever that changes.
  ///
  /// It counts from the next frame on.
  public var thermalState = ThermalState.nominal

  private let configuration: FrameConfiguration
  private var lastAnalyzed: FrameTime?
  private var lastSeen: FrameTime?

  /// Starts with the intervals of a configuration; an error names one that is out of range.
  public init(
    configuration: FrameConfiguration = FrameConfiguration()
  ) throws(FrameConfigurationError) {
    self.configuration = try configuration.validated()
  }

  /// Starts with a configuration that is known to be right.
  init(validated configuration: FrameConfiguration) {
    self.configuration = configuration
  }

  /// The least time from the last analysis to one at `time`; nil if nothing is analysed at all.
  public func interval(at time: FrameTime) -> FrameDuration? {
    let own: FrameDuration
    switch thermalState {
    case .nominal: own = configuration.nominalInterval
    case .fair: own = configuration.fairInterval
    case .serious: own = configuration.seriousInterval
    case .critical: return nil
    }
    return isIdle(at: time) ? max(own, configuration.idleInterval) : own
  }

  /// Whether nothing was seen for long enough that frames are analysed less often.
  public func isIdle(at time: FrameTime) -> Bool {
    guard let lastSeen else { return false }
    return time - lastSeen >= configuration.idleAfter
  }

  /// Whether the frame taken at `time` is to be analysed.
  public mutating func admit(frameAt time: FrameTime) -> FrameAdmission {
    // Before anything was seen, nothing has been seen since the first frame.
    if lastSeen == nil { lastSeen = time }
    guard let interval = interval(at: time) else { return .offBecauseOfHeat }
    if let lastAnalyzed, time - lastAnalyzed < interval {
      return .wait(until: lastAnalyzed + interval)
    }
    lastAnalyzed = time
    return .analyze
  }

  /// Takes note that the frame taken at `time` showed something.
  public mutating func sawSomething(at time: FrameTime) {
    lastSeen = max(time, lastSeen ?? time)
  }

  /// Forgets what was: the next frame is analysed at once, and the time without anything seen
  /// starts with it.
  public mutating func resume() {
    lastAnalyzed = nil
    lastSeen = nil
  }
}
