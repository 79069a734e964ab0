import Geometry

/// The boxes after one stage of a pipeline.
public struct StageBoxes: Hashable, Sendable {
  /// The name of the stage.
  public var name: String
  /// The boxes after it.
  public var boxes: [Box]

  /// Makes a stage's boxes.
  public init(name: String, boxes: [Box]) {
    self.name = name
    self.boxes = boxes
  }
}

/// The true objects that remain after each stage of a pipeline, and the stages that lost the
/// others.
///
/// After every stage, its boxes are paired with the true objects again (``ObjectMatching``),
/// because a stage may drop one of an object's two boxes, or a box whose object has another.
public struct StageLosses: Hashable, Sendable {
  /// The state after one stage.
  public struct Stage: Hashable, Sendable {
    /// The name of the stage.
    public let name: String
    /// Whether each true object is still found.
    public let isFound: [Bool]
    /// The numbers of right, wrong and missed after the stage.
    public let score: DetectionScore
    /// The objects that this stage lost for good.
    ///
    /// They were still found after the stage before (or exist, for the first stage), and are not
    /// found after this or any later stage.
    public let lost: [Int]
  }

  /// The stages, in order.
  public let stages: [Stage]
  /// The index of the stage that lost each true object; nil if it is found after the last.
  public let lossOfObject: [Int?]

  /// Follows true objects through a pipeline.
  ///
  /// - Parameters:
  ///   - stages: the boxes after each stage, in order.
  ///   - objects: the true objects.
  /// - Complexity: that of an ``ObjectMatching`` for each stage.
  /// - Throws: ``EvaluationError`` as ``ObjectMatching`` does.
  public init(stages: [StageBoxes], objects: TrueObjects) throws(EvaluationError) {
    var matchings: [ObjectMatching] = []
    for stage in stages {
      matchings.append(try ObjectMatching(boxes: stage.boxes, objects: objects))
    }
    // A stage does not make objects, but if one box fits two objects, the pairing may change
    // between stages: an object is lost if it is never found again.
    let losses: [Int?] = (0..<objects.count).map { object in
      let last = matchings.lastIndex { $0.boxOfObject[object] != nil }
      let loss = last.map { $0 + 1 } ?? 0
      return loss < stages.count ? loss : nil
    }
    lossOfObject = losses
    self.stages = zip(stages, matchings).enumerated().map { index, stage in
      Stage(
        name: stage.0.name, isFound: stage.1.boxOfObject.map { $0 != nil }, score: stage.1.score,
        lost: losses.indices.filter { losses[$0] == index })
    }
  }
}
