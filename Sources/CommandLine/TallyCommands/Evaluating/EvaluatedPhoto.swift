import Counting
import Evaluation
import Foundation
import Perception

/// A count of a photo beside its truth.
struct EvaluatedPhoto: Sendable {
  let truth: TruePhoto
  let result: CountingResult
  /// What was counted against the main kind's objects, where they are known.
  let mainScore: DetectionScore?
  /// All boxes of the result against all objects, where they are known.
  let allMatching: ObjectMatching?
  /// Where objects of the main kind were lost; where only all objects are known, where these were.
  let losses: StageLosses?

  /// Compares a result with the truth.
  ///
  /// - Parameter survivors: the boxes left after every step.
  init(
    _ truth: TruePhoto, result: CountingResult, survivors: [StageBoxes]
  ) throws(EvaluationError) {
    self.truth = truth
    self.result = result
    let boxes = result.detections.map(\.detection.box)
    let counted = result.detections.filter(\.isMain).map(\.detection.box)
    var mainScore: DetectionScore?
    var losses: StageLosses?
    if let objects = truth.mainObjects {
      mainScore = try ObjectMatching(boxes: counted, objects: objects).score
      losses = try StageLosses(
        stages: survivors + [StageBoxes(name: "kind", boxes: counted)], objects: objects)
    } else if let objects = truth.allObjects {
      losses = try StageLosses(stages: survivors, objects: objects)
    }
    self.mainScore = mainScore
    self.losses = losses
    var matching: ObjectMatching?
    if let objects = truth.allObjects {
      matching = try ObjectMatching(boxes: boxes, objects: objects)
    }
    allMatching = matching
  }

  /// The number of objects of all kinds that the count found.
  var found: Int { result.detections.count }

  /// The number of objects whose losses are followed.
  var followed: Int { losses?.lossOfObject.count ?? 0 }
}

/// What is left after every step of a count.
///
/// A count reports from the task it runs in; the lock makes the same safe to hold.
final class Survivors: @unchecked Sendable {
  private let lock = NSLock()
  private var recorded: [StageBoxes] = []

  /// The steps so far, in order.
  var stages: [StageBoxes] { lock.withLock { recorded } }

  /// Takes down a step, but for clustering, which only labels what is there.
  func record(_ step: CountingStep, _ detections: [Detection]) {
    guard step != .clustered else { return }
    let boxes = detections.map(\.box).filter(\.isFinite)
    lock.withLock { recorded.append(StageBoxes(name: step.rawValue, boxes: boxes)) }
  }
}
