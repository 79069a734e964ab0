import Foundation
import FrameAnalysis
import Telemetry

extension TelemetryEvent {
  /// Makes the event of an object in an analysed frame.
  ///
  /// Width and height are those of the object's box. Text or barcodes count as not seen if their
  /// recognizer failed in this frame.
  ///
  /// - Parameters:
  ///   - object: an object of the frame.
  ///   - frame: the frame, which knows its size, and which texts and barcodes it shows.
  ///   - time: the date of the frame, 1970 to 9999.
  ///   - variant: the variant of an experiment that analysed the frame; nil for none.
  /// - Throws: `TelemetryError.valueOutOfRange` for a value out of its range: for example the
  ///   confidence, if a detector's is above 1, or the aspect ratio, if the frame has no size;
  ///   `TelemetryError.invalidVariant`.
  public init(
    _ object: FrameObject, in frame: AnalyzedFrame, at time: Date, variant: String? = nil
  ) throws(TelemetryError) {
    let (width, height) = (object.box.width, object.box.height)
    try self.init(
      time: time, confidence: Double(object.confidence), width: width, height: height,
      aspectRatio: frame.size.map { width * Double($0.width) / (height * Double($0.height)) }
        ?? .nan,
      sawText: !frame.texts.isEmpty, sawBarcode: !frame.barcodes.isEmpty,
      variant: variant)
  }
}
