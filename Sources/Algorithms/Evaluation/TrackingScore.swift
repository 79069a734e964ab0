import LinearAssignment

/// The errors of a tracker, counted frame by frame: the CLEAR MOT metrics MOTA and MOTP.
///
/// Every true object keeps the predicted object that it was last matched with, if their boxes still
/// overlap by the threshold. (If two true objects claim one prediction, the first in the frame
/// keeps it.) The remaining boxes are paired one to one: the most pairs, and of those the greatest
/// sum of overlaps. An object that is paired with another predicted object than last time is a
/// switch.
///
/// Regions to be ignored are not supported: leave out their boxes on both sides.
///
/// Source: Bernardin and Stiefelhagen, "Evaluating multiple object tracking performance: the CLEAR
/// MOT metrics", 2008; Milan et al., "MOT16: A benchmark for multi-object tracking", 2016. The
/// numbers are those of py-motmetrics 1.4. TrackEval differs a little: there, an object keeps only
/// the match of the frame before, and an absence of the true object is a fragmentation.
public struct TrackingScore: Hashable, Sendable, Codable {
  /// The numbers of matches, of false positives and of misses; switches are matches.
  public let detections: DetectionScore
  /// The number of matches with another predicted object than the last one: "IDSW".
  public let switches: Int
  /// The number of times that a true object was matched, then missed, and later matched again.
  public let fragmentations: Int
  /// The number of true objects that are matched in 80 % of their frames or more: "MT".
  public let mostlyTracked: Int
  /// The number of true objects that are matched in 20 % of their frames or more, but below 80 %.
  public let partlyTracked: Int
  /// The number of true objects that are matched in less than 20 % of their frames: "ML".
  public let mostlyLost: Int
  /// The sum of the overlaps of all matches.
  private let overlaps: Double

  /// "MOTA": 1 minus misses, false positives and switches, divided by the number of true boxes.
  ///
  /// It is at most 1, and below 0 if there are more errors than true boxes; nil without true boxes.
  public var mota: Double? {
    let truths = Double(detections.truePositives) + Double(detections.falseNegatives)
    let errors =
      Double(detections.falseNegatives) + Double(detections.falsePositives) + Double(switches)
    return truths > 0 ? 1 - errors / truths : nil
  }

  /// "MOTP": the mean intersection over union of the matches, 0...1; nil if there are none.
  ///
  /// Some tools report 1 minus this.
  public var motp: Double? {
    detections.truePositives > 0 ? overlaps / Double(detections.truePositives) : nil
  }

  /// Counts the errors in one sequence.
  ///
  /// - Parameters:
  ///   - sequence: the frames in order, those without boxes included.
  ///   - minimumIoU: the least intersection over union of a match, 0...1; boxes that share nothing
  ///     never match.
  /// - Complexity: O(*n* log *n*) for the *n* boxes of a frame if each overlaps few others,
  ///   O(*n*²) in the worst case. Then the cost of an assignment of those that overlap.
  /// - Throws: ``EvaluationError`` for a box that is not finite, a number that a frame has twice,
  ///   and a threshold outside 0...1.
  public init(of sequence: [EvaluatedFrame], minimumIoU: Double = 0.5) throws(EvaluationError) {
    try requireShare(minimumIoU, named: "minimumIoU")
    let sequence = try SequenceOverlaps(sequence)
    var objects = [TrueTrack](repeating: TrueTrack(), count: sequence.truthIDs.count)
    var matches = 0
    var overlaps = 0.0
    for frame in sequence.frames {
      var chosen = [Double?](repeating: nil, count: frame.truths.count)
      for pair in Self.matches(in: frame, objects, minimumIoU: minimumIoU) {
        chosen[pair.truth] = pair.overlap
        objects[frame.truths[pair.truth]].match(frame.predictions[pair.prediction])
        overlaps += pair.overlap
        matches += 1
      }
      for (place, object) in frame.truths.enumerated() where chosen[place] == nil {
        objects[object].isMissed = true
      }
    }
    detections = DetectionScore(
      truePositives: matches, falsePositives: sequence.predictionCounts.reduce(0, +) - matches,
      falseNegatives: sequence.truthCounts.reduce(0, +) - matches)
    switches = objects.reduce(0) { $0 + $1.switches }
    fragmentations = objects.reduce(0) { $0 + $1.fragmentations }
    let shares = zip(objects, sequence.truthCounts).map { Double($0.matches) / Double($1) }
    mostlyTracked = shares.count { $0 >= 0.8 }
    mostlyLost = shares.count { $0 < 0.2 }
    partlyTracked = shares.count - mostlyTracked - mostlyLost
    self.overlaps = overlaps
  }

  /// The matches of a frame: first those of objects that keep their partner, then the others.
  private static func matches(
    in frame: SequenceOverlaps.Frame, _ objects: [TrueTrack], minimumIoU: Double
  ) -> [SequenceOverlaps.Pair] {
    let allowed = frame.pairs.filter { reaches($0.overlap, minimumIoU) }
    var hasTruth = [Bool](repeating: false, count: frame.truths.count)
    var hasPrediction = [Bool](repeating: false, count: frame.predictions.count)
    var result: [SequenceOverlaps.Pair] = []
    for pair in allowed
    where !hasPrediction[pair.prediction]
      && objects[frame.truths[pair.truth]].partner == frame.predictions[pair.prediction]
    {
      hasTruth[pair.truth] = true
      hasPrediction[pair.prediction] = true
      result.append(pair)
    }
    let open = allowed.filter { !hasTruth[$0.truth] && !hasPrediction[$0.prediction] }
    let assignment = Assignment(
      rows: frame.truths.count, columns: frame.predictions.count,
      pairs: open.map {
        Assignment.Pair(row: $0.truth, column: $0.prediction, cost: 1 - $0.overlap)
      })
    return result + open.filter { assignment.columnOfRow[$0.truth] == $0.prediction }
  }

  /// The score of two sequences together.
  ///
  /// Numbers that are too large for an `Int` become the largest.
  public static func + (first: TrackingScore, second: TrackingScore) -> TrackingScore {
    TrackingScore(first, second)
  }

  private init(_ first: TrackingScore, _ second: TrackingScore) {
    func sum(_ number: KeyPath<TrackingScore, Int>) -> Int {
      DetectionScore.sum(first[keyPath: number], second[keyPath: number])
    }
    detections = first.detections + second.detections
    switches = sum(\.switches)
    fragmentations = sum(\.fragmentations)
    mostlyTracked = sum(\.mostlyTracked)
    partlyTracked = sum(\.partlyTracked)
    mostlyLost = sum(\.mostlyLost)
    overlaps = first.overlaps + second.overlaps
  }
}

/// What happened to a true object so far.
private struct TrueTrack {
  /// The predicted object that it was last matched with.
  var partner: Int?
  var matches = 0
  var switches = 0
  var fragmentations = 0
  /// Whether it was missed since its last match.
  var isMissed = false

  mutating func match(_ prediction: Int) {
    if let partner {
      if partner != prediction { switches += 1 }
      if isMissed { fragmentations += 1 }
    }
    partner = prediction
    matches += 1
    isMissed = false
  }
}
