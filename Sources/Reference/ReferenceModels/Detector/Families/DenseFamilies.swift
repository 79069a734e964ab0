import DetectionDecode
import ONNXRunner
import Raster

/// YOLO-NAS and what answers as it does: DAMO-YOLO, and PP-YOLOE without its suppression.
enum YOLONASFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "yolo-nas",
    summary:
      "YOLO-NAS, DAMO-YOLO: boxes [1, N, 4], corners in pixels, and classes [1, N, C] for each place"
  )

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requireNoFurtherInputs()
    guard model.image.layout == .planes else {
      throw UnfitModel(reason: "its photo is \(model.image.description)")
    }
    // super-gradients exports the change to BGR and the division with the network, which then takes
    // bytes.
    let takesBytes = model.image.description.elementType == .uint8
    var usual = DetectorPreprocessing(.yolo)
    if !takesBytes { usual.order = .bgr }
    let doubt =
      takesBytes || model.askedPreprocessing != nil
      ? nil : "boxes and classes of each place do not say how pixels are normalized"
    if let lists = try suppressed(model) {
      return DetectorReading(
        doubt: doubt, preprocessing: model.askedPreprocessing ?? usual, units: .networkPixels,
        decode: lists)
    }
    let (boxes, scores) = try pair(of: model)
    let head = DenseHead(boxes: .given(.corners))
    return DetectorReading(
      doubt: doubt, preprocessing: model.askedPreprocessing ?? usual, units: .networkPixels,
      suppression: .withinClasses(0.7),
      decode: { outputs, minimum in
        DetectorReading.Answer(
          candidates: try head.candidates(
            scores: outputs.head(scores), boxes: outputs.head(boxes), minimumScore: minimum))
      })
  }

  /// What an export with the suppression inside answers; nil if it is not one.
  private static func suppressed(
    _ model: DetectorFacts
  ) throws -> (@Sendable ([String: Tensor], Float) throws -> DetectorReading.Answer)? {
    let names = ["num_predictions", "pred_boxes", "pred_scores", "pred_classes"]
    guard Set(names).isSubset(of: model.session.outputs.map(\.name)) else { return nil }
    return DetectionLists(boxForm: .corners).decoding(
      boxes: "pred_boxes", scores: "pred_scores", classes: "pred_classes",
      count: "num_predictions")
  }

  /// The names of the boxes and of the classes.
  private static func pair(of model: DetectorFacts) throws -> (boxes: String, scores: String) {
    guard model.session.outputs.count == 2 else {
      throw UnfitModel(reason: "it has \(model.session.outputs.count) outputs")
    }
    let size = try model.neededSize()
    var shapes: [(name: String, shape: [Int])] = []
    for output in model.session.outputs {
      guard output.shape?.count ?? 3 == 3 else {
        throw UnfitModel(reason: "\(output) is not a list")
      }
      shapes.append((output.name, try model.shape(of: output)))
    }
    guard
      shapes.allSatisfy({ $0.shape.count == 3 && $0.shape[0] == 1 }),
      shapes[0].shape[1] == shapes[1].shape[1],
      model.anchors(ofCandidates: shapes[0].shape[1], size: size) == 1
    else {
      throw UnfitModel(
        reason: "its outputs are not [1, N, 4] and [1, N, C] for each place of the grid")
    }
    let fours = shapes.filter { $0.shape[2] == 4 }
    guard fours.count == 1, let other = shapes.first(where: { $0.name != fours[0].name }) else {
      throw UnfitModel(reason: "\(fours.count) of its outputs are [1, N, 4]")
    }
    return (fours[0].name, other.name)
  }
}

/// PP-PicoDet as PaddleDetection exports it without its suppression.
enum PicoDetFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "picodet",
    summary: "PP-PicoDet: for each stride classes [1, N, C] and distances to the sides [1, N, 4 B]")

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requireNoFurtherInputs()
    try model.requirePlanes()
    let size = try model.neededSize()
    let levels = try levels(of: model, size: size)
    var usual = DetectorPreprocessing(.imageNet)
    usual.resampling = .bilinear
    return DetectorReading(
      preprocessing: model.askedPreprocessing ?? usual, units: .networkPixels,
      suppression: .withinClasses(0.5),
      decode: { outputs, minimum in
        var found: [DetectionCandidate] = []
        for level in levels {
          found += try level.head.candidates(
            scores: outputs.head(level.scores), boxes: outputs.head(level.boxes),
            minimumScore: minimum)
        }
        return DetectorReading.Answer(candidates: found)
      })
  }

  /// One map and its outputs.
  private struct Level {
    let head: DenseHead
    let scores: String
    let boxes: String
  }

  /// The maps: of strides 8, 16, 32 and perhaps 64, two outputs each.
  private static func levels(of model: DetectorFacts, size: PixelSize) throws -> [Level] {
    let outputs = model.session.outputs
    guard [6, 8].contains(outputs.count) else {
      throw UnfitModel(reason: "it has \(outputs.count) outputs")
    }
    let shapes = try outputs.map { ($0.name, try model.shape(of: $0)) }
    // All maps have the same classes and bins, which are distinguished by their order: scores come
    // first.
    let grid = DetectorGrid.all(size)[outputs.count == 8 ? 1 : 0]
    let half = outputs.count / 2
    return try grid.maps.enumerated().map { index, map in
      let (scores, boxes) = (shapes[index], shapes[half + index])
      let places = map.columns * map.rows
      guard scores.1.count == 3, boxes.1.count == 3, scores.1[1] == places, boxes.1[1] == places,
        scores.1[2] == shapes[0].1[2], boxes.1[2] == shapes[half].1[2],
        boxes.1[2].isMultiple(of: 4), boxes.1[2] >= 8
      else {
        throw UnfitModel(
          reason: "its outputs are not classes, then distances, for maps of \(half) strides")
      }
      return Level(
        head: DenseHead(
          boxes: .distances(columns: map.columns, rows: map.rows, stride: map.stride)),
        scores: scores.0, boxes: boxes.0)
    }
  }
}
