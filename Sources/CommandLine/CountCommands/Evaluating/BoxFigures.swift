import CommandKit
import Evaluation

/// Average precision of the boxes of counts, over the photos with known boxes.
///
/// All kinds count equally. A count reports only the boxes that it kept, so the curve ends at the
/// count's own threshold, and the figure is a lower bound of the detector's own.
struct BoxFigures {
  /// The number of photos with boxes.
  let photos: Int
  /// Average precision at an overlap threshold of 0.5, 0...1, by COCO's rules without a limit of
  /// boxes per photo.
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
