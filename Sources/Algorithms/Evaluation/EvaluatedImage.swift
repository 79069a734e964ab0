import Geometry

/// A box from a detector, with its score.
public struct ScoredBox: Hashable, Sendable, Codable {
  /// The box, in the same space as the true boxes.
  public var box: Box
  /// The detector's score, in any range; higher is more confident.
  public var score: Float

  /// Makes a scored box.
  public init(box: Box, score: Float) {
    self.box = box
    self.score = score
  }
}

/// A true object's box.
public struct TrueBox: Hashable, Sendable, Codable {
  /// The box, in the same space as the predictions.
  public var box: Box
  /// Whether it is a region with many objects that were not marked one by one.
  ///
  /// Any number of predictions may match it, and they are neither right nor wrong. Overlap with it
  /// is intersection over the *prediction's* area.
  public var isCrowd: Bool
  /// Whether finding it is neither required nor wrong; a crowd is ignored in any case.
  public var isIgnored: Bool

  /// Makes a true box.
  public init(box: Box, isCrowd: Bool = false, isIgnored: Bool = false) {
    self.box = box
    self.isCrowd = isCrowd
    self.isIgnored = isIgnored
  }

  /// Whether it is not counted as found or missed.
  var isOutOfTheCount: Bool { isCrowd || isIgnored }
}

/// A detector's predictions for one image, and the true boxes.
public struct EvaluatedImage: Hashable, Sendable, Codable {
  /// The detector's predictions, in any order.
  public var predictions: [ScoredBox]
  /// The true boxes.
  public var truths: [TrueBox]

  /// Makes an image for evaluation.
  public init(predictions: [ScoredBox], truths: [TrueBox]) {
    self.predictions = predictions
    self.truths = truths
  }

  /// Throws for boxes without an overlap and scores without an order.
  func validate() throws(EvaluationError) {
    try requireFinite(predictions.lazy.map(\.box), named: "prediction")
    try requireFinite(truths.lazy.map(\.box), named: "true box")
    if let index = predictions.firstIndex(where: { $0.score.isNaN }) {
      throw .scoreIsNotANumber(index: index)
    }
  }
}
