import Geometry
import _CLibrary

/// How Soft-NMS lowers the score of a box by its overlap with a better one.
public enum ScoreDecay: Hashable, Sendable, Codable {
  /// Multiplied by `1 - IoU` where IoU is greater than the threshold (0...1).
  case linear(iouThreshold: Double)
  /// Multiplied by `exp(-IoU^2 / sigma)`, sigma greater than 0 (0.5 in the paper).
  case gaussian(sigma: Double)

  /// What a score is multiplied by.
  func factor(iou: Float) -> Double {
    let iou = Double(iou)
    switch self {
    case .linear(let threshold): return iou > threshold ? 1 - iou : 1
    case .gaussian(let sigma): return exp(-iou * iou / sigma)
    }
  }
}

/// A box that Soft-NMS selected.
public struct SoftSelection: Hashable, Sendable, Codable {
  /// Which box.
  public let index: Int
  /// Its score after the decay, when it was selected.
  public let score: Float

  /// Makes a selection.
  public init(index: Int, score: Float) {
    self.index = index
    self.score = score
  }
}

/// Soft non-maximum suppression: overlapping boxes lose score instead of their place.
///
/// Again and again the box with the highest score is selected, and the scores of the others are
/// lowered by their overlap with it. Boxes whose score falls below the minimum are gone.
/// Class-agnostic.
///
/// Source: Bodla et al., "Soft-NMS: improving object detection with one line of code", 2017.
///
/// ### Edge cases
/// Equal scores: the earlier box is selected first. Boxes without area overlap nothing.
///
/// - Parameters:
///   - boxes: in any one coordinate space.
///   - scores: one per box.
///   - decay: how overlap lowers a score.
///   - minimumScore: the lowest score to select, inclusive; at least 0.
/// - Returns: the selected boxes with their lowered scores, in order of selection, which is by
///   descending score.
/// - Throws: ``SuppressionError`` if counts differ, a parameter is out of range, a coordinate is
///   NaN, or a score is negative, infinite or NaN.
/// - Complexity: O(*n* *k*), *k* being the number of boxes selected.
public func softNonMaximumSuppression(
  boxes: [Box], scores: [Float], decay: ScoreDecay, minimumScore: Float = 0.001
) throws(SuppressionError) -> [SoftSelection] {
  try requireNumbers(scores, count: boxes.count)
  try requireNumbers(boxes)
  try requireWeights(scores)
  guard minimumScore >= 0 else {
    throw .parameterOutOfRange(
      name: "the minimum score", value: Double(minimumScore), range: "at least 0")
  }
  switch decay {
  case .linear(let threshold): try requireShare(threshold, named: "the IoU threshold")
  case .gaussian(let sigma):
    guard sigma > 0 else {
      throw .parameterOutOfRange(name: "sigma", value: sigma, range: "greater than 0")
    }
  }

  // In Double: a score may be lowered hundreds of times before its turn comes.
  let lowest = Double(minimumScore)
  var rest = scores.indices.map { (index: $0, score: Double(scores[$0])) }
    .filter { $0.score >= lowest }
  var selected: [SoftSelection] = []
  while !rest.isEmpty {
    var best = 0
    for position in rest.indices where rest[position].score > rest[best].score {
      best = position
    }
    let choice = rest[best]
    selected.append(SoftSelection(index: choice.index, score: Float(choice.score)))
    // One pass removes the choice, lowers the others and closes the gaps, order kept.
    var end = 0
    for position in rest.indices where position != best {
      var other = rest[position]
      let iou = boxes[choice.index].iou(boxes[other.index])
      // The overlap of boxes whose areas overflow is not a number; their scores stay.
      if iou > 0 { other.score *= decay.factor(iou: iou) }
      if other.score >= lowest {
        rest[end] = other
        end += 1
      }
    }
    rest.removeSubrange(end...)
  }
  return selected
}

/// Refuses scores that cannot be weights.
func requireWeights(_ scores: [Float]) throws(SuppressionError) {
  for (index, score) in scores.enumerated() where !(score >= 0 && score.isFinite) {
    throw .scoreOutOfRange(index: index, score: score)
  }
}
