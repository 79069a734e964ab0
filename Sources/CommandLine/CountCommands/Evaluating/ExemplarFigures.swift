import CommandKit
import Counting
import Evaluation
import Geometry

/// The figures of an evaluation's exemplars, and of wrong counts with them.
struct ExemplarFigures {
  let choice: ExemplarChoice
  /// The number of photos counted with exemplars, and of the boxes drawn on them.
  private(set) var photos = 0
  private(set) var boxes = 0
  /// The number of boxes replaced by the detector's, and of those used as drawn.
  private(set) var asDetection = 0
  private(set) var asDrawing = 0
  /// The number of boxes assigned to the object around which they were drawn.
  private(set) var onTheirObject = 0
  /// The number of counts that are 1 although there are more objects, and whose interval does not
  /// contain the truth.
  private(set) var silentOnes = 0
  /// The number of counts above 0.
  private(set) var counting = 0
  /// The number of counts whose interval excludes 0, so that they claim an object.
  private(set) var claims = 0
  /// The number of counted boxes without an object.
  private(set) var phantoms = 0
  /// The photos that were left out.
  let leftOut: [String]

  init(_ choice: ExemplarChoice, _ evaluated: [EvaluatedPhoto], leftOut: [String]) {
    self.choice = choice
    self.leftOut = leftOut
    for photo in evaluated {
      guard let exemplars = photo.exemplars else { continue }
      photos += 1
      boxes += exemplars.boxes.count
      let findings = photo.result.findings?.exemplars ?? []
      asDetection += findings.count { $0.basis == .detection }
      asDrawing += findings.count { $0.basis == .drawing }
      let least = photo.truth.boxes?.minimumIoU ?? 0.5
      onTheirObject += zip(findings, exemplars.objects).count { finding, object in
        object.map { Double(finding.taken.iou($0)) >= least } ?? false
      }
      let count = photo.result.count
      let isMore = photo.truth.main - photo.truth.tolerance > 1
      if count == 1, isMore, photo.holdsTruth != true { silentOnes += 1 }
      if count > 0 {
        counting += 1
        if photo.interval.map({ $0.lowerBound > 0 }) ?? true { claims += 1 }
      }
      phantoms += photo.mistakes?.count(of: .nothing) ?? 0
    }
  }

  /// Lines for people.
  var lines: [String] {
    var lines = [
      "exemplars: \(choice.words) in each of \(Sentence.count(photos, "photo", "photos")); "
        + "\(asDetection) of \(boxes) boxes were taken for a detection, \(asDrawing) as drawn"
        + (choice.manner == .nowhere ? "" : ", \(onTheirObject) for their object")
    ]
    if choice.manner == .nowhere {
      lines.append(
        "phantoms:  \(Sentence.count(counting, "count", "counts")) of \(photos) found something, "
          + "\(claims) with an interval without 0; "
          + "\(Sentence.count(phantoms, "counted box", "counted boxes")) on nothing")
    } else {
      lines.append(
        "silent:    \(Sentence.count(silentOnes, "count", "counts")) of 1 though there are more, "
          + "and the interval does not say so")
    }
    if !leftOut.isEmpty {
      lines.append(
        "left out:  \(Sentence.count(leftOut.count, "photo", "photos")) without boxes to take "
          + "exemplars from: " + leftOut.map(PrintableText.of).joined(separator: ", "))
    }
    return lines
  }

  /// The same for machines.
  var json: JSONText {
    .object([
      ("number", .integer(choice.count)), ("drawn", .string(choice.manner.rawValue)),
      ("seed", .integer(Int(clamping: choice.seed))), ("photos", .integer(photos)),
      ("boxes", .integer(boxes)), ("asDetection", .integer(asDetection)),
      ("asDrawing", .integer(asDrawing)), ("onTheirObject", .integer(onTheirObject)),
      ("silentOnes", .integer(silentOnes)), ("counting", .integer(counting)),
      ("claims", .integer(claims)), ("phantoms", .integer(phantoms)),
      ("leftOut", .array(leftOut.map { .string($0) })),
    ])
  }
}
