/// Assigns predicted objects to true ones for a whole sequence, one to one: IDF1, IDP and IDR.
///
/// ```swift
/// let matching = try IdentityMatching(of: frames)
/// matching.score.f1         // "IDF1"
/// matching.score.precision  // "IDP"
/// matching.score.recall     // "IDR"
/// ```
///
/// A predicted object is assigned to at most one true object, for all frames, so that the number of
/// right boxes is the greatest possible. A predicted box is right if it overlaps the true box of
/// its object by the threshold. A tracker that gives an object a new number has its longest part
/// counted.
///
/// Source: Ristani et al., "Performance measures and a data set for multi-target, multi-camera
/// tracking", 2016. The numbers are those of py-motmetrics 1.4 and TrackEval 1.3.
public struct IdentityMatching: Hashable, Sendable {
  /// The number of the predicted object of every true object that has one.
  public let predictionOfTruth: [Int: Int]
  /// The numbers of right predicted boxes ("IDTP"), of others ("IDFP"), and of true boxes without a
  /// right one ("IDFN").
  ///
  /// The sum of two scores is the score of two sequences together.
  public let score: DetectionScore

  /// Matches the objects of one sequence.
  ///
  /// - Parameters:
  ///   - sequence: the frames in order, those without boxes included.
  ///   - minimumIoU: the least intersection over union of a right box, 0...1; boxes that share
  ///     nothing never match.
  /// - Complexity: O(*n* log *n*) for the *n* boxes of a frame if each overlaps few others,
  ///   O(*n*²) in the worst case. Then the cost of one assignment of the objects.
  /// - Throws: ``EvaluationError`` for a box that is not finite, a number that a frame has twice,
  ///   and a threshold outside 0...1.
  public init(of sequence: [EvaluatedFrame], minimumIoU: Double = 0.5) throws(EvaluationError) {
    try requireShare(minimumIoU, named: "minimumIoU")
    let sequence = try SequenceOverlaps(sequence)
    var shared: [ObjectPair: Int] = [:]
    for frame in sequence.frames {
      for pair in frame.pairs where reaches(pair.overlap, minimumIoU) {
        shared[frame.objects(of: pair), default: 0] += 1
      }
    }
    let most = Double(shared.values.max() ?? 1)
    // They are in the order of objects, because of equal sums the first is taken.
    let pairs = shared.map { (row: $0.truth, column: $0.prediction, weight: Double($1) / most) }
      .sorted { ($0.row, $0.column) < ($1.row, $1.column) }
    let chosen = heaviestPairs(
      pairs, rows: sequence.truthIDs.count, columns: sequence.predictionIDs.count)

    var partners: [Int: Int] = [:]
    var right = 0
    for (truth, prediction) in chosen.enumerated() {
      guard let prediction else { continue }
      partners[sequence.truthIDs[truth]] = sequence.predictionIDs[prediction]
      right += shared[ObjectPair(truth: truth, prediction: prediction)] ?? 0
    }
    predictionOfTruth = partners
    score = DetectionScore(
      truePositives: right, falsePositives: sequence.predictionCounts.reduce(0, +) - right,
      falseNegatives: sequence.truthCounts.reduce(0, +) - right)
  }
}
