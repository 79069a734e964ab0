import DetectionDecode
import Geometry
import ONNXRunner

/// torchvision's detectors: Faster R-CNN, Mask R-CNN, RetinaNet, FCOS, SSD, SSDLite.
enum TorchvisionFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "torchvision",
    summary:
      "torchvision's: a photo [3, H, W], boxes [N, 4] in pixels, labels from 1, scores, masks")

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requireNoFurtherInputs()
    let outputs = model.session.outputs
    guard model.image.description.elementType != .uint8 else {
      throw UnfitModel(reason: "its photo is \(model.image.description)")
    }
    func only(_ rank: Int, _ fits: (ValueDescription) -> Bool) -> ValueDescription? {
      let fitting = outputs.filter { $0.shape?.count == rank && fits($0) }
      return fitting.count == 1 ? fitting[0] : nil
    }
    let floats: (ValueDescription) -> Bool = { $0.elementType.isFloatingPoint }
    guard let boxes = only(2, { floats($0) && $0.fixedExtent(1) ?? 4 == 4 }),
      let labels = only(1, { $0.elementType == .int64 }), let scores = only(1, floats)
    else {
      throw UnfitModel(reason: "its outputs are not boxes [N, 4], labels [N] and scores [N]")
    }
    let masks = only(4, floats)?.name
    var usual = DetectorPreprocessing(.unit)
    // The network fits the photo itself, unless the export has fixed its size: then corners stay at
    // the top left.
    usual.framing =
      try model.size() == nil
      ? .whole : .letterboxed(.topLeft, sides: .nearest, fill: 0)
    let lists = DetectionLists(boxForm: .corners, firstClassID: 1)
    var reading = DetectorReading(
      doubt: model.image.layout == .planesOfOne
        ? nil : "boxes, labels and scores do not say how pixels are normalized",
      preprocessing: model.askedPreprocessing ?? usual, units: .networkPixels,
      decode: { outputs, minimum in
        let found = try lists.candidates(
          boxes: outputs.head(boxes.name), scores: outputs.head(scores.name),
          classes: outputs.head(labels.name), minimumScore: minimum)
        guard let masks else { return DetectorReading.Answer(candidates: found) }
        let stack = try MaskStack(outputs.head(masks))
        return DetectorReading.Answer(candidates: found) { candidate in
          try stack.outline(ofRow: candidate.row, above: 0.5)
        }
      })
    if masks != nil { reading.outlines = .polygon }
    return reading
  }
}

/// TensorFlow's object detection.
enum TensorFlowFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "tensorflow",
    summary:
      "TensorFlow's: a photo of bytes [1, H, W, 3]; detection_boxes, _scores, _classes in parts")

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requireNoFurtherInputs()
    func output(_ name: String) throws(UnfitModel) -> String {
      // Converters keep TensorFlow's number of an output.
      let found = model.session.outputs.first { $0.name == name || $0.name == name + ":0" }
      guard let found else { throw UnfitModel(reason: "it has no output \(name)") }
      return found.name
    }
    let (boxes, scores) = (try output("detection_boxes"), try output("detection_scores"))
    let classes = try output("detection_classes")
    let count = try? output("num_detections")
    guard model.image.layout == .pixels else {
      throw UnfitModel(reason: "its photo is \(model.image.description), not [1, H, W, 3]")
    }
    var usual = DetectorPreprocessing(.bytes)
    if try model.size() == nil { usual.framing = .whole }
    let lists = DetectionLists(boxForm: .cornersYFirst)
    return DetectorReading(
      doubt: model.image.description.elementType == .uint8
        ? nil : "it takes \(model.image.description.elementType): its normalization is not known",
      preprocessing: model.askedPreprocessing ?? usual, units: .parts,
      decode: lists.decoding(boxes: boxes, scores: scores, classes: classes, count: count))
  }
}

/// YOLO networks with TensorRT's suppression behind them.
enum EfficientNMSFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "efficient-nms",
    summary: "YOLO with four outputs: num_dets, det_boxes in pixels, det_scores, det_classes")

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requireNoFurtherInputs()
    try model.requirePlanes()
    for name in ["num_dets", "det_boxes", "det_scores", "det_classes"] {
      _ = try model.output(named: name)
    }
    let lists = DetectionLists(boxForm: .corners)
    return DetectorReading(
      preprocessing: model.askedPreprocessing ?? DetectorPreprocessing(.yolo),
      units: .networkPixels,
      decode: lists.decoding(
        boxes: "det_boxes", scores: "det_scores", classes: "det_classes", count: "num_dets"))
  }
}

/// PaddleDetection's PP-YOLOE and its kin.
enum PaddleFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "paddle",
    summary: "PaddleDetection: a photo and scale_factor; [N, 6], class, score, corners in the photo"
  )

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requirePlanes()
    let known: Set = ["scale_factor", "im_shape"]
    guard model.furtherInputs.contains(where: { $0.name == "scale_factor" }),
      model.furtherInputs.allSatisfy({ known.contains($0.name) && $0.elementType == .float32 })
    else { throw UnfitModel(reason: "its further inputs are not scale_factor and im_shape") }
    guard let rows = model.session.outputs.first, rows.shape?.count ?? 2 == 2 else {
      throw UnfitModel(reason: "its first output is not [N, 6]")
    }
    let layout = try CandidateTable(
      columnCount: 6, boxColumn: 2, boxForm: .corners, scores: .best(score: 1, classID: 0))
    let wants = model.furtherInputs.map(\.name)
    var usual = DetectorPreprocessing(.unit)
    usual.resampling = .bilinear
    let name = rows.name
    return DetectorReading(
      doubt: model.askedPreprocessing == nil
        ? "PP-YOLOE+ takes pixels as 0...1 and PP-YOLOE by ImageNet's mean, and the file does not say which"
        : nil,
      preprocessing: model.askedPreprocessing ?? usual, units: .photoPixels,
      furtherInputs: { place, photo in
        let canvas = place.networkSize
        let values: [String: [Float]] = [
          "scale_factor": [
            Float(canvas.height) / Float(photo.height), Float(canvas.width) / Float(photo.width),
          ],
          "im_shape": [Float(canvas.height), Float(canvas.width)],
        ]
        return try Dictionary(
          uniqueKeysWithValues: wants.map {
            ($0, try Tensor(shape: [1, 2], values[$0] ?? [1, 1]))
          })
      },
      decode: { outputs, minimum in
        DetectorReading.Answer(
          candidates: try layout.candidates(in: outputs.head(name), minimumScore: minimum))
      })
  }
}

/// A mask for each row of an answer.
struct MaskStack {
  let width: Int
  let height: Int
  private let count: Int
  private let values: [Float]

  /// Takes `[N, 1, H, W]` or `[1, N, H, W]`.
  init(_ output: HeadOutput) throws {
    let shape = output.shape
    guard shape.count >= 3, shape.dropLast(2).filter({ $0 != 1 }).count <= 1 else {
      throw ReferenceModelError.outputShape(
        name: "masks", got: shape, expected: "[N, 1, H, W] or [1, N, H, W]")
    }
    (width, height) = (shape[shape.count - 1], shape[shape.count - 2])
    count = shape.dropLast(2).reduce(1, *)
    values = output.values
  }

  /// The outline of one mask, in its own pixels.
  func outline(ofRow row: Int, above threshold: Float) throws -> [Point]? {
    guard (0..<count).contains(row) else { return nil }
    let size = width * height
    return try MaskField(
      width: width, height: height, values: Array(values[row * size..<(row + 1) * size])
    ).outline(above: threshold)
  }
}
