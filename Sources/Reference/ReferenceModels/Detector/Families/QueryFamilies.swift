import DetectionDecode
import Foundation
import ONNXRunner
import Raster

/// RT-DETR and D-FINE: each class has a probability by itself.
enum RTDETRFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "rt-detr",
    summary:
      "RT-DETR, D-FINE, Deformable DETR: logits and boxes of queries, or their own labels, boxes, scores"
  )

  /// The types of transformers with this head.
  private static let types: Set = [
    "rt_detr", "rt_detr_v2", "d_fine", "deformable_detr", "conditional_detr", "dab-detr",
    "grounding-dino", "deta", "rf_detr", "lw_detr",
  ]

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requirePlanes()
    if model.isUltralyticsRTDETR { return try ofUltralytics(model) }
    if model.furtherInputs.contains(where: { $0.name == "orig_target_sizes" }) {
      return try ofOriginal(model)
    }
    let further = try QueryOutputs.furtherInputs(of: model)
    let (logits, boxes) = try QueryOutputs.find(in: model, ofTypes: types)
    var doubt: String?
    if model.companions.modelType == nil {
      let operators = model.session.metadata.operatorCounts
      // Only those that sample feature maps and select their queries have both.
      let samples = operators.keys.contains { $0.hasSuffix("GridSample") }
      let selects = operators.keys.contains { $0.hasSuffix("TopK") }
      if !(samples && selects && model.image.fixedWidth == 640 && model.image.fixedHeight == 640) {
        doubt = QueryOutputs.doubt
      }
    }
    return DetectorReading(
      doubt: doubt,
      preprocessing: try model.askedPreprocessing
        ?? QueryOutputs.preprocessing(of: model, usual: DetectorPreprocessing(.unit)),
      units: .parts, furtherInputs: further,
      decode: QueryOutputs.decoding(.sigmoid, logits: logits, boxes: boxes))
  }

  /// What Ultralytics exports: rows of a box, and all classes or the best one.
  private static func ofUltralytics(_ model: DetectorFacts) throws -> DetectorReading {
    try model.requireNoFurtherInputs()
    let output = try model.onlyOutput()
    let shape = try model.shape(of: output)
    guard shape.count == 3, shape[2] > 4 else {
      throw UnfitModel(reason: "its output is \(shape), not [1, Q, 4 + C]")
    }
    let classes = model.names?.names.count
    let layout: CandidateTable
    if shape[2] == 6, classes != 2 {
      layout = try .endToEnd(boxForm: .centerSize)
    } else {
      guard classes ?? shape[2] - 4 == shape[2] - 4 else {
        throw UnfitModel(reason: "\(shape[2]) columns are not a box and \(classes ?? 0) classes")
      }
      layout = try .yolov8(classCount: shape[2] - 4, isTransposed: false)
    }
    var usual = DetectorPreprocessing(.unit)
    usual.resampling = .bilinear
    let name = output.name
    return DetectorReading(
      preprocessing: model.askedPreprocessing ?? usual, units: .parts,
      decode: { outputs, minimum in
        DetectorReading.Answer(
          candidates: try layout.candidates(in: outputs.head(name), minimumScore: minimum))
      })
  }

  /// What the authors export: labels, boxes and scores in pixels of the photo, whose size is an
  /// input.
  private static func ofOriginal(_ model: DetectorFacts) throws -> DetectorReading {
    guard model.furtherInputs.count == 1, model.furtherInputs[0].elementType == .int64 else {
      throw UnfitModel(reason: "it wants more than the photo and orig_target_sizes")
    }
    let names = Set(model.session.outputs.map(\.name))
    guard names.isSuperset(of: ["labels", "boxes", "scores"]) else {
      throw UnfitModel(reason: "its outputs are not labels, boxes and scores")
    }
    let lists = DetectionLists(boxForm: .corners)
    return DetectorReading(
      preprocessing: model.askedPreprocessing ?? DetectorPreprocessing(.unit), units: .photoPixels,
      furtherInputs: { _, photo in
        [
          "orig_target_sizes": try Tensor(
            shape: [1, 2], [Int64(photo.width), Int64(photo.height)])
        ]
      },
      decode: lists.decoding(boxes: "boxes", scores: "scores", classes: "labels"))
  }
}

/// RF-DETR.
enum RFDETRFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "rf-detr",
    summary: "RF-DETR: dets [1, Q, 4] and labels [1, Q, K], and masks if it has them")

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requireNoFurtherInputs()
    try model.requirePlanes()
    let (logits, boxes) = try QueryOutputs.find(in: model)
    let masks = model.session.outputs.first { $0.name == "masks" }?.name
    var usual = DetectorPreprocessing(.imageNet)
    usual.keepsFractions = true
    var reading = DetectorReading(
      preprocessing: model.askedPreprocessing ?? usual, units: .parts,
      decode: QueryOutputs.decoding(.sigmoid, logits: logits, boxes: boxes, masks: masks))
    if masks != nil { reading.outlines = .polygon }
    if logits.name != "labels" || boxes.name != "dets" { reading.doubt = QueryOutputs.doubt }
    return reading
  }
}

/// DETR and YOLOS: the last class means that there is nothing.
enum DETRFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "detr",
    summary: "DETR, YOLOS, Table Transformer: logits with a last class of nothing, and boxes")

  /// The types of transformers with this head.
  private static let types: Set = ["detr", "yolos", "table-transformer"]

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requirePlanes()
    let further = try QueryOutputs.furtherInputs(of: model)
    let (logits, boxes) = try QueryOutputs.find(in: model, ofTypes: types)
    let doubt = model.companions.modelType == nil ? QueryOutputs.doubt : nil
    var usual = DetectorPreprocessing(.imageNet)
    usual.framing =
      try model.size() == nil ? .shorterSide(800, longerAtMost: 1333) : .stretched
    return DetectorReading(
      doubt: doubt,
      preprocessing: try model.askedPreprocessing
        ?? QueryOutputs.preprocessing(of: model, usual: usual),
      units: .parts, furtherInputs: further,
      decode: QueryOutputs.decoding(.softmax, logits: logits, boxes: boxes))
  }
}

/// The outputs of detectors with queries.
private enum QueryOutputs {
  static let doubt =
    "logits and boxes do not say whether the last class means nothing, and how pixels are normalized"

  /// The mask of the pixels that are the photo, which Optimum's exports of DETR want: all of them.
  ///
  /// - Throws: ``UnfitModel`` if the model wants anything else.
  static func furtherInputs(
    of model: DetectorFacts
  ) throws -> @Sendable (CanvasPlace, PixelSize) throws -> [String: Tensor] {
    guard let mask = model.furtherInputs.first else { return { _, _ in [:] } }
    guard model.furtherInputs.count == 1, mask.name == "pixel_mask",
      mask.shape?.count ?? 3 == 3, mask.elementType == .int64 || mask.elementType == .bool
    else { throw UnfitModel(reason: "it also wants \(mask)") }
    let element = mask.elementType
    return { place, _ in
      let (width, height) = place.networkSize
      let shape = [1, height, width]
      let ones =
        element == .bool
        ? try Tensor(shape: shape, [Bool](repeating: true, count: width * height))
        : try Tensor(shape: shape, [Int64](repeating: 1, count: width * height))
      return ["pixel_mask": ones]
    }
  }

  /// The logits and the boxes of a model.
  static func find(
    in model: DetectorFacts
  ) throws -> (logits: ValueDescription, boxes: ValueDescription) {
    let outputs = model.session.outputs
    func named(_ names: [String]) -> ValueDescription? {
      outputs.first { names.contains($0.name) }
    }
    if let logits = named(["logits", "pred_logits", "labels"]),
      let boxes = named(["pred_boxes", "boxes", "dets"]), logits.elementType.isFloatingPoint
    {
      return (logits, boxes)
    }
    guard outputs.count == 2 else {
      throw UnfitModel(reason: "it has \(outputs.count) outputs, not logits and boxes of queries")
    }
    let shapes = try outputs.map { try model.shape(of: $0) }
    guard shapes.allSatisfy({ $0.count == 3 && $0[0] == 1 }), shapes[0][1] == shapes[1][1],
      let boxes = shapes.firstIndex(where: { $0[2] == 4 })
    else { throw UnfitModel(reason: "its outputs are not logits and boxes of queries") }
    // Two outputs of four columns: the second is that of the boxes, as in every export that is
    // known.
    let place = shapes[1][2] == 4 ? 1 : boxes
    return (outputs[1 - place], outputs[place])
  }

  /// The same for heads whose logits are not called labels, of one of these types of transformers
  /// if a file says the type.
  static func find(
    in model: DetectorFacts, ofTypes types: Set<String>
  ) throws -> (logits: ValueDescription, boxes: ValueDescription) {
    let found = try find(in: model)
    guard found.logits.name != "labels" else {
      throw UnfitModel(reason: "its outputs are named as RF-DETR's are")
    }
    if let type = model.companions.modelType, !types.contains(type) {
      throw UnfitModel(reason: "the config.json beside it says \(type)")
    }
    return found
  }

  /// The rule that the files beside the model say, or the usual one of its kind.
  static func preprocessing(
    of model: DetectorFacts, usual: DetectorPreprocessing
  ) throws -> DetectorPreprocessing {
    guard let processor = model.companions.processor else { return usual }
    var rule = usual
    rule.normalization = processor.normalization
    if processor.resample == 3 { rule.resampling = .bicubic }
    if try model.size() == nil, let shortest = processor.size?.shortestEdge, shortest > 0 {
      rule.framing = .shorterSide(
        shortest, longerAtMost: max(processor.size?.longestEdge ?? 1333, 1))
    } else {
      rule.framing = .stretched
    }
    return rule
  }

  static func decoding(
    _ activation: QueryHead.Activation, logits: ValueDescription, boxes: ValueDescription,
    masks: String? = nil
  ) -> @Sendable ([String: Tensor], Float) throws -> DetectorReading.Answer {
    let head = QueryHead(activation)
    let (logits, boxes) = (logits.name, boxes.name)
    return { outputs, minimum in
      let found = try head.candidates(
        logits: outputs.head(logits), boxes: outputs.head(boxes), minimumScore: minimum)
      guard let masks else { return DetectorReading.Answer(candidates: found) }
      let stack = try MaskStack(outputs.head(masks))
      return DetectorReading.Answer(candidates: found) { candidate in
        try stack.outline(ofRow: candidate.row, above: 0)?
          .map { $0.scaled(x: 1 / Double(stack.width), y: 1 / Double(stack.height)) }
      }
    }
  }
}
