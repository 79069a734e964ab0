import Dispatch
import Geometry
import ISBN
import Tracking
import VisionProtocols

/// A session and the recognizers it needs, to be shared by tasks: what an app holds for as long as
/// its camera runs.
///
/// Text on objects is read beside the frames, one object at a time, if the analyzer is made so; see
/// ``FrameAnalyzer/recognizingTextOnObjects(with:)``.
///
/// Frames that are analysed at the same time are taken into the session as they are done; with
/// ``_Concurrency/AsyncSequence/analyses(onDrop:analyze:)`` there is only ever one.
public actor FrameScanner<Image: SizedImage> {
  private let analyzer: FrameAnalyzer<Image>
  private let clock: @Sendable () -> FrameTime
  private var session: FrameSession
  /// How often all was forgotten.
  private var generation = 0
  /// Reads an object of an earlier frame.
  private var reading: Task<Void, Never>?

  /// Makes a scanner that starts with the session as it is.
  ///
  /// - Parameters:
  ///   - analyzer: the recognizers.
  ///   - session: the session.
  ///   - clock: the time now, counted from any start that stays the same; it measures how long
  ///     analyses take. Nil is the time since the machine was started.
  public init(
    analyzer: FrameAnalyzer<Image>, session: FrameSession = FrameSession(),
    clock: (@Sendable () -> FrameTime)? = nil
  ) {
    self.analyzer = analyzer
    self.session = session
    self.clock =
      clock ?? { FrameTime(nanoseconds: Int64(clamping: DispatchTime.now().uptimeNanoseconds)) }
  }

  /// Looks at a frame; nil if it is not to be analysed now, or if the session was cleared, reset or
  /// switched off before the analysis ended.
  ///
  /// - Throws: as ``FrameAnalyzer/observations(in:at:orientation:)`` does, which says what the
  ///   orientation means.
  public func analysis(
    of image: Image, at time: FrameTime, orientation: Orientation = .upright
  ) async throws -> AnalyzedFrame? {
    guard session.admit(frameAt: time) == .analyze else { return nil }
    let (start, generation) = (clock(), generation)
    let observations = try await analyzer.observations(
      in: image, at: time, orientation: orientation)
    // What was in work when all was forgotten must not come back.
    guard generation == self.generation else { return nil }
    let frame = session.analyze(observations, took: clock() - start)
    readNextObject(of: image, orientation)
    return frame
  }

  /// Starts to read an object of the frame just analysed, unless one is still being read.
  private func readNextObject(of image: Image, _ orientation: Orientation) {
    guard reading == nil, analyzer.readsObjects, let object = session.objectToRead else { return }
    let generation = generation
    reading = Task { [analyzer] in
      finish(await analyzer.reading(of: object, in: image, orientation: orientation), generation)
    }
  }

  /// Takes in what was read, unless all was forgotten meanwhile.
  private func finish(_ result: ObjectReading?, _ generation: Int) {
    reading = nil
    if let result, generation == self.generation { session.add(result) }
  }

  /// Waits until the object that is being read has been read.
  ///
  /// A program that analyses stored frames, and not those of a camera, calls this after each frame:
  /// one object is then read in each, and every run gives the same results.
  public func waitForReading() async {
    await reading?.value
  }

  /// Makes sure that nothing of the past comes back.
  private func forget() {
    generation += 1
    reading?.cancel()
  }

  /// Whether frames are analysed.
  public var isEnabled: Bool { session.isEnabled }

  /// Switches analysis on or off; see ``FrameSession/isEnabled``.
  ///
  /// The app draws nothing more of the last frame when it switches off.
  public func setEnabled(_ isEnabled: Bool) {
    if isEnabled != session.isEnabled { forget() }
    session.isEnabled = isEnabled
  }

  /// See ``FrameSession/clear()``.
  public func clear() {
    forget()
    session.clear()
  }

  /// See ``FrameSession/reset()``.
  public func reset() {
    forget()
    session.reset()
  }

  /// See ``FrameSession/isStale(at:)``.
  public func isStale(at time: FrameTime) -> Bool {
    session.isStale(at: time)
  }

  /// See ``FrameSession/dropFrame()``.
  public func dropFrame() {
    session.dropFrame()
  }

  /// How many frames came, what became of them, and what the process costs now.
  public var statistics: FrameStatistics {
    var result = session.statistics
    result.residentMemory = ProcessMemory.resident
    return result
  }

  /// Whether frames are off until the device has cooled down.
  public var isOffBecauseOfHeat: Bool { session.thermalState == .critical }

  /// Says how hot the device is.
  public func setThermalState(_ state: ThermalState) {
    session.thermalState = state
  }

  /// See ``FrameSession/resume()``.
  public func resume() {
    session.resume()
  }

  /// See ``FrameSession/message(at:)``.
  public func message(at time: FrameTime) -> Guidance? {
    session.message(at: time)
  }

  /// The ISBN seen before the shutter; ``takeISBN(merging:)`` uses it up.
  public var preScanned: PreScannedISBN { session.preScanned }

  /// The ISBN of a photo's own result, or else the one seen before the shutter, which is forgotten
  /// then.
  public func takeISBN(merging later: ISBN13?) -> ISBN13? {
    defer { session.preScanned.clear() }
    return session.preScanned.merged(into: later)
  }
}
