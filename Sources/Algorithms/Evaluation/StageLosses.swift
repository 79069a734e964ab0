import Geometry

/// The boxes that left one stage of a pipeline.
public struct StageBoxes: Hashable, Sendable {
  /// What the stage is called.
  public var name: String
  /// The boxes it let through.
  public var boxes: [Box]

  /// Makes a stage's boxes.
  public init(name: String, boxes: [Box]) {
    self.name = name
    self.boxes = boxes
  }
}

/// Which true objects a pipeline still had after each of its stages, and where it lost the others.
///
/// After every stage its boxes are paired with the true objects again (``ObjectMatching``), for a
/// stage may leave an object only one of two boxes, or a box whose object another has taken.
public struct StageLosses: Hashable, Sendable {
  /// What is left after one stage.
  public struct Stage: Hashable, Sendable {
    /// What the stage is called.
    public let name: String
    /// Whether each true object is still found.
    public let isFound: [Bool]
    /// Right, wrong and missed after the stage.
    public let score: DetectionScore
    /// The objects that were lost for good here: still found after the stage before (for the first
    /// stage: there at all), and after none from here on.
    public let lost: [Int]
  }

  /// The stages, in order.
  public let stages: [Stage]
  /// For every true object the index of the stage that lost it; nil if it is found after the
  /// last.
  public let lossOfObject: [Int?]

  /// Follows true objects through a pipeline.
  ///
  /// - Parameters:
  ///   - stages: the boxes that left each stage, in order.
  ///   - objects: the true objects.
  /// - Complexity: that of an ``ObjectMatching`` for each stage.
  /// - Throws: ``EvaluationError`` as ``ObjectMatching`` does.
  public init(stages: [StageBoxes], objects: TrueObjects) throws(EvaluationError) {
    var matchings: [ObjectMatching] = []
    for stage in stages {
      matchings.append(try ObjectMatching(boxes: stage.boxes, objects: objects))
    }
    // A stage does not make objects, but where two were one box's, another may be paired than
    // before: lost is what is never found again.
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
