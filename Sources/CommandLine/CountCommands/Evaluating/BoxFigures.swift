import CommandKit
import Evaluation

/// How well the boxes of counts rank: average precision over the photos whose boxes are known.
///
/// All kinds count alike. A count reports what it kept, so the curve ends where the count's own
/// threshold does, and the figure is a lower bound of what the detector alone would get.
struct BoxFigures {
  /// How many photos have boxes.
  let photos: Int
  /// Average precision at the least overlap of 0.5, 0...1, by COCO's rules without a limit of boxes
  /// a photo.
  let at50: Double

  /// Ranks the boxes of all photos together; nil if no photo has true boxes.
  init?(_ photos: [EvaluatedPhoto]) throws(EvaluationError) {
    let known = photos.compactMap { photo -> EvaluatedImage? in
      guard let truth = photo.truth.boxes else { return nil }
      return EvaluatedImage(
        predictions: photo.result.detections.map {
          ScoredBox(box: $0.detection.box, score: $0.detection.score)
        },
        truths: truth.all.map { TrueBox(box: $0) })
    }
    guard let curve = try PrecisionRecallCurve(of: known) else { return nil }
    self.photos = known.count
    at50 = curve.averagePrecision
  }

  /// One line for people.
  var line: String {
    "boxes of all objects: average precision \(NumberText.fixed(at50, digits: 3)) at IoU 0.5 (AP50), on "
      + "\(photos) \(photos == 1 ? "photo" : "photos")"
  }

  /// The same for machines.
  var json: JSONText {
    .object([("photos", .integer(photos)), ("averagePrecision50", .double(at50))])
  }
}
