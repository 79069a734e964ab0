import Geometry
import NMS
import VisionProtocols

/// Keeps the best of boxes that lie largely inside each other.
///
/// Greedy, best fit first, equal fits in order. A box is dropped if its intersection with a kept
/// box is more than ``maximumOverlap`` of the smaller of the two. Unlike intersection over union,
/// this also finds a part inside a whole.
///
/// Complexity: O(n log n) for n boxes spread over the image, O(n k) at worst with k kept boxes.
package struct ContainmentStage: Hashable, Sendable {
  /// The greatest intersection over the smaller area of two boxes that both stay, 0...1; nil lets
  /// all stay.
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
