import Geometry

/// How far a run of a pipeline agrees with a reference run on the same image, stage by stage.
///
/// The boxes that left a stage are paired with those that left it in the reference run, one to one
/// (``ObjectMatching``), whatever their order. The first stage that does not agree is where to
/// look.
public struct StageAgreement: Hashable, Sendable {
  /// How far one stage agrees.
  public struct Stage: Hashable, Sendable {
    /// What the stage is called.
    public let name: String
    /// How many boxes left it.
    public let count: Int
    /// How many boxes left it in the reference run.
    public let referenceCount: Int
    /// How many boxes of the one are boxes of the other.
    public let matched: Int

    /// Twice the matched boxes over all boxes of both runs (Dice's coefficient), 0...1; 1 if
    /// nothing left the stage in either.
    public var agreement: Double {
      let all = Double(count) + Double(referenceCount)
      return all > 0 ? 2 * Double(matched) / all : 1
    }

    /// Whether every box has its partner.
    public var isComplete: Bool { matched == count && matched == referenceCount }
  }

  /// The stages, in order.
  public let stages: [Stage]

  /// The first stage at which the runs differ; nil if they agree throughout.
  public var firstDifference: Stage? { stages.first { !$0.isComplete } }

  /// Compares a run with a reference run.
  ///
  /// - Parameters:
  ///   - stages: the boxes that left each stage, in order.
  ///   - reference: the same of the reference run: the same stages in the same order.
  ///   - minimumIoU: the least intersection over union of two boxes that are the same, 0...1.
  /// - Complexity: that of an ``ObjectMatching`` for each stage.
  /// - Throws: ``EvaluationError/stageMismatch(index:found:expected:)`` if the stages are not the
  ///   same, and as ``ObjectMatching`` does.
  public init(
    _ stages: [StageBoxes], reference: [StageBoxes], minimumIoU: Double = 0.9
  ) throws(EvaluationError) {
    for index in 0..<max(stages.count, reference.count) {
      let found = index < stages.count ? stages[index].name : nil
      let expected = index < reference.count ? reference[index].name : nil
      guard found == expected else {
        throw .stageMismatch(index: index, found: found, expected: expected)
      }
    }
    var result: [Stage] = []
    for (own, other) in zip(stages, reference) {
      let matching = try ObjectMatching(
        boxes: own.boxes, objects: .boxes(other.boxes, minimumIoU: minimumIoU))
      result.append(
        Stage(
          name: own.name, count: own.boxes.count, referenceCount: other.boxes.count,
          matched: matching.score.truePositives))
    }
    self.stages = result
  }
}
