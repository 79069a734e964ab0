import DetectionDecode
import ONNXRunner

/// YOLOv5, YOLOv7 and others with three anchors at each place and objectness, and YOLOv6 with one.
enum YOLOv5Family: DetectorFamily {
  static let head = DetectorHead(
    name: "yolov5", summary: "YOLOv5, v6 and v7: [1, N, 5 + C] with objectness, boxes in pixels")

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requireNoFurtherInputs()
    try model.requirePlanes()
    let size = try model.neededSize()
    let (table, masks) = try TableOutputs.find(in: model)
    let shape = try model.shape(of: table)
    guard shape.count == 3, shape[0] == 1, shape[2] > 5 else {
      throw UnfitModel(reason: "its output is \(shape), not [1, N, 5 + C]")
    }
    guard let anchors = model.anchors(ofCandidates: shape[1], size: size) else {
      throw UnfitModel(
        reason: "\(shape[1]) candidates are not one or three for each place of the grid")
    }
    let coefficients = try masks.map { try model.shape(of: $0)[1] } ?? 0
    guard shape[2] - 5 - coefficients >= 1 else {
      throw UnfitModel(reason: "\(shape[2]) columns are too few for \(coefficients) of a mask")
    }
    let layout = try CandidateTable.yolov5(
      classCount: shape[2] - 5 - coefficients, coefficientCount: coefficients)
    var reading = DetectorReading(
      preprocessing: model.askedPreprocessing ?? DetectorPreprocessing(.yolo),
      units: .networkPixels, suppression: .withinClasses(0.45),
      decode: TableOutputs.decoding(layout, table: table.name, masks: masks?.name, size: size))
    if masks != nil { reading.outlines = .polygon }
    if anchors == 1 {
      reading.doubt =
        "its rows could be objectness and \(shape[2] - 5) classes, or \(shape[2] - 4) classes"
    }
    return reading
  }
}

/// The outputs of a detector with a table of candidates: the table, and prototypes of masks beside
/// it.
enum TableOutputs {
  /// The outputs of a model.
  ///
  /// - Throws: ``UnfitModel`` if there are others.
  static func find(
    in model: DetectorFacts
  ) throws -> (table: ValueDescription, masks: ValueDescription?) {
    // Some exports of YOLOv5 and YOLOv7 also answer the maps that the table was made of: [1, 3, H,
    // W, 5 + C].
    let outputs = model.session.outputs.filter { $0.shape?.count != 5 }
    guard let table = outputs.first, outputs.count <= 2 else {
      throw UnfitModel(reason: "it has \(outputs.count) outputs")
    }
    guard outputs.count == 2 else { return (table, nil) }
    let shape = try model.shape(of: outputs[1])
    guard shape.count == 4, shape[0] == 1, (1...1024).contains(shape[1]) else {
      throw UnfitModel(reason: "its second output is \(shape), not prototypes [1, K, H, W]")
    }
    return (table, outputs[1])
  }

  /// Reads a table, and outlines from prototypes that cover the network's input.
  static func decoding(
    _ layout: CandidateTable, table: String, masks: String?, size: PixelSize
  ) -> @Sendable ([String: Tensor], Float) throws -> DetectorReading.Answer {
    { outputs, minimum in
      let rows = try outputs.head(table)
      let found = try layout.candidates(in: rows, minimumScore: minimum)
      guard let masks else { return DetectorReading.Answer(candidates: found) }
      let prototypes = try PrototypeMasks(outputs.head(masks))
      let (x, y) = (
        Double(size.width) / Double(prototypes.width),
        Double(size.height) / Double(prototypes.height)
      )
      return DetectorReading.Answer(candidates: found) { candidate in
        let bounds = candidate.box.scaled(x: Float(1 / x), y: Float(1 / y))
        return try prototypes.field(
          coefficients: layout.coefficients(ofRow: candidate.row, in: rows), within: bounds
        ).outline(above: 0, within: bounds)?.map { $0.scaled(x: x, y: y) }
      }
    }
  }
}
