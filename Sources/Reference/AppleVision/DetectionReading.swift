import DetectionDecode
import Geometry
import VisionProtocols
import YOLOXDecode

/// What a detector said of one object, before it is a `Detection`.
struct ObservedObject {
  /// The box, as Vision has it.
  var box: NormalizedBox
  /// How sure it is that there is any object.
  var confidence: Float
  /// The classes, and how sure it is of each, given that there is an object.
  var classes: [(label: String, confidence: Float)]

  /// The detection in pixels.
  ///
  /// Its score is the product of both confidences, as Vision's documentation says. The class is the
  /// first of the most likely ones.
  ///
  /// - Parameters:
  ///   - space: the upright image.
  ///   - classIDs: the index of each label.
  /// - Returns: nil if there is no class, or if the label is unknown, which `unknown` then gets.
  func detection(
    in space: CoordinateSpace, classIDs: [String: Int], unknown: inout String?
  ) -> Detection? {
    var best: (label: String, confidence: Float)?
    for candidate in classes where candidate.confidence > best?.confidence ?? -.infinity {
      best = candidate
    }
    guard let best else { return nil }
    guard let classID = classIDs[best.label] else {
      unknown = best.label
      return nil
    }
    return Detection(
      box: space.pixels(from: box), score: confidence * best.confidence, objectness: confidence,
      classScore: best.confidence, classID: classID)
  }
}

/// The detections of a YOLOX network's output.
///
/// - Throws: `YOLOXDecodeError`.
func detections(
  fromYOLOX output: HeadOutput, isSelfDecoded: Bool, letterbox: Letterbox, minimumScore: Float
) throws -> [Detection] {
  let head = try YOLOXHead(
    outputShape: output.shape, inputWidth: letterbox.networkWidth,
    inputHeight: letterbox.networkHeight, selfDecoded: isSelfDecoded)
  return try head.candidates(in: output.values, minimumScore: minimumScore).map { candidate in
    Detection(
      box: letterbox.image(fromNetwork: candidate.box), score: candidate.score,
      objectness: candidate.objectness, classScore: candidate.classScore,
      classID: candidate.classID)
  }
}

/// The detections of a table of candidates; turned boxes have their corners as outline.
///
/// - Throws: `DetectionDecodeError`.
func detections(
  from table: CandidateTable, output: HeadOutput, letterbox: Letterbox, minimumScore: Float
) throws -> [Detection] {
  try table.candidates(in: output, minimumScore: minimumScore).map { candidate in
    var detection = Detection(
      box: letterbox.image(fromNetwork: candidate.box), score: candidate.score,
      objectness: candidate.objectness ?? candidate.score,
      classScore: candidate.objectness.map { $0 > 0 ? candidate.score / $0 : 0 } ?? 1,
      classID: candidate.classID)
    if let angle = candidate.angle {
      let box = candidate.box
      let corners = RotatedBox(
        center: box.center, width: Double(box.width), height: Double(box.height),
        angle: Double(angle)
      ).quadrilateral.mapCorners { letterbox.image(fromNetwork: $0) }
      detection.box = corners.boundingBox
      detection.outline = .rotatedBox(corners)
    }
    return detection
  }
}
