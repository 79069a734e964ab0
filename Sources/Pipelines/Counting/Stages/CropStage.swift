import Geometry
import VisionProtocols

/// A detection and the whole pixels it covers.
public struct Crop: Hashable, Sendable, Codable {
  /// The detection.
  public let detection: Detection
  /// Its box, corners truncated to whole pixels and clamped to the image.
  public let rect: PixelRect

  /// Makes a crop.
  public init(detection: Detection, rect: PixelRect) {
    self.detection = detection
    self.rect = rect
  }
}

/// Computes the pixels of each detection, and drops detections of unusual area.
///
/// A box that covers no whole pixel of the image is dropped. If three or more are left, boxes whose
/// area is not in `median +- sigma * population deviation` (bounds included) are dropped too. The
/// area is the box's own, not that of the clamped pixels, so that an object half outside the frame
/// has its full size.
///
/// No pixels are read here; ``EmbeddingStage`` crops them batch by batch.
///
/// Complexity: O(n) on average.
public struct CropStage: Hashable, Sendable {
  /// How many deviations an area may lie from the median; nil lets every box pass.
  public var areaSigma: Double?

  /// Makes the stage.
  public init(areaSigma: Double? = 1) {
    self.areaSigma = areaSigma
  }

  /// The crops of detections in an image of the given size, in order.
  ///
  /// - Parameters:
  ///   - detections: boxes in pixels of the image.
  ///   - width: the image's width in pixels.
  ///   - height: the image's height in pixels.
  public func crops(
    of detections: [Detection], width: Int, height: Int
  ) -> StageOutput<[Crop]> {
    let filled = detections.compactMap { detection in
      Self.rect(of: detection.box, width: width, height: height)
        .map { Crop(detection: detection, rect: $0) }
    }
    let kept = SizeFilter(sigma: areaSigma).indices(ofAreas: filled.map(\.detection.box.exactArea))
    return StageOutput(kept.map { filled[$0] }, outOf: detections.count)
  }

  /// The whole pixels of `box` inside an image: corners truncated toward zero, then clamped.
  ///
  /// - Returns: nil if there is none, or an edge is not a number.
  public static func rect(of box: Box, width: Int, height: Int) -> PixelRect? {
    guard width > 0, height > 0, let left = truncated(box.minX, to: width),
      let top = truncated(box.minY, to: height), let right = truncated(box.maxX, to: width),
      let bottom = truncated(box.maxY, to: height), left < right, top < bottom
    else { return nil }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The value without its fraction, clamped to `0...limit` before it becomes an integer.
  private static func truncated(_ value: Float, to limit: Int) -> Int? {
    guard !value.isNaN else { return nil }
    if value <= 0 { return 0 }
    return Double(value) >= Double(limit) ? limit : Int(value)
  }
}
