import ISBN
import Tracking
import VisionProtocols

/// A session and the recognizers it needs, to be shared by tasks: what an app holds for as long as
/// its camera runs.
///
/// Frames that are analysed at the same time are taken into the session as they are done; with
/// ``Swift/AsyncSequence/analyses(analyze:)`` there is only ever one.
public actor FrameScanner<Image: SizedImage> {
  private let analyzer: FrameAnalyzer<Image>
  private var session: FrameSession

  /// Makes a scanner that starts with the session as it is.
  public init(analyzer: FrameAnalyzer<Image>, session: FrameSession = FrameSession()) {
    self.analyzer = analyzer
    self.session = session
  }

  /// Looks at a frame; nil if it is not to be analysed now.
  ///
  /// - Throws: as ``FrameAnalyzer/observations(in:at:)`` does.
  public func analysis(of image: Image, at time: FrameTime) async throws -> AnalyzedFrame? {
    guard session.admit(frameAt: time) == .analyze else { return nil }
    return session.analyze(try await analyzer.observations(in: image, at: time))
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

  /// The ISBN of a photo's own result, or else the one seen before the shutter, which is forgotten
  /// then.
  public func takeISBN(merging later: ISBN13?) -> ISBN13? {
    defer { session.preScanned.clear() }
    return session.preScanned.merged(into: later)
  }
}
