import Geometry

/// The agreement of a pipeline's run with a reference run on the same image, stage by stage.
///
/// The boxes after a stage are paired one to one with those of the reference run
/// (``ObjectMatching``), in any order. Look for an error in the first stage that does not agree.
public struct StageAgreement: Hashable, Sendable {
  /// The agreement of one stage.
  public struct Stage: Hashable, Sendable {
    /// The name of the stage.
    public let name: String
    /// The number of boxes after it.
    public let count: Int
    /// The number of boxes after it in the reference run.
    public let referenceCount: Int
    /// The number of boxes that are in both runs.
    public let matched: Int

    /// Twice the matched boxes over all boxes of both runs (Dice's coefficient), 0...1.
    ///
    /// It is 1 if both runs have no boxes after the stage.
    public var agreement: Double {
      let all = Double(count) + Double(referenceCount)
      return all > 0 ? 2 * Double(matched) / all : 1
    }

    /// Whether every box has a partner.
    public var isComplete: Bool { matched == count && matched == referenceCount }
  }

  /// The stages, in order.
  public let stages: [Stage]

  /// The first stage with a difference; nil if all stages agree.
  public var firstDifference: Stage? { stages.first { !$0.isComplete } }

  /// Compares a run with a reference run.
  ///
  /// - Parameters:
  ///   - stages: the boxes after each stage, in order.
  ///   - reference: the same for the reference run, with the same stages in the same order.
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
