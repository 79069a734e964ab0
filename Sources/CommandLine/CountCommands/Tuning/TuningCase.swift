import CommandKit
import Counting
import Evaluation
import Foundation
import Geometry

/// The score of one count.
struct TuningScore: Sendable, Equatable {
  /// The count of the main kind.
  let count: Int
  /// 1 - |count - truth| / truth, at least 0.
  let accuracy: Double
  /// The F1 of the counted boxes, if the true ones are known.
  let f1: Double?

  /// The tuned value: the mean of accuracy and F1 if F1 is known, else the accuracy.
  ///
  /// F1 is needed because a count can be right although its boxes are wrong.
  var value: Double { f1.map { (accuracy + $0) / 2 } ?? accuracy }

  /// Compares a result with the true count and, if they are known, the true boxes.
  init(_ result: CountingResult, truth: TruePhoto) throws(EvaluationError) {
    count = result.count
    accuracy = try countAccuracy(count: result.count, truth: truth.main)
    if let objects = truth.mainObjects {
      let boxes = result.detections.filter(\.isMain).map(\.detection.box)
      f1 = try ObjectMatching(boxes: boxes, objects: objects).score.f1 ?? 0
    } else if let objects = truth.allObjects {
      let boxes = result.detections.map(\.detection.box)
      f1 = try ObjectMatching(boxes: boxes, objects: objects).score.f1 ?? 0
    } else {
      f1 = nil
    }
  }
}

/// A photo before and after tuning.
struct TunedCase: Sendable {
  let truth: TruePhoto
  /// The score with the initial thresholds.
  let before: TuningScore
  /// The score with thresholds that were chosen without this photo.
  let after: TuningScore
  /// The score with the thresholds that were chosen with all photos.
  let onAll: TuningScore
}

/// The result of a tuning.
struct TuningVerdict: Sendable {
  /// With fewer photos, the result does not apply to others.
  static let leastPhotos = 4
  /// The least increase of the mean that is a gain.
  static let leastGain = 0.001

  let photos: Int
  /// The mean of the tuned value, with the initial thresholds.
  let before: Double
  /// The same with thresholds that were chosen without the photo.
  let after: Double
  /// The same with the thresholds that were chosen with all photos.
  let onAll: Double

  init(_ cases: [TunedCase]) {
    func mean(_ score: (TunedCase) -> TuningScore) -> Double {
      cases.isEmpty ? 0 : cases.reduce(0) { $0 + score($1).value } / Double(cases.count)
    }
    photos = cases.count
    (before, after, onAll) = (mean(\.before), mean(\.after), mean(\.onAll))
  }

  /// Whether other thresholds count these photos better.
  var isGained: Bool { onAll > before + Self.leastGain }
  /// Whether photos that were not used in the choice are counted better too.
  var isConfirmed: Bool { isGained && after > before + Self.leastGain }
  /// Whether there are enough photos for a conclusion.
  var isEnough: Bool { photos >= Self.leastPhotos }
  /// Whether the thresholds are worth keeping.
  var isWorthKeeping: Bool { isConfirmed && isEnough }

  /// The conclusions, in sentences.
  var sentences: [String] {
    func share(_ value: Double) -> String { NumberText.fixed(value, digits: 3) }
    var sentences: [String] = []
    if !isEnough {
      sentences.append(
        "\(Sentence.count(photos, "photo is", "photos are")) too few to trust what is chosen on "
          + "them; \(Self.leastPhotos) are the least, and 10 are better.")
    }
    if !isGained {
      sentences.append(
        "Nothing is gained: no thresholds that were tried count these photos better than \(share(before))."
      )
    } else if !isConfirmed {
      sentences.append(
        "The gain is not confirmed: thresholds chosen on all photos raise the mean on these from "
          + "\(share(before)) to \(share(onAll)), but on a photo that the choice did not see it is "
          + "\(share(after)).")
    } else {
      sentences.append(
        "The mean rises from \(share(before)) to \(share(after)) on a photo that the choice did not "
          + "see, and to \(share(onAll)) on these.")
    }
    return sentences
  }
}
