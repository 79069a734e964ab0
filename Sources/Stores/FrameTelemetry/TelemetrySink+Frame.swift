import Foundation
import FrameAnalysis
import Telemetry

extension TelemetrySink {
  /// Records the objects that a frame confirmed.
  ///
  /// ```swift
  /// for await frame in analyzedFrames {
  ///   try log.record(frame)
  /// }
  /// ```
  ///
  /// An object is recorded once, however long it is in view: in the frame that has its id in
  /// `AnalyzedFrame.newlyConfirmed`. If every frame of a session is passed, there are as many events
  /// as `AnalyzedFrame.distinctObjects`. A session that is switched off confirms nothing.
  ///
  /// It never waits for the disk, as `record(_:)` of an event does not. What could not be written is
  /// in the log's `status`, and the next `flush()` or `close()` throws it.
  ///
  /// - Parameters:
  ///   - frame: an analysed frame; not that of a `FrameDisplay`, whose boxes are smoothed.
  ///   - time: the date of the frame, 1970 to 9999.
  ///   - variant: the variant of an experiment that analysed the frame; nil for none.
  /// - Throws: the first `TelemetryError` of an object without an event; see
  ///   ``Telemetry/TelemetryEvent/init(_:in:at:variant:)``. All other objects are recorded.
  /// - Complexity: O(objects).
  public func record(
    _ frame: AnalyzedFrame, at time: Date = Date(), variant: String? = nil
  ) throws(TelemetryError) {
    if frame.newlyConfirmed.isEmpty { return }
    let ids = Set(frame.newlyConfirmed)
    var failure: TelemetryError?
    for object in frame.objects where ids.contains(object.id) {
      do {
        record(try TelemetryEvent(object, in: frame, at: time, variant: variant))
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }
}
