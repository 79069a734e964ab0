import Geometry
import NMS
import VisionProtocols

/// Runs a detector, and keeps the best of each group of overlapping candidates.
///
/// Candidates whose box or score is not finite, and those below the least score, are dropped before
/// the suppression. A network can overflow in single cells and be right in all others; the numbers
/// of items in and out show what was dropped. Suppression is greedy and class-agnostic, by score,
/// equal scores in the detector's order. A candidate is dropped if its intersection over union with
/// a better one is greater than ``maximumIoU``. If all candidates have rotated boxes, the overlap
/// of these is used.
///
/// Complexity: O(n log n) for n boxes spread over the image, O(n k) at worst with k kept boxes.
public struct DetectionStage: Hashable, Sendable {
  /// The lowest score of a detection.
  public var minimumConfidence: Float
  /// The greatest intersection over union of two detections that both stay.
  public var maximumIoU: Double

  /// Makes the stage.
  public init(minimumConfidence: Float = 0.001, maximumIoU: Double = 0.65) {
    self.minimumConfidence = minimumConfidence
    self.maximumIoU = maximumIoU
  }

  /// What `detector` finds in `image`, best first.
  ///
  /// - Throws: what the detector throws; `SuppressionError` if ``maximumIoU`` is not in 0...1.
  public func detections<Detector: ObjectDetector>(
    in image: Detector.Image, with detector: Detector
  ) async throws -> StageOutput<[Detection]> {
    try suppressed(
      await detector.detections(in: image, minimumConfidence: minimumConfidence))
  }

  /// The candidates that are kept, best first.
  ///
  /// - Throws: `SuppressionError` if ``maximumIoU`` is not in 0...1.
  public func suppressed(_ candidates: [Detection]) throws -> StageOutput<[Detection]> {
    let usable = candidates.filter {
      $0.box.isFinite && $0.score.isFinite && $0.score >= minimumConfidence
    }
    let kept: [Int]
    if let quads = Self.rotatedBoxes(of: usable) {
      kept = try nonMaximumSuppression(
        quadrilaterals: quads, scores: usable.map(\.score), iouThreshold: maximumIoU)
    } else {
      kept = try nonMaximumSuppression(
        boxes: usable.map(\.box), scores: usable.map(\.score), iouThreshold: maximumIoU)
    }
    return StageOutput(kept.map { usable[$0] }, outOf: candidates.count)
  }

  /// The rotated boxes of detections that all have one.
  private static func rotatedBoxes(of detections: [Detection]) -> [Quadrilateral]? {
    guard case .rotatedBox? = detections.first?.outline else { return nil }
    let quads = detections.compactMap { detection -> Quadrilateral? in
      guard case .rotatedBox(let quad)? = detection.outline, quad.isFinite else { return nil }
      return quad
    }
    return quads.count == detections.count ? quads : nil
  }
}

extension Box {
  /// Width times height in double precision, in which no product of finite sides overflows.
  package var exactArea: Double { Double(width) * Double(height) }
}
