import Dispatch
import Geometry
import ISBN
import Tracking
import VisionProtocols

/// A session and the recognizers it needs, to be shared by tasks: what an app holds for as long as
/// its camera runs.
///
/// Text on objects, and barcodes if the analyzer is made so, are read beside the frames, one thing at
/// a time; see ``FrameAnalyzer/recognizingTextOnObjects(with:)`` and
/// ``FrameAnalyzer/readingBarcodesBesideFrames(with:)``.
///
/// Frames that are analysed at the same time are taken into the session as they are done; with
/// ``_Concurrency/AsyncSequence/analyses(onDrop:analyze:)`` there is only ever one.
public actor FrameScanner<Image: SizedImage> {
  private let analyzer: FrameAnalyzer<Image>
  private let clock: @Sendable () -> FrameTime
  private var session: FrameSession
  /// How often all was forgotten.
  private var generation = 0
  /// Reads an object, or barcodes, of an earlier frame.
  private var reading: Task<Void, Never>?
  /// Whether barcodes were read last, and not an object.
  private var didReadBarcodes = false

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
    readBeside(image, at: time, orientation)
    return frame
  }

  /// Starts to read an object or the barcodes of the frame just analysed, in turns, unless something
  /// is still being read.
  private func readBeside(_ image: Image, at time: FrameTime, _ orientation: Orientation) {
    guard reading == nil else { return }
    let object = analyzer.readsObjects ? session.objectToRead : nil
    if analyzer.readsBarcodesBeside, object == nil || !didReadBarcodes {
      didReadBarcodes = true
      read(
        { await $0.barcodeReading(in: image, at: time, orientation: orientation) },
        { $0.add($1) })
    } else if let object {
      didReadBarcodes = false
      read(
        { await $0.reading(of: object, in: image, orientation: orientation) },
        { $0.add($1) })
    }
  }

  /// Reads beside the frames, and passes the result to the session, unless all was forgotten
  /// meanwhile.
  private func read<Reading: Sendable>(
    _ work: @escaping @Sendable (FrameAnalyzer<Image>) async -> Reading?,
    _ add: @escaping @Sendable (inout FrameSession, Reading) -> Void
  ) {
    let generation = generation
    reading = Task { [analyzer] in
      let result = await work(analyzer)
      reading = nil
      if let result, generation == self.generation { add(&session, result) }
    }
  }

  /// Waits until what is being read beside the frames has been read.
  ///
  /// A program that analyses stored frames, and not those of a camera, calls this after each frame:
  /// one object, or all barcodes, are then read in each, and every run gives the same results.
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
