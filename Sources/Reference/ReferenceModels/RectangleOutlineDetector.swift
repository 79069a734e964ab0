import Raster
import RectangleDetection
import VisionProtocols

/// Finds rectangles as outlines for a pipeline, each with its appearance.
///
/// The appearance is that of a ``SpineOutlineDetector``: 48 values of colours along the longer
/// side. By default, at most three rectangles are found in a frame; see `RectangleConfiguration`.
public struct RectangleOutlineDetector: OutlineDetector {
  /// What finds the rectangles.
  public let detector: RectangleDetector

  /// Wraps a detector.
  public init(_ detector: RectangleDetector = RectangleDetector()) {
    self.detector = detector
  }

  /// The rectangles, those with the longest outline seen first.
  ///
  /// - Throws: `RectangleError` if a limit of the detector is out of its range.
  public func outlines(in image: Raster) async throws -> [DetectedOutline] {
    try detector.rectangles(in: image).map { rectangle in
      DetectedOutline(
        outline: rectangle.quad, confidence: Float(rectangle.confidence),
        appearance: OutlineColors.appearance(of: rectangle.quad, in: image))
    }
  }
}
