import Geometry

/// Assigns predictions to true boxes by COCO's rules.
///
/// Predictions are processed from the highest score to the lowest (equal scores in their order).
/// Each takes the true box with the greatest overlap, of those that reach the threshold and are not
/// taken yet; of equal overlaps the last. A true box that counts comes before an ignored one,
/// whatever the overlaps. A crowd may be taken several times.
///
/// Source: Lin et al., "Microsoft COCO: Common Objects in Context", 2014; `evaluateImg` of
/// pycocotools 2.0, which it equals for one class and all areas.
public struct BoxMatching: Hashable, Sendable {
  /// The index of each prediction's true box; nil if it has none, or was beyond the limit.
  public let truthOfPrediction: [Int?]
  /// The index of each true box's prediction; nil if it has none.
  ///
  /// For a crowd it is the last of its predictions.
  public let predictionOfTruth: [Int?]
  /// The predictions that were used, best first: all of them, unless there was a limit.
  public let order: [Int]
  /// Whether each prediction is neither right nor wrong, because its true box does not count.
  public let isIgnored: [Bool]
  /// The numbers of right, wrong and missed; ignored boxes and their matches are not included.
  public let score: DetectionScore

  /// Matches the predictions of an image to its true boxes.
  ///
  /// - Parameters:
  ///   - image: predictions and true boxes.
  ///   - minimumIoU: the least intersection over union of a match, 0...1.
  ///   - limit: the number of best predictions to use; nil for all. COCO's figures use 100.
  /// - Complexity: O(*n* *m*) for *n* predictions and *m* true boxes.
  /// - Throws: ``EvaluationError`` for a box that is not finite, a score that is NaN, a threshold
  ///   outside 0...1, or a limit below 0.
  public init(
    _ image: EvaluatedImage, minimumIoU: Double = 0.5, limit: Int? = nil
  ) throws(EvaluationError) {
    try image.validate()
    try requireShare(minimumIoU, named: "minimumIoU")
    try Self.requireLimit(limit)
    self.init(validated: image, minimumIoU: minimumIoU, limit: limit)
  }

  /// Throws for a negative number of predictions.
  static func requireLimit(_ limit: Int?) throws(EvaluationError) {
    if let limit, limit < 0 {
      throw .parameterOutOfRange(name: "limit", value: Double(limit), range: "at least 0")
    }
  }

  init(validated image: EvaluatedImage, minimumIoU: Double, limit: Int?) {
    let (predictions, truths) = (image.predictions, image.truths)
    let sorted = predictions.indices.sorted {
      predictions[$0].score != predictions[$1].score
        ? predictions[$0].score > predictions[$1].score : $0 < $1
    }
    order = Array(sorted.prefix(limit ?? sorted.count))
    // Boxes that count come first, so that an ignored one is used only if none of them fits.
    let candidates =
      truths.indices.filter { !truths[$0].isOutOfTheCount }
      + truths.indices.filter { truths[$0].isOutOfTheCount }

    var truthOf = [Int?](repeating: nil, count: predictions.count)
    var predictionOf = [Int?](repeating: nil, count: truths.count)
    var ignored = [Bool](repeating: false, count: predictions.count)
    for index in order {
      var best: Int?
      // The peer does this too, so that an overlap of exactly 1 passes a threshold of 1.
      var least = min(minimumIoU, 1 - 1e-10)
      for candidate in candidates {
        let truth = truths[candidate]
        if predictionOf[candidate] != nil, !truth.isCrowd { continue }
        if let best, !truths[best].isOutOfTheCount, truth.isOutOfTheCount { break }
        let shared = truth.overlap(with: predictions[index].box)
        // With this order, an overlap of NaN is not a match.
        guard shared >= least else { continue }
        least = shared
        best = candidate
      }
      guard let best else { continue }
      truthOf[index] = best
      predictionOf[best] = index
      ignored[index] = truths[best].isOutOfTheCount
    }
    truthOfPrediction = truthOf
    predictionOfTruth = predictionOf
    isIgnored = ignored

    let right = order.count { truthOf[$0] != nil && !ignored[$0] }
    score = DetectionScore(
      truePositives: right, falsePositives: order.count { truthOf[$0] == nil },
      falseNegatives: truths.count { !$0.isOutOfTheCount } - right)
  }
}
