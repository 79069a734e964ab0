import Geometry

/// A box that a detector answered, and how sure it was.
public struct ScoredBox: Hashable, Sendable, Codable {
  /// Where, in the same space as the true boxes.
  public var box: Box
  /// How sure the detector is; any range, higher is surer.
  public var score: Float

  /// Makes a scored box.
  public init(box: Box, score: Float) {
    self.box = box
    self.score = score
  }
}

/// A true object's box.
public struct TrueBox: Hashable, Sendable, Codable {
  /// Where, in the same space as the predictions.
  public var box: Box
  /// Whether it is a region with many objects that were not marked one by one.
  ///
  /// Any number of predictions may match it, and none of them is right or wrong. Overlap with it is
  /// intersection over the *prediction's* area.
  public var isCrowd: Bool
  /// Whether it is neither to be found nor wrong to find; a crowd is ignored in any case.
  public var isIgnored: Bool

  /// Makes a true box.
  public init(box: Box, isCrowd: Bool = false, isIgnored: Bool = false) {
    self.box = box
    self.isCrowd = isCrowd
    self.isIgnored = isIgnored
  }

  /// Whether it counts neither way.
  var isOutOfTheCount: Bool { isCrowd || isIgnored }
}

/// What a detector answered for one image, and what is true of it.
public struct EvaluatedImage: Hashable, Sendable, Codable {
  /// What the detector answered, in any order.
  public var predictions: [ScoredBox]
  /// The true boxes.
  public var truths: [TrueBox]

  /// Makes an image to be evaluated.
  public init(predictions: [ScoredBox], truths: [TrueBox]) {
    self.predictions = predictions
    self.truths = truths
  }

  /// Refuses what has no overlap or no order.
  func validate() throws(EvaluationError) {
    try requireFinite(predictions.lazy.map(\.box), named: "prediction")
    try requireFinite(truths.lazy.map(\.box), named: "true box")
    if let index = predictions.firstIndex(where: { $0.score.isNaN }) {
      throw .scoreIsNotANumber(index: index)
    }
  }
}
