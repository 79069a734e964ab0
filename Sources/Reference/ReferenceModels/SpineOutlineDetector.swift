import Raster
import SpineDetection
import VisionProtocols

/// Finds the spines of books as outlines for a pipeline, each with its appearance.
///
/// It uses `SpineDetector`, with a network or by edges alone. The appearance is the spine's colours
/// at 16 places along it, each the mean of nine points, minus middle grey: 48 values, from the upper
/// or left end on. It distinguishes neighbours, and recognizes a book after the camera has moved. It
/// is not an embedding for search.
public struct SpineOutlineDetector: OutlineDetector {
  /// What finds the spines.
  public let detector: SpineDetector
  /// The network for the detector; nil for edges alone.
  public let model: SpineSegmentationModel?

  /// Wraps a detector.
  ///
  /// - Parameters:
  ///   - detector: the detector of spines.
  ///   - model: a network that segments spines, such as `BundledModels.spineSegmenter()`. Without
  ///     one they are found by their edges: in a quarter of the time, with more errors
  ///     (`Docs/Spines.md`).
  public init(_ detector: SpineDetector = SpineDetector(), model: SpineSegmentationModel? = nil) {
    self.detector = detector
    self.model = model
  }

  /// The spines of books, in reading order.
  ///
  /// - Throws: `SpineDetectionError` if a threshold of the detector is out of its range; what the
  ///   network throws.
  public func spines(in image: Raster) async throws -> [DetectedSpine] {
    guard let model else { return try detector.spines(in: image) }
    return try detector.spines(of: try await model.spines(in: image))
  }

  /// The spines in reading order.
  ///
  /// - Throws: `SpineDetectionError` if a threshold of the detector is out of its range.
  public func outlines(in image: Raster) async throws -> [DetectedOutline] {
    try await spines(in: image).map { spine in
      DetectedOutline(
        outline: spine.quad, confidence: Float(spine.confidence),
        appearance: OutlineColors.appearance(of: spine.quad, in: image))
    }
  }
}
