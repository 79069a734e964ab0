import Tracking

/// Every threshold and duration of a ``FrameSession``.
///
/// As JSON it is an object with the names of the properties, with durations in seconds. An absent
/// property keeps its default:
///
/// ```json
/// {"nominalInterval": 0.1, "priority": ["isbn", "text", "object"], "tracking": {"maximumMisses": 8}}
/// ```
///
/// Values are not checked when properties are set. They are checked by ``validated()``, by
/// decoding, and by a session before it starts.
public struct FrameConfiguration: Hashable, Sendable {
  // MARK: What counts

  /// The confidence above which text counts, 0...1.
  public var minimumTextConfidence = 0.5
  /// Which finding is the primary one.
  public var priority = FindingPriority.objectsFirst
  /// When a line of text reads like the spine of a book.
  public var spineText = SpineTextRule()
  /// When objects of two frames are one.
  public var tracking = TrackerConfiguration()

  // MARK: Text on objects

  /// How often the text on an object is read, until it is sure enough; 1...100.
  public var maximumReadings = 3
  /// The mean confidence of its characters from which text on an object is not read again, 0...1.
  public var sureReadingConfidence = 0.9
  /// How much larger than at its last reading an object has to be for new readings, 1...100.
  public var readingGrowth = 1.25

  // MARK: Guidance

  /// The share of the frame that text has to cover to be near enough, 0...1.
  public var minimumTextCoverage = 0.05
  /// How far boxes may move within the last results and still be steady, as a share of the frame's
  /// side, 0...1.
  public var maximumShift = 0.1
  /// Over how many results that is measured, the newest included; 2...100.
  public var stabilityResults = 5
  /// Above what confidence an object without text is a book that is too far away, 0...1.
  public var sureObjectConfidence = 0.9
  /// After how many like frames in a row a change shows, 1...100.
  public var framesToChange = 2
  /// For how long an unchanged message is shown, 0...3600 s.
  public var messageLifetime = FrameDuration.milliseconds(3000)
  /// The least time between two feedback events, 0...3600 s.
  public var feedbackSpacing = FrameDuration.milliseconds(2000)

  // MARK: Throttle

  /// The least time between two analyses while the device is cool, 0...3600 s.
  public var nominalInterval = FrameDuration.milliseconds(150)
  /// The least time while it is warm, 0...3600 s.
  public var fairInterval = FrameDuration.milliseconds(250)
  /// The least time while it is hot, 0...3600 s.
  public var seriousInterval = FrameDuration.milliseconds(500)
  /// The least time while nothing is seen, 0...3600 s; where the device's own is longer, that one
  /// counts.
  public var idleInterval = FrameDuration.milliseconds(500)
  /// After how long without anything seen the idle interval applies, 0...3600 s.
  public var idleAfter = FrameDuration.milliseconds(3000)

  // MARK: What shows

  /// After how long without an analysis what was seen is forgotten, 1...3600 s; see
  /// ``FrameSession/isStale(at:)``.
  public var staleAfter = FrameDuration.milliseconds(10_000)
  /// The time constant by which a ``FrameDisplay`` smooths boxes, 0...3600 s; 0 for none.
  public var smoothing = FrameDuration.milliseconds(100)
  /// How far an edge or a corner has to move to be drawn again, as a share of the frame's side,
  /// 0...1.
  public var redrawShift = 0.002
  /// How much a confidence has to change to be drawn again, 0...1.
  public var redrawConfidence = 0.02

  /// The defaults.
  public init() {}
}

extension FrameConfiguration {
  /// The configuration, if every value lies in its range.
  ///
  /// - Throws: the first error, in the order of declaration.
  public func validated() throws(FrameConfigurationError) -> FrameConfiguration {
    try Self.check("minimumTextConfidence", minimumTextConfidence, 0...1)
    try spineText.validate()
    do throws(TrackerConfigurationError) {
      _ = try tracking.validated()
    } catch {
      throw .tracking(error)
    }
    try Self.check("maximumReadings", Double(maximumReadings), 1...100)
    try Self.check("sureReadingConfidence", sureReadingConfidence, 0...1)
    try Self.check("readingGrowth", readingGrowth, 1...100)
    try Self.check("minimumTextCoverage", minimumTextCoverage, 0...1)
    try Self.check("maximumShift", maximumShift, 0...1)
    try Self.check("stabilityResults", Double(stabilityResults), 2...100)
    try Self.check("sureObjectConfidence", sureObjectConfidence, 0...1)
    try Self.check("framesToChange", Double(framesToChange), 1...100)
    let durations = [
      ("messageLifetime", messageLifetime), ("feedbackSpacing", feedbackSpacing),
      ("nominalInterval", nominalInterval), ("fairInterval", fairInterval),
      ("seriousInterval", seriousInterval), ("idleInterval", idleInterval),
      ("idleAfter", idleAfter),
    ]
    for (field, duration) in durations { try Self.check(field, duration.seconds, 0...3600) }
    try Self.check("staleAfter", staleAfter.seconds, 1...3600)
    try Self.check("smoothing", smoothing.seconds, 0...3600)
    try Self.check("redrawShift", redrawShift, 0...1)
    try Self.check("redrawConfidence", redrawConfidence, 0...1)
    return self
  }

  /// Refuses a value outside its range; a NaN is in none.
  static func check(
    _ field: String, _ value: Double, _ range: ClosedRange<Double>
  ) throws(FrameConfigurationError) {
    guard range.contains(value) else {
      throw .outOfRange(field: field, value: value, range: range)
    }
  }
}
