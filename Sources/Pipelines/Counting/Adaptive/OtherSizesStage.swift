import Geometry
import NMS
import VisionProtocols

/// Brings back confident detections of other sizes that do not overlap kept ones.
///
/// A photo may show objects of several sizes, and only one size is usual. A detection of another
/// size is an object too if its score is as high as usual and it is not a part of a kept object.
///
/// Complexity: O(n k) for n detections and k kept ones.
package struct OtherSizesStage: Hashable, Sendable {
  /// The least score as a share of the kept ones' score-weighted median; nil brings nothing back.
  package var scoreShare: Double?

  /// Makes the stage.
  package init(scoreShare: Double? = 0.8) {
    self.scoreShare = scoreShare
  }

  /// The detections to bring back, best first.
  ///
  /// - Parameters:
  ///   - detected: all detections of the tiling.
  ///   - kept: the detections that are kept already.
  ///   - median: the score-weighted median that the kept ones had before the score cut.
  ///   - side: the usual side in pixels.
  /// - Throws: `SuppressionError` if an edge is not a number.
  package func others(
    among detected: [Detection], than kept: [Detection], median: Double, side: Double
  ) throws -> [Detection] {
    guard let scoreShare else { return [] }
    let least = max(scoreShare * median, 0.6)
    let apart = detected.filter { detection in
      let factor = detection.box.exactArea.squareRoot() / side
      return Double(detection.score) >= least && factor >= 0.5 && factor <= 2.5
        && kept.allSatisfy { $0.box.intersectionOverSmaller(detection.box) <= 0.2 }
    }
    let left = try nonMaximumSuppression(
      boxes: apart.map(\.box), scores: apart.map(\.score), iouThreshold: 0.3,
      measure: .intersectionOverSmaller)
    return left.map { apart[$0] }
  }
}
