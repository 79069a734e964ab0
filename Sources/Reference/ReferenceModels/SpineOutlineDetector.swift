import Geometry
import Raster
import SpineDetection
import VisionProtocols

/// Finds the spines of books as outlines for a pipeline, each with its appearance.
///
/// It uses `SpineDetector`, with a network or by edges alone. The appearance is the spine's colours
/// at 16 places along it, each the mean over nine points across, minus middle grey: 48 values, from
/// the upper or left end on. It distinguishes neighbours, and recognizes a book after the camera
/// has moved. It is not an embedding for search.
public struct SpineOutlineDetector: OutlineDetector {
  /// What finds the spines.
  public let detector: SpineDetector
  /// The network for the detector; nil for edges alone.
  public let model: SpineSegmentationModel?

  private static let places = 16
  private static let points = 3

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
    return try detector.spines(in: try await model.maps(of: image))
  }

  /// The spines in reading order.
  ///
  /// - Throws: `SpineDetectionError` if a threshold of the detector is out of its range.
  public func outlines(in image: Raster) async throws -> [DetectedOutline] {
    try await spines(in: image).map { spine in
      DetectedOutline(
        outline: spine.quad, confidence: Float(spine.confidence),
        appearance: Self.appearance(of: spine.quad, in: image))
    }
  }

  /// Nil if all is middle grey, because then there is no direction to compare.
  private static func appearance(of quad: Quadrilateral, in image: Raster) -> [Float]? {
    var values = [Float](repeating: 0, count: 3 * places)
    let isUpright = quad.meanHeight >= quad.meanWidth
    for place in 0..<places {
      for along in 0..<points {
        let share = (Double(place) + (Double(along) + 0.5) / Double(points)) / Double(places)
        for across in 0..<points {
          // Not at the sides, which show parts of the neighbours.
          let side = 0.25 + 0.25 * Double(across)
          let (u, v) = isUpright ? (side, share) : (share, side)
          let color = Self.color(at: quad.point(u: u, v: v), in: image)
          for channel in 0..<3 { values[3 * place + channel] += color[channel] - 127.5 }
        }
      }
    }
    return values.contains { $0 != 0 } ? values : nil
  }

  /// Red, green and blue of the nearest pixel inside.
  private static func color(at point: Point, in image: Raster) -> [Float] {
    let x = Int(min(max(point.x, 0), Double(image.width - 1)))
    let y = Int(min(max(point.y, 0), Double(image.height - 1)))
    return (0..<3).map { Float(image[x: x, y: y, channel: image.channels >= 3 ? $0 : 0]) }
  }
}
