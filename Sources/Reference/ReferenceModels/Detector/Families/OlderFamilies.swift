import DetectionDecode
import Geometry
import ONNXRunner
import Raster

/// YOLOv3 and its tiny form as Keras exports them, with the suppression inside: ONNX Model Zoo has
/// them.
enum YOLOv3Family: DetectorFamily {
  static let head = DetectorHead(
    name: "yolov3",
    summary:
      "YOLOv3 with image_shape: boxes [1, N, 4] in the photo, classes [1, C, N], chosen [M, 3]")

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requirePlanes()
    guard model.furtherInputs.count == 1, let shapeInput = model.furtherInputs.first,
      shapeInput.name == "image_shape", shapeInput.elementType == .float32
    else { throw UnfitModel(reason: "it has no second input image_shape") }
    let outputs = model.session.outputs
    let floats = outputs.filter { $0.elementType == .float32 }
    let chosen = outputs.filter { [.int32, .int64].contains($0.elementType) }
    guard outputs.count == 3, floats.count == 2, chosen.count == 1 else {
      throw UnfitModel(reason: "its outputs are not boxes, classes and what was chosen")
    }
    let names = (boxes: floats[0].name, scores: floats[1].name, chosen: chosen[0].name)
    var usual = DetectorPreprocessing(.yolo)
    usual.framing = .letterboxed(.centered, sides: .truncated, fill: 128)
    let wanted = shapeInput.name
    return DetectorReading(
      preprocessing: model.askedPreprocessing ?? usual, units: .photoPixels,
      furtherInputs: { _, photo in
        [wanted: try Tensor(shape: [1, 2], [Float(photo.height), Float(photo.width)])]
      },
      decode: { outputs, minimum in
        DetectorReading.Answer(
          candidates: try ChosenBoxes(boxForm: .cornersYFirst).candidates(
            boxes: outputs.head(names.boxes), scores: outputs.head(names.scores),
            chosen: outputs.head(names.chosen), minimumScore: minimum))
      })
  }
}

/// SSD as ONNX Model Zoo and MLPerf have it.
enum SSDFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "ssd",
    summary: "SSD: bboxes [1, N, 4] in parts, labels [1, N] from 1, scores [1, N]")

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requireNoFurtherInputs()
    try model.requirePlanes()
    for name in ["bboxes", "labels", "scores"] { _ = try model.output(named: name) }
    let lists = DetectionLists(boxForm: .corners, firstClassID: 1)
    return DetectorReading(
      preprocessing: model.askedPreprocessing ?? DetectorPreprocessing(.imageNet), units: .parts,
      decode: lists.decoding(boxes: "bboxes", scores: "scores", classes: "labels"))
  }
}

/// MMDetection's and MMYOLO's detectors as MMDeploy exports them.
enum MMDetectionFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "mmdetection",
    summary: "MMDetection by MMDeploy: dets [1, N, 5], corners in pixels and score, labels [1, N]")

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requireNoFurtherInputs()
    try model.requirePlanes()
    let (rows, labels) = (try model.output(named: "dets"), try model.output(named: "labels"))
    guard rows.shape?.count ?? 3 == 3, rows.fixedExtent(2) ?? 5 == 5,
      [.int32, .int64].contains(labels.elementType)
    else { throw UnfitModel(reason: "its dets are not [1, N, 5] with whole numbers as labels") }
    let table = try CandidateTable(columnCount: 5, boxForm: .corners, scores: .classes(4..<5))
    return DetectorReading(
      doubt: model.askedPreprocessing == nil
        ? "MMDetection's networks differ in how pixels are normalized, and the file does not say it"
        : nil,
      preprocessing: model.askedPreprocessing ?? DetectorPreprocessing(.yolo),
      units: .networkPixels,
      decode: { outputs, minimum in
        let kinds = try outputs.head("labels").values
        let found = try table.candidates(in: outputs.head("dets"), minimumScore: minimum)
        return DetectorReading.Answer(
          candidates: found.compactMap { candidate in
            guard kinds.indices.contains(candidate.row),
              let kind = Int(exactly: kinds[candidate.row]), kind >= 0
            else { return nil }
            var candidate = candidate
            candidate.classID = kind
            return candidate
          })
      })
  }
}
