import Geometry
import ISBN
import Tracking

/// Processes a camera's frames: decides which to analyse, and turns observations into results.
///
/// ```swift
/// var session = FrameSession()
/// for frame in frames where session.admit(frameAt: frame.time) == .analyze {
///   let observations = try await analyzer.observations(in: frame.image, at: frame.time)
///   let analyzed = session.analyze(observations)
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
  /// Whether frames are analysed; true at first.
  ///
  /// Switching off clears as ``clear()`` does: no frame is admitted, and an analysis that ends later
  /// shows nothing and changes nothing. Switching on resumes as ``resume()`` does.
  public var isEnabled = true {
    didSet {
      if isEnabled == oldValue { return }
      if isEnabled { resume() } else { clear() }
    }
  }

  private let emptyTracker: ObjectTracker
  private var throttle: FrameThrottle
  private var clock = SessionClock()
  private var objectTracker: SessionTracker
  private var textTracker: SessionTracker
  private var objectTexts: ObjectTexts
  private var lastBarcodes = LastBarcodes()
  /// The objects of the last analysed frame.
  private var lastObjects: [FrameObject] = []
  /// Readings that failed since the last analysed frame.
  private var failedReadings: [RecognizerFailure] = []
  private var motion: BoxMotion
  private var display: GuidanceDisplay
  private var feedback: FeedbackGate
  private var counts = FrameStatistics()
  private var durations = RecentDurations()
  /// When a frame was last analysed that says something; nil if none was since all was cleared.
  private var lastResult: FrameTime?

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
    emptyTracker = tracker
    throttle = FrameThrottle(validated: configuration)
    objectTracker = SessionTracker(tracker)
    textTracker = SessionTracker(tracker)
    objectTexts = ObjectTexts(configuration)
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

  /// How many frames came, what became of them, and what their analyses cost.
  public var statistics: FrameStatistics {
    var result = counts
    result.meanAnalysis = durations.mean
    result.p95Analysis = durations.quantile(percent: 95)
    return result
  }
}

extension FrameSession {
  /// Whether the frame taken at `time` is to be analysed.
  public mutating func admit(frameAt time: FrameTime) -> FrameAdmission {
    counts.seen += 1
    let now = clock.time(of: time)
    let admission = isEnabled ? throttle.admit(frameAt: now) : .switchedOff
    if admission != .analyze { counts.skipped += 1 }
    guard case .wait(let until) = admission else { return admission }
    return .wait(until: clock.raw(of: until))
  }

  /// Takes note of a frame that was dropped before it was offered; see ``FrameStatistics/dropped``.
  public mutating func dropFrame() {
    counts.seen += 1
    counts.dropped += 1
  }

  /// Takes note that frames come again after a pause: the next one is analysed at once, and it is
  /// compared with none from before the pause.
  ///
  /// Ids and guidance stay, unless the pause was so long that they are stale. The pre-scanned ISBN
  /// stays.
  public mutating func resume() {
    throttle.resume()
    motion.reset()
    display.interrupt()
  }

  /// Forgets what was seen, as if the camera now looked elsewhere: tracks, guidance, message, and
  /// which feedback was given.
  ///
  /// What is seen next is new: its ids are higher than all before, and an object that was seen
  /// before counts once more in ``AnalyzedFrame/distinctObjects``. The pre-scanned ISBN, the time
  /// of the last feedback, the throttle and the statistics stay.
  public mutating func clear() {
    objectTracker.clear()
    textTracker.clear()
    objectTexts.clear()
    lastBarcodes.clear()
    lastObjects = []
    failedReadings = []
    motion.reset()
    display = GuidanceDisplay(configuration)
    feedback.clear()
    lastResult = nil
  }

  /// Starts again with the same configuration: ids and all counts from the beginning, and no ISBN.
  ///
  /// How hot the device is and whether the session is switched on stay.
  public mutating func reset() {
    var new = FrameSession(validated: configuration, tracker: emptyTracker)
    new.thermalState = thermalState
    new.isEnabled = isEnabled
    self = new
  }

  /// Whether nothing of the last analysed frame is to be shown any more, as it is too old.
  ///
  /// It is after ``FrameConfiguration/staleAfter``; then ``message(at:)`` is nil, and the next
  /// analysis begins as after ``clear()``. A frame in which a recognizer failed and the others saw
  /// nothing does not count as analysed. False if there is nothing to show in any case.
  public func isStale(at time: FrameTime) -> Bool {
    isStale(atSessionTime: clock.peek(at: time))
  }

  private func isStale(atSessionTime time: FrameTime) -> Bool {
    guard let lastResult else { return false }
    return time - lastResult >= configuration.staleAfter
  }

  /// What to show at a time between frames: the guidance, until it was shown long enough.
  public func message(at time: FrameTime) -> Guidance? {
    let time = clock.peek(at: time)
    return isStale(atSessionTime: time) ? nil : display.message(at: time)
  }
}

extension FrameSession {
  /// The object of the last analysed frame whose text is to be read next; nil if all confirmed ones
  /// were read surely, or as often as ``FrameConfiguration/maximumReadings`` says.
  ///
  /// Text on objects need not be read in every frame. Read this object in the frame it was seen in,
  /// for as long as that takes, and pass what it says to ``add(_:)-(ObjectReading)``. Meanwhile frames go on.
  /// ``FrameScanner`` does this by itself.
  public var objectToRead: FrameObject? { objectTexts.next(of: lastObjects) }

  /// Takes in what was read on an object.
  ///
  /// From the next frame on, its lines are among ``AnalyzedFrame/texts`` in each frame that shows the
  /// object, and move with it. If an earlier reading of the object says more, that one stays. A
  /// failure is among those of the next frame. Nothing is taken in while the session is off.
  public mutating func add(_ reading: ObjectReading) {
    guard isEnabled else { return }
    note(reading.failure)
    objectTexts.add(reading)
  }

  /// Takes in the barcodes of an earlier frame.
  ///
  /// They are among ``AnalyzedFrame/barcodes`` of all further frames until the next reading, moved by
  /// as much as the objects show that the camera moved. A failure is among those of the next frame.
  /// Nothing is taken in while the session is off.
  public mutating func add(_ reading: BarcodeReading) {
    guard isEnabled else { return }
    note(reading.failure)
    var reading = reading
    reading.barcodes.removeAll { !$0.isUsable }
    lastBarcodes.add(reading)
  }

  /// Keeps a failure for the next frame.
  private mutating func note(_ failure: RecognizerFailure?) {
    guard let failure else { return }
    counts.failures += 1
    failedReadings.append(failure)
  }
}

extension FrameSession {
  /// Turns what was observed in a frame into what to show.
  ///
  /// Observations whose box is empty or not finite, or whose confidence is not a number, are
  /// skipped. A session that is switched off answers an empty frame.
  ///
  /// If a recognizer failed, the findings are those of the others. Tracks of its kind are not
  /// counted as missed. If the others saw nothing, this says nothing about a book, and the guidance
  /// stays.
  ///
  /// - Parameters:
  ///   - observations: what the recognizers saw.
  ///   - duration: how long they took, for the statistics; nil if it was not measured.
  public mutating func analyze(
    _ observations: FrameObservations, took duration: FrameDuration? = nil
  ) -> AnalyzedFrame {
    guard isEnabled else {
      var empty = AnalyzedFrame.empty(at: observations.time)
      empty.distinctObjects = objectTracker.distinctCount
      return empty
    }
    counts.analyzed += 1
    counts.failures += observations.failures.count
    if let duration { durations.add(max(duration, .zero)) }

    let time = clock.time(of: observations.time)
    if isStale(atSessionTime: time) { clear() }
    var usable = observations.usable(surerThan: configuration.minimumTextConfidence)
    var (objects, newlyConfirmed) = track(usable, at: time)
    usable.barcodes += lastBarcodes.barcodes(
      at: observations.time, origin: objectTracker.panoramaOrigin)
    if !usable.isEmpty { throttle.sawSomething(at: time) }
    for (index, lines) in objectTexts.lines(on: objects).enumerated() {
      let lines = lines.filter { Double($0.confidence) > configuration.minimumTextConfidence }
      objects[index].lines = lines.map(\.text)
      usable.texts += lines
    }
    lastObjects = objects
    let failures = observations.failures + failedReadings
    failedReadings = []
    let textIDs = trackTexts(of: usable, at: time)
    motion.add(middles(of: objects, usable.texts, textIDs))
    let isbn = best(usable.barcodes.filter { $0.isbn != nil })?.isbn
    preScanned.see(isbn)

    let shift = motion.shift
    let rules = GuidanceRules(configuration: configuration, frame: observations.frame)
    let reading = rules.reading(
      texts: usable.texts, barcodes: usable.barcodes, objects: objects, shift: shift)
    if reading != .noBook || observations.failures.isEmpty { display.add(reading, at: time) }
    if !usable.isEmpty || observations.failures.isEmpty {
      lastResult = max(time, lastResult ?? time)
    }
    let event = feedback.event(hasISBN: isbn != nil, guidance: display.guidance, at: time)
    return AnalyzedFrame(
      time: observations.time, size: observations.frame, texts: usable.texts, textIDs: textIDs,
      barcodes: usable.barcodes, objects: objects, newlyConfirmed: newlyConfirmed,
      primary: configuration.priority.primary(
        texts: usable.texts, barcodes: usable.barcodes, objects: objects),
      isbn: isbn, shift: shift, reading: reading, guidance: display.guidance,
      message: display.message(at: time), events: event.map { [$0] } ?? [],
      distinctObjects: objectTracker.distinctCount, failures: failures)
  }

  /// The objects with their ids, each object once, and the ids of those that are confirmed now.
  private mutating func track(
    _ observations: FrameObservations, at time: FrameTime
  ) -> (objects: [FrameObject], newlyConfirmed: [Int]) {
    let regions = observations.objects
    if regions.isEmpty, observations.failed(.objects) { return ([], []) }
    let sightings = regions.map {
      Sighting(
        box: $0.box.unitBox, outline: $0.outline, confidence: $0.confidence,
        appearance: $0.appearance)
    }
    let tracks = objectTracker.update(with: sightings, at: time)
    let objects = tracks.map { id, track in
      let region = regions[track.sighting]
      return FrameObject(
        id: id, box: region.box, outline: region.outline, confidence: region.confidence,
        isConfirmed: track.isConfirmed)
    }
    // A track's sightings are counted one by one, so it has this many in one frame only.
    let confirming = configuration.tracking.confirmingHits
    return (objects, tracks.filter { $0.track.hits == confirming }.map(\.id))
  }

  /// The numbers of the lines of text; nil for those without a track.
  private mutating func trackTexts(
    of observations: FrameObservations, at time: FrameTime
  ) -> [Int?] {
    let texts = observations.texts
    if texts.isEmpty, observations.failed(.text) { return [] }
    var ids = [Int?](repeating: nil, count: texts.count)
    let sightings = texts.map { Sighting(box: $0.box.unitBox, confidence: $0.confidence) }
    for (id, track) in textTracker.update(with: sightings, at: time) { ids[track.sighting] = id }
    return ids
  }

  /// The middles of all boxes that can be known again.
  private func middles(
    of objects: [FrameObject], _ texts: [TextLineRegion], _ textIDs: [Int?]
  ) -> [BoxMotion.Key: Point] {
    var middles: [BoxMotion.Key: Point] = [:]
    for object in objects { middles[.object(object.id)] = object.box.center }
    for (text, id) in zip(texts, textIDs) {
      if let id { middles[.text(id)] = text.box.center }
    }
    return middles
  }
}
