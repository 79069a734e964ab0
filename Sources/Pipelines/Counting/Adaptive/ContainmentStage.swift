import Geometry
import NMS
import VisionProtocols

/// Of boxes of which one lies largely inside another, keeps the one that fits best.
///
/// Greedy, best fit first, equal fits in order: a box goes where its intersection with one that stays
/// is more than ``maximumOverlap`` of the smaller of the two. Unlike the intersection over the union
/// that also finds a part inside a whole.
///
/// Complexity: O(n log n) for n boxes spread over the image, O(n k) at worst, k staying.
package struct ContainmentStage: Hashable, Sendable {
  /// The greatest intersection over the smaller area of two boxes that both stay, 0...1; nil lets all
  /// stay.
  package var maximumOverlap: Double?

  /// Makes the stage.
  package init(maximumOverlap: Double? = 0.45) {
    self.maximumOverlap = maximumOverlap
  }

  /// The detections that stay, best fit first.
  ///
  /// - Throws: `SuppressionError` if ``maximumOverlap`` is not in 0...1, or a fit or an edge is not
  ///   a number.
  package func kept(_ detections: [FittedDetection]) throws -> StageOutput<[FittedDetection]> {
    let kept = try nonMaximumSuppression(
      boxes: detections.map(\.detection.box), scores: detections.map { Float($0.fit) },
      iouThreshold: maximumOverlap ?? 1, measure: .intersectionOverSmaller)
    return StageOutput(kept.map { detections[$0] }, outOf: detections.count)
  }
}
