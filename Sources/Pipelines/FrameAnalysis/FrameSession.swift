import Geometry
import ISBN
import Tracking

/// Processes a camera's frames: decides which to analyse, and turns observations into results.
///
/// ```swift
/// var session = FrameSession()
/// for frame in frames where session.admit(frameAt: frame.time) == .analyze {
///   let analyzed = session.analyze(try await observations(in: frame))
///   show(analyzed.objects, analyzed.message)
/// }
/// ```
///
/// It is a value without a clock, a thread or randomness: the same calls give the same results in
/// every run, so that ``FrameRecording`` can replay them. Times may repeat, come late or start
/// again; see ``FrameThrottle`` for the order of frames and `ObjectTracker` for ids.
///
/// Complexity of an analysis: that of `ObjectTracker/update(with:at:)` for objects and for texts,
/// and O(*n*²) for *n* lines of text. Memory: the objects that the tracker remembers.
public struct FrameSession: Sendable {
  /// The thresholds and durations.
  public let configuration: FrameConfiguration
  /// The ISBN seen before the shutter.
  public var preScanned = PreScannedISBN()

  private var throttle: FrameThrottle
  private var clock = SessionClock()
  private var objectTracker: ObjectTracker
  private var textTracker: ObjectTracker
  private var motion: BoxMotion
  private var display: GuidanceDisplay
  private var feedback: FeedbackGate

  /// Starts with the defaults.
  public init() {
    self.init(
      validated: FrameConfiguration(), tracker: ObjectTracker(frame: Self.unitFrame))
  }

  /// Starts with a configuration; an error names a value that is out of range.
  public init(configuration: FrameConfiguration) throws(FrameConfigurationError) {
    let configuration = try configuration.validated()
    var tracking = configuration.tracking
    tracking.frame = Self.unitFrame
    do throws(TrackerConfigurationError) {
      self.init(validated: configuration, tracker: try ObjectTracker(configuration: tracking))
    } catch {
      throw .tracking(error)
    }
  }

  private init(validated configuration: FrameConfiguration, tracker: ObjectTracker) {
    self.configuration = configuration
    throttle = FrameThrottle(validated: configuration)
    objectTracker = tracker
    textTracker = tracker
    motion = BoxMotion(length: configuration.stabilityResults)
    display = GuidanceDisplay(configuration)
    feedback = FeedbackGate(configuration)
  }

  /// The frame in its own shares.
  private static let unitFrame = Box(minX: 0, minY: 0, maxX: 1, maxY: 1)

  /// How hot the device is; set it whenever that changes.
  public var thermalState: ThermalState {
    get { throttle.thermalState }
    set { throttle.thermalState = newValue }
  }

  /// Whether the frame taken at `time` is to be analysed.
  public mutating func admit(frameAt time: FrameTime) -> FrameAdmission {
    let admission = throttle.admit(frameAt: clock.time(of: time))
    guard case .wait(let until) = admission else { return admission }
    return .wait(until: clock.raw(of: until))
  }

  /// Takes note that frames come again after a pause: the next one is analysed at once, and it is
  /// compared with none from before the pause.
  ///
  /// Ids, guidance and the pre-scanned ISBN stay.
  public mutating func resume() {
    throttle.resume()
    motion.reset()
    display.interrupt()
  }

  /// What to show at a time between frames: the guidance, until it was shown long enough.
  public func message(at time: FrameTime) -> Guidance? {
    display.message(at: clock.peek(at: time))
  }

  /// Turns what was observed in a frame into what to show.
  ///
  /// Observations whose box is empty or not finite, or whose confidence is not a number, are
  /// skipped.
  public mutating func analyze(_ observations: FrameObservations) -> AnalyzedFrame {
    let time = clock.time(of: observations.time)
    let usable = observations.usable(surerThan: configuration.minimumTextConfidence)
    if !usable.isEmpty { throttle.sawSomething(at: time) }

    let objects = track(usable.objects, at: time)
    motion.add(middles(of: objects, usable.texts, at: time))
    let isbn = best(usable.barcodes.filter { $0.isbn != nil })?.isbn
    preScanned.see(isbn)

    let shift = motion.shift
    let rules = GuidanceRules(configuration: configuration, frame: observations.frame)
    let reading = rules.reading(
      texts: usable.texts, barcodes: usable.barcodes, objects: objects, shift: shift)
    display.add(reading, at: time)
    let event = feedback.event(hasISBN: isbn != nil, guidance: display.guidance, at: time)
    return AnalyzedFrame(
      time: observations.time, texts: usable.texts, barcodes: usable.barcodes, objects: objects,
      primary: configuration.priority.primary(
        texts: usable.texts, barcodes: usable.barcodes, objects: objects),
      isbn: isbn, shift: shift, reading: reading, guidance: display.guidance,
      message: display.message(at: time), events: event.map { [$0] } ?? [],
      distinctObjects: objectTracker.distinctCount)
  }

  /// The objects with their ids, each object once.
  private mutating func track(_ regions: [ObjectRegion], at time: FrameTime) -> [FrameObject] {
    let sightings = regions.map {
      Sighting(
        box: $0.box.unitBox, outline: $0.outline, confidence: $0.confidence,
        appearance: $0.appearance)
    }
    return objectTracker.update(with: sightings, at: time).map { track in
      let region = regions[track.sighting]
      return FrameObject(
        id: track.id, box: region.box, outline: region.outline, confidence: region.confidence,
        isConfirmed: track.isConfirmed)
    }
  }

  /// The middles of all boxes that can be known again.
  private mutating func middles(
    of objects: [FrameObject], _ texts: [TextLineRegion], at time: FrameTime
  ) -> [BoxMotion.Key: Point] {
    var middles: [BoxMotion.Key: Point] = [:]
    for object in objects { middles[.object(object.id)] = object.box.center }
    let sightings = texts.map { Sighting(box: $0.box.unitBox, confidence: $0.confidence) }
    for track in textTracker.update(with: sightings, at: time) {
      middles[.text(track.id)] = texts[track.sighting].box.center
    }
    return middles
  }
}
