import Geometry
import NMS
import VisionProtocols

/// Which of two overlapping boxes stays.
public enum MergePriority: String, Hashable, Sendable, Codable, CaseIterable {
  /// The one with the higher score.
  case score
  /// The one of the main cluster; among the others the earlier.
  case main
}

/// A detection and the cluster it belongs to.
public struct ClusteredDetection: Hashable, Sendable, Codable {
  /// The detection.
  public var detection: Detection
  /// The label of its cluster.
  public var cluster: Int

  /// Makes a clustered detection.
  public init(detection: Detection, cluster: Int) {
    self.detection = detection
    self.cluster = cluster
  }
}

/// Merges overlapping boxes of all clusters: the first by priority is kept.
///
/// Greedy: a box is dropped if its intersection over union with a kept box is greater than
/// ``maximumIoU``. With priority by score, equal scores keep their order. With the main cluster
/// first, its members come in their order, then all others in theirs.
///
/// Complexity: O(n log n) for n boxes spread over the image, O(n k) at worst with k kept boxes.
public struct MergeStage: Hashable, Sendable {
  /// The greatest intersection over union of two boxes that both stay.
  public var maximumIoU: Double
  /// Which of two overlapping boxes stays.
  public var priority: MergePriority

  /// Makes the stage.
  public init(maximumIoU: Double = 0.5, priority: MergePriority = .score) {
    self.maximumIoU = maximumIoU
    self.priority = priority
  }

  /// The kept detections, in order of priority.
  ///
  /// - Parameters:
  ///   - detections: the detections to merge.
  ///   - main: the label of the main cluster; not used if the priority is the score.
  /// - Throws: `SuppressionError` if ``maximumIoU`` is not in 0...1, or a score or an edge is not
  ///   a number.
  public func merged(
    _ detections: [ClusteredDetection], main: Int?
  ) throws -> StageOutput<[ClusteredDetection]> {
    let boxes = detections.map(\.detection.box)
    let kept: [Int]
    switch priority {
    case .score:
      kept = try mergeOverlaps(
        boxes: boxes, scores: detections.map(\.detection.score), iouThreshold: maximumIoU)
    case .main:
      let order =
        detections.indices.filter { detections[$0].cluster == main }
        + detections.indices.filter { detections[$0].cluster != main }
      kept = try mergeOverlaps(boxes: boxes, order: order, iouThreshold: maximumIoU)
    }
    return StageOutput(kept.map { detections[$0] }, outOf: detections.count)
  }
}
