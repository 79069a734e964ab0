import LinearAssignment
import Stats

/// Higher order tracking accuracy: one figure for finding objects and for keeping them apart.
///
/// ```swift
/// let hota = try HOTA(of: frames)
/// hota.value                 // "HOTA", the mean over 19 thresholds
/// hota.detectionAccuracy     // "DetA": are the objects found?
/// hota.associationAccuracy   // "AssA": does each one keep its number?
/// hota.localizationAccuracy  // "LocA": do the boxes fit?
/// ```
///
/// In every frame, true and predicted boxes are paired one to one. The sum over the pairs of their
/// overlap times the alignment of their objects in the whole sequence is the greatest possible. At
/// each threshold, the pairs that overlap by as much are matches. With *TP* matches, *FP* other
/// predictions and *FN* other true boxes:
///
/// - DetA is *TP* / (*TP* + *FP* + *FN*).
/// - AssA is the mean over the matches of *TPA* / (*TPA* + *FPA* + *FNA*). *TPA* are the matches of
///   the same two objects, *FPA* the other boxes of the predicted object, *FNA* those of the true
///   one.
/// - HOTA is the root of DetA times AssA.
/// - LocA is the mean overlap of the matches.
///
/// Regions to be ignored are not supported: leave out their boxes on both sides.
///
/// Source: Luiten et al., "HOTA: A higher order metric for evaluating multi-object tracking", 2021.
/// The figures are those of TrackEval 1.3, except where two pairings have equal sums.
public struct HOTA: Hashable, Sendable, Codable {
  /// The 19 thresholds of the overlap, from 0.05 to 0.95, rounded as NumPy's `arange` does.
  public static let thresholds: [Double] = (0..<19).map { 0.05 + Double($0) * 0.05 }

  /// The figures at one threshold.
  public struct Level: Hashable, Sendable, Codable {
    /// The least intersection over union of a match.
    public let threshold: Double
    /// The numbers of matches, of other predictions and of other true boxes.
    ///
    /// Its recall is "DetRe", its precision "DetPr".
    public let detections: DetectionScore
    /// Sums over the matches.
    fileprivate var accuracies = 0.0
    fileprivate var recalls = 0.0
    fileprivate var precisions = 0.0
    fileprivate var overlaps = 0.0

    fileprivate init(threshold: Double, detections: DetectionScore) {
      self.threshold = threshold
      self.detections = detections
    }

    /// HOTA at this threshold, 0...1.
    public var value: Double { (detectionAccuracy * associationAccuracy).squareRoot() }

    /// "DetA": the share of matches in all boxes, each match counted once, 0...1.
    ///
    /// It is 0 if there are no boxes.
    public var detectionAccuracy: Double {
      let found = Double(detections.truePositives)
      let all = found + Double(detections.falsePositives) + Double(detections.falseNegatives)
      return all > 0 ? found / all : 0
    }

    /// "AssA": how well matches belong to one true and one predicted object, 0...1.
    ///
    /// It is 0 if there are no matches, as are ``associationRecall`` and ``associationPrecision``.
    public var associationAccuracy: Double { mean(accuracies, ifNone: 0) }

    /// "AssRe": the mean over the matches of *TPA* / (*TPA* + *FNA*), 0...1.
    ///
    /// It is low if true objects are divided between predicted ones.
    public var associationRecall: Double { mean(recalls, ifNone: 0) }

    /// "AssPr": the mean over the matches of *TPA* / (*TPA* + *FPA*), 0...1.
    ///
    /// It is low if predicted objects take in several true ones.
    public var associationPrecision: Double { mean(precisions, ifNone: 0) }

    /// "LocA": the mean overlap of the matches, 0...1; 1 if there are none.
    public var localizationAccuracy: Double { mean(overlaps, ifNone: 1) }

    private func mean(_ sum: Double, ifNone none: Double) -> Double {
      detections.truePositives > 0 ? sum / Double(detections.truePositives) : none
    }
  }

  /// The figures at each of ``thresholds``.
  public let levels: [Level]

  /// The mean over the thresholds: "HOTA", 0...1.
  public var value: Double { mean(of: levels.map(\.value)) ?? 0 }
  /// The mean over the thresholds: "DetA", 0...1.
  public var detectionAccuracy: Double { mean(of: levels.map(\.detectionAccuracy)) ?? 0 }
  /// The mean over the thresholds: "AssA", 0...1.
  public var associationAccuracy: Double { mean(of: levels.map(\.associationAccuracy)) ?? 0 }
  /// The mean over the thresholds: "LocA", 0...1.
  public var localizationAccuracy: Double { mean(of: levels.map(\.localizationAccuracy)) ?? 0 }

  /// Computes the figures of one sequence.
  ///
  /// - Parameter sequence: the frames in order, those without boxes included.
  /// - Complexity: O(*n* log *n*) for the *n* boxes of a frame if each overlaps few others,
  ///   O(*n*²) in the worst case. Then the cost of an assignment of those that overlap. Memory: all
  ///   pairs that overlap.
  /// - Throws: ``EvaluationError`` for a box that is not finite, and for a number that occurs twice
  ///   in a frame.
  public init(of sequence: [EvaluatedFrame]) throws(EvaluationError) {
    let sequence = try SequenceOverlaps(sequence)
    let alignments = Self.alignments(sequence)
    // For each threshold, the matches of every two objects.
    var matches = [[ObjectPair: Int]](repeating: [:], count: Self.thresholds.count)
    var overlaps = [Double](repeating: 0, count: Self.thresholds.count)
    for frame in sequence.frames {
      for pair in Self.pairing(frame, alignments) {
        let objects = frame.objects(of: pair)
        for (level, threshold) in Self.thresholds.enumerated() {
          guard reaches(pair.overlap, threshold) else { break }
          matches[level][objects, default: 0] += 1
          overlaps[level] += pair.overlap
        }
      }
    }
    let truths = sequence.truthCounts.reduce(0, +)
    let predictions = sequence.predictionCounts.reduce(0, +)
    levels = Self.thresholds.indices.map { index in
      let found = matches[index].values.reduce(0, +)
      var level = Level(
        threshold: Self.thresholds[index],
        detections: DetectionScore(
          truePositives: found, falsePositives: predictions - found, falseNegatives: truths - found)
      )
      level.overlaps = overlaps[index]
      // They are in the order of objects, because the last bit of a sum depends on its order.
      let ordered = matches[index].sorted {
        ($0.key.truth, $0.key.prediction) < ($1.key.truth, $1.key.prediction)
      }
      for (objects, count) in ordered {
        let truth = Double(sequence.truthCounts[objects.truth])
        let prediction = Double(sequence.predictionCounts[objects.prediction])
        let both = Double(count)
        level.accuracies += both * both / (truth + prediction - both)
        level.recalls += both * both / truth
        level.precisions += both * both / prediction
      }
      return level
    }
  }

  /// How well every two objects that ever overlap belong together, 0...1, before any threshold.
  ///
  /// It is the intersection over union of their frames. Each frame counts for the share that their
  /// overlap has in all overlaps of the two boxes.
  private static func alignments(_ sequence: SequenceOverlaps) -> [ObjectPair: Double] {
    var shares: [ObjectPair: Double] = [:]
    for frame in sequence.frames {
      var ofTruth = [Double](repeating: 0, count: frame.truths.count)
      var ofPrediction = [Double](repeating: 0, count: frame.predictions.count)
      for pair in frame.pairs {
        ofTruth[pair.truth] += pair.overlap
        ofPrediction[pair.prediction] += pair.overlap
      }
      for pair in frame.pairs {
        let all = ofTruth[pair.truth] + ofPrediction[pair.prediction] - pair.overlap
        let objects = frame.objects(of: pair)
        shares[objects, default: 0] += pair.overlap / all
      }
    }
    for (objects, share) in shares {
      let all = sequence.truthCounts[objects.truth] + sequence.predictionCounts[objects.prediction]
      shares[objects] = share / (Double(all) - share)
    }
    return shares
  }

  /// The pairs of a frame with the greatest sum of overlaps times alignments.
  private static func pairing(
    _ frame: SequenceOverlaps.Frame, _ alignments: [ObjectPair: Double]
  ) -> [SequenceOverlaps.Pair] {
    let weighted = frame.pairs.map { pair in
      (
        row: pair.truth, column: pair.prediction,
        weight: pair.overlap * (alignments[frame.objects(of: pair)] ?? 0)
      )
    }
    let chosen = heaviestPairs(
      weighted, rows: frame.truths.count, columns: frame.predictions.count)
    return frame.pairs.filter { chosen[$0.truth] == $0.prediction }
  }

  /// The figures of two sequences together; every match counts the same.
  public static func + (first: HOTA, second: HOTA) -> HOTA {
    HOTA(
      levels: zip(first.levels, second.levels).map { one, other in
        var sum = Level(
          threshold: one.threshold, detections: one.detections + other.detections)
        sum.accuracies = one.accuracies + other.accuracies
        sum.recalls = one.recalls + other.recalls
        sum.precisions = one.precisions + other.precisions
        sum.overlaps = one.overlaps + other.overlaps
        return sum
      })
  }

  private init(levels: [Level]) {
    self.levels = levels
  }
}

/// For every row its column in the one-to-one assignment with the greatest sum of weights, 0...1.
///
/// It need not have the most pairs: one heavy pair may be worth more than two light ones.
func heaviestPairs(
  _ pairs: [(row: Int, column: Int, weight: Double)], rows: Int, columns: Int
) -> [Int?] {
  let allowed = pairs.map { Assignment.Pair(row: $0.row, column: $0.column, cost: 1 - $0.weight) }
  // Every row that could go without a partner has its own column for that.
  let alone = Set(pairs.map(\.row)).sorted().map { row in
    Assignment.Pair(row: row, column: columns + row, cost: 1)
  }
  let assignment = Assignment(rows: rows, columns: columns + rows, pairs: allowed + alone)
  return assignment.columnOfRow.map { $0.flatMap { $0 < columns ? $0 : nil } }
}
