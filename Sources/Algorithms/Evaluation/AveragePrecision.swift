import Geometry
import Stats

/// Average precision of a detector over a set of images, by COCO's rules.
///
/// The predictions of all images are sorted together by score, and matched image by image
/// (``BoxMatching``). Precision is then a function of recall. It is made non-increasing from the
/// right, and averaged over the 101 recalls 0, 0.01 ... 1.
///
/// Source: `COCOeval.accumulate` of pycocotools 2.0; the values are equal for one class and all
/// areas.
public struct AveragePrecision: Hashable, Sendable, Codable {
  /// The overlap thresholds, ascending.
  public let thresholds: [Double]
  /// The average precision at each threshold, 0...1.
  public let values: [Double]

  /// Average precision at an overlap threshold of 0.5: "AP50".
  public var at50: Double { values.first ?? 0 }
  /// Average precision at an overlap threshold of 0.75: "AP75".
  public var at75: Double { values.count > 5 ? values[5] : 0 }
  /// The mean over all thresholds: COCO's "AP".
  public var mean: Double { Stats.mean(of: values) ?? 0 }

  /// The thresholds of COCO's figures, as NumPy's `linspace(0.5, 0.95, 10)` rounds them.
  public static let cocoThresholds: [Double] = {
    let step = (0.95 - 0.5) / 9
    let below: [Double] = (0..<9).map { 0.5 + Double($0) * step }
    return below + [0.95]
  }()

  /// Computes the average precision over `images` at COCO's ten thresholds.
  ///
  /// - Parameters:
  ///   - images: predictions and true boxes.
  ///   - limit: the number of an image's best predictions to use; nil for all. COCO's figures use
  ///     100, which is too few if an image may contain more objects.
  /// - Returns: nil if no true box counts, so that there is nothing to find.
  /// - Complexity: O(*n* *m*) per image, and O(*N* log *N*) for *N* predictions in all.
  /// - Throws: ``EvaluationError`` as ``BoxMatching`` does.
  public init?(of images: [EvaluatedImage], limit: Int? = nil) throws(EvaluationError) {
    var values: [Double] = []
    for threshold in Self.cocoThresholds {
      guard
        let curve = try PrecisionRecallCurve(of: images, minimumIoU: threshold, limit: limit)
      else { return nil }
      values.append(curve.averagePrecision)
    }
    thresholds = Self.cocoThresholds
    self.values = values
  }
}

/// Precision and recall of the predictions down to every score.
public struct PrecisionRecallCurve: Hashable, Sendable, Codable {
  /// A point of the curve.
  public struct Point: Hashable, Sendable, Codable {
    /// The score of the last prediction included.
    public let score: Float
    /// The share of true objects found so far, 0...1.
    public let recall: Double
    /// The share of the predictions so far that are right, 0...1.
    public let precision: Double
  }

  /// One point for each prediction that counts, from the highest score to the lowest.
  public let points: [Point]

  /// Makes the curve of a set of images.
  ///
  /// - Parameters:
  ///   - images: predictions and true boxes.
  ///   - minimumIoU: the least intersection over union of a match, 0...1.
  ///   - limit: the number of an image's best predictions to use; nil for all.
  /// - Returns: nil if no true box counts.
  /// - Throws: ``EvaluationError`` as ``BoxMatching`` does.
  public init?(
    of images: [EvaluatedImage], minimumIoU: Double = 0.5, limit: Int? = nil
  ) throws(EvaluationError) {
    var outcomes: [(score: Float, isRight: Bool)] = []
    var present = 0
    for image in images {
      let matching = try BoxMatching(image, minimumIoU: minimumIoU, limit: limit)
      present += image.truths.count { !$0.isOutOfTheCount }
      for index in matching.order where !matching.isIgnored[index] {
        outcomes.append((image.predictions[index].score, matching.truthOfPrediction[index] != nil))
      }
    }
    guard present > 0 else { return nil }
    // Equal scores are in the order of images and predictions, as in the peer's stable sort.
    let order = outcomes.indices.sorted {
      outcomes[$0].score != outcomes[$1].score
        ? outcomes[$0].score > outcomes[$1].score : $0 < $1
    }
    var points: [Point] = []
    points.reserveCapacity(order.count)
    var right = 0
    for (seen, index) in order.enumerated() {
      if outcomes[index].isRight { right += 1 }
      points.append(
        Point(
          score: outcomes[index].score, recall: Double(right) / Double(present),
          precision: Double(right) / Double(seen + 1)))
    }
    self.points = points
  }

  /// The mean of the best precision at each of 101 recalls or a higher one.
  ///
  /// The recalls are hundredths from 0 to 1; if one is not reached, its precision is 0.
  ///
  /// - Complexity: O(*n*).
  public var averagePrecision: Double {
    var best = points.map(\.precision)
    for index in best.indices.reversed().dropFirst() {
      best[index] = max(best[index], best[index + 1])
    }
    var total = 0.0
    var place = 0
    for step in 0...100 {
      // This rounds like `linspace(0, 1, 101)`: recall lies on these values, and must fall on one
      // side.
      let recall = step == 100 ? 1 : Double(step) * 0.01
      while place < points.count, points[place].recall < recall { place += 1 }
      guard place < points.count else { break }
      total += best[place]
    }
    return total / 101
  }
}
