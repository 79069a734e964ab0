import Geometry
import Tracking

/// What an app shows of the frames: boxes smoothed, and the same until something changes.
///
/// ```swift
/// var display = FrameDisplay()
/// let changes = display.update(with: analyzed)
/// if changes.contains(.objects) { draw(display.frame.objects) }
/// if changes.contains(.message) { say(display.frame.message) }
/// ```
///
/// A part of ``frame`` stays exactly as it was last reported until it changes by more than
/// ``FrameConfiguration/redrawShift`` or ``FrameConfiguration/redrawConfidence``; so slow motion adds
/// up until it is drawn. Boxes and confidences of objects and texts are smoothed with the time
/// constant ``FrameConfiguration/smoothing``. Barcodes are not, as they have no numbers. Use the
/// analysed frame itself to measure or to cut out.
///
/// It is a value without a clock. Complexity of an update: O(*n*) for *n* findings.
public struct FrameDisplay: Sendable {
  /// What is shown; an empty frame at first.
  public private(set) var frame = AnalyzedFrame.empty(at: .zero)

  private let limits: RedrawLimits
  private var smoother: BoxSmoother

  /// Starts with the defaults.
  public init() {
    self.init(validated: FrameConfiguration())
  }

  /// Starts with a configuration; an error names a value that is out of range.
  public init(configuration: FrameConfiguration) throws(FrameConfigurationError) {
    self.init(validated: try configuration.validated())
  }

  private init(validated configuration: FrameConfiguration) {
    limits = RedrawLimits(configuration)
    smoother = BoxSmoother(configuration)
  }

  /// Takes the next analysed frame.
  ///
  /// - Returns: the parts of ``frame`` that are to be drawn again; empty if all are as they were.
  public mutating func update(with new: AnalyzedFrame) -> FrameChanges {
    show(smoother.smooth(new))
  }

  /// Shows nothing any more, for example when the session is switched off, was cleared, or is stale.
  ///
  /// The number of different objects stays.
  ///
  /// - Returns: the parts of ``frame`` that were shown until now.
  public mutating func clear() -> FrameChanges {
    smoother.clear()
    var empty = AnalyzedFrame.empty(at: frame.time)
    empty.distinctObjects = frame.distinctObjects
    return show(empty)
  }

  private mutating func show(_ new: AnalyzedFrame) -> FrameChanges {
    let changes = limits.changes(from: frame, to: new)
    let old = frame
    frame = new
    if !changes.contains(.objects) { frame.objects = old.objects }
    if !changes.contains(.texts) { frame.texts = old.texts }
    if !changes.contains(.barcodes) { frame.barcodes = old.barcodes }
    if !changes.contains(.primary) { frame.primary = old.primary }
    return changes
  }
}
