import Geometry
import Stats

/// Average precision of a detector over a set of images, by COCO's rules.
///
/// The predictions of all images are put in one order by score, and matched image by image
/// (``BoxMatching``). Precision is then a function of recall; made non-increasing from the right,
/// it is averaged over the 101 recalls 0, 0.01 ... 1.
///
/// Source: `COCOeval.accumulate` of pycocotools 2.0, which it equals for one class and all areas.
public struct AveragePrecision: Hashable, Sendable, Codable {
  /// The least overlaps it was taken at, ascending.
  public let thresholds: [Double]
  /// The average precision at each of them, 0...1.
  public let values: [Double]

  /// Average precision at a least overlap of 0.5: "AP50".
  public var at50: Double { values.first ?? 0 }
  /// Average precision at a least overlap of 0.75: "AP75".
  public var at75: Double { values.count > 5 ? values[5] : 0 }
  /// The mean over all thresholds: COCO's "AP".
  public var mean: Double { Stats.mean(of: values) ?? 0 }

  /// The thresholds of COCO's figures, as NumPy's `linspace(0.5, 0.95, 10)` rounds them.
  public static let cocoThresholds: [Double] = {
    let step = (0.95 - 0.5) / 9
    let below: [Double] = (0..<9).map { 0.5 + Double($0) * step }
    return below + [0.95]
  }()

  /// Takes the average precision over `images` at COCO's ten thresholds.
  ///
  /// - Parameters:
  ///   - images: predictions and true boxes.
  ///   - limit: how many of an image's best predictions are looked at; nil for all. COCO's figures
  ///     look at 100, which is too few where an image may hold more objects.
  /// - Returns: nil if no true box counts, which leaves nothing to find.
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
  /// A place on the curve.
  public struct Point: Hashable, Sendable, Codable {
    /// The score of the last prediction taken in.
    public let score: Float
    /// The share of true objects found by then, 0...1.
    public let recall: Double
    /// The share of the predictions by then that are right, 0...1.
    public let precision: Double
  }

  /// One place for each prediction that counts, from the highest score to the lowest.
  public let points: [Point]

  /// Makes the curve of a set of images.
  ///
  /// - Parameters:
  ///   - images: predictions and true boxes.
  ///   - minimumIoU: the least intersection over union of a match, 0...1.
  ///   - limit: how many of an image's best predictions are looked at; nil for all.
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
    // The place decides between equal scores: image after image, as the peer's stable sort does.
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
      // As `linspace(0, 1, 101)` rounds them: recall lies on these values, and must fall on one
      // side.
      let recall = step == 100 ? 1 : Double(step) * 0.01
      while place < points.count, points[place].recall < recall { place += 1 }
      guard place < points.count else { break }
      total += best[place]
    }
    return total / 101
  }
}
