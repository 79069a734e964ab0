import CommandKit
import Counting
import Evaluation
import Foundation
import Geometry
import VisionProtocols

/// A count of a photo and its truth.
struct EvaluatedPhoto: Sendable {
  let truth: TruePhoto
  let result: CountingResult
  /// The boxes drawn for the count; nil if there are none.
  let exemplars: DrawnExemplars?
  /// The accuracy of the count, 0...1.
  let accuracy: Double
  /// The accuracy of the number of objects of all kinds, 0...1.
  let allAccuracy: Double
  /// The score of the counted boxes against the main kind's objects, if they are known.
  let mainScore: DetectionScore?
  /// The matching of all boxes with all objects, if they are known.
  let allMatching: ObjectMatching?
  /// The mistakes by kind, if boxes are known.
  ///
  /// If their kinds are not known, all boxes of the result are compared with all objects.
  let mistakes: CountMistakes?
  /// The steps that lost objects of the main kind; of all objects if only those are known.
  let losses: StageLosses?

  /// Compares a result with the true counts and boxes.
  ///
  /// - Parameter survivors: the boxes left after every step.
  init(
    _ truth: TruePhoto, result: CountingResult, survivors: [StageBoxes],
    exemplars: DrawnExemplars? = nil
  ) throws(EvaluationError) {
    self.truth = truth
    self.result = result
    self.exemplars = exemplars
    accuracy = try countAccuracy(
      count: result.count, truth: truth.main, tolerance: truth.tolerance)
    allAccuracy = try countAccuracy(
      count: result.detections.count, truth: truth.all, tolerance: truth.tolerance)
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
    var mistakes: CountMistakes?
    if let known = truth.boxes {
      mistakes = try CountMistakes(
        boxes: boxes,
        isCounted: result.detections.map { $0.isMain || known.isMain == nil },
        objects: known.all, isMain: known.isMain ?? known.all.map { _ in true },
        minimumIoU: known.minimumIoU)
    }
    self.mistakes = mistakes
  }

  /// The number of objects of all kinds that the count found.
  var found: Int { result.detections.count }

  /// The number of objects whose losses are followed.
  var followed: Int { losses?.lossOfObject.count ?? 0 }

  /// The interval of the count; nil if it has none.
  var interval: ClosedRange<Int>? {
    result.confidence.map { min($0.least, $0.greatest)...max($0.least, $0.greatest) }
  }

  /// Whether the interval contains the truth or is within its tolerance; nil if there is none.
  var holdsTruth: Bool? {
    interval.map {
      truth.main + truth.tolerance >= $0.lowerBound && truth.main - truth.tolerance <= $0.upperBound
    }
  }

  /// Whether the count is so wrong that it is reported as a failure.
  var isFailure: Bool { accuracy < 0.9 }

  /// The number of objects that a step lost for good.
  func lost(at step: String) -> Int {
    losses?.stages.filter { $0.name == step }.reduce(0) { $0 + $1.lost.count } ?? 0
  }
}

/// The boxes left after every step of a count.
///
/// A count reports from its own task; the lock makes this safe.
final class Survivors: @unchecked Sendable {
  private let lock = NSLock()
  private var recorded: [StageBoxes] = []

  /// The steps so far, in order.
  var stages: [StageBoxes] { lock.withLock { recorded } }

  /// Records a step, except clustering, which only labels detections.
  func record(_ step: CountingStep, _ detections: [Detection]) {
    guard step != .clustered else { return }
    let boxes = detections.map(\.box).filter(\.isFinite)
    lock.withLock { recorded.append(StageBoxes(name: step.rawValue, boxes: boxes)) }
  }
}
