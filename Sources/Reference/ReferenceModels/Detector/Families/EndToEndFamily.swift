import DetectionDecode
import ONNXRunner

/// YOLO networks with the suppression inside: v10, YOLO26, and Ultralytics exports with `nms=True`.
enum EndToEndFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "end-to-end",
    summary:
      "YOLOv10, YOLO26, exports with nms=True: [1, N, 6 ...], corners in pixels, score, class")

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requireNoFurtherInputs()
    try model.requirePlanes()
    let size = try model.neededSize()
    let (table, masks) = try TableOutputs.find(in: model)
    let shape = try model.shape(of: table)
    guard shape.count == 3, shape[0] == 1, shape[2] >= 6 else {
      throw UnfitModel(reason: "its output is \(shape), not [1, N, 6]")
    }
    guard !model.isUltralyticsRTDETR else {
      throw UnfitModel(reason: "its metadata calls it an RT-DETR")
    }
    let more = shape[2] - 6
    let task = model.properties["task"]
    let extra: CandidateTable.Extra
    switch (task, more) {
    case (_, 0): extra = .none
    case ("obb", 1): extra = .angle
    case (_, 1...) where masks != nil: extra = .coefficients(more)
    case ("pose", _): extra = .unread(more)
    default: throw UnfitModel(reason: "it is not known what its \(shape[2]) columns mean")
    }
    var doubt: String?
    if !saysSo(model) {
      // If the file does not say it, only the numbers show it: whole classes, and boxes in pixels.
      let values = try model.trial()[table.name]?.floats() ?? []
      if model.anchors(ofCandidates: shape[1], size: size) != nil {
        doubt = "its \(shape[1]) rows could be candidates before suppression"
      } else if !looksDone(values, columns: shape[2]) {
        doubt = "a trial run does not show whether its rows are corners, a score and a class"
      }
    }
    // Rotated boxes keep their center and size.
    let layout = try CandidateTable.endToEnd(
      boxForm: extra == .angle ? .centerSize : .corners, extra: extra)
    var reading = DetectorReading(
      doubt: doubt,
      preprocessing: model.askedPreprocessing ?? DetectorPreprocessing(.yolo),
      units: .networkPixels,
      decode: TableOutputs.decoding(layout, table: table.name, masks: masks?.name, size: size))
    reading.outlines = extra == .angle ? .rotatedBox : masks != nil ? .polygon : nil
    return reading
  }

  /// Whether the metadata says that duplicates are suppressed.
  private static func saysSo(_ model: DetectorFacts) -> Bool {
    if model.properties["end2end"] == "True" { return true }
    return model.properties["args"]?.contains("'nms': True") == true
  }

  /// Whether rows are corners beyond 2 in their order, a score in 0...1 and a whole class.
  private static func looksDone(_ values: [Float], columns: Int) -> Bool {
    var seen = 0
    for start in stride(from: 0, to: values.count - columns + 1, by: columns) {
      let row = values[start..<start + 6].map(\.self)
      if row.allSatisfy({ $0 == 0 }) { continue }
      guard row[2] >= row[0], row[3] >= row[1], row[4] >= 0, row[4] <= 1, row[5] >= 0,
        row[5] == row[5].rounded()
      else { return false }
      if max(row[2], row[3]) > 2 { seen += 1 }
    }
    return seen > 0
  }
}

/// YOLOv7 with the suppression inside, as its own repository exports it.
enum YOLOv7EndToEndFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "yolov7-end-to-end",
    summary: "YOLOv7 with its suppression: [N, 7], image, corners in pixels, class, score")

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requireNoFurtherInputs()
    try model.requirePlanes()
    let output = try model.onlyOutput()
    guard output.shape?.count ?? 2 == 2, output.fixedExtent(1) ?? 7 == 7,
      try model.shape(of: output).last == 7
    else { throw UnfitModel(reason: "its output is \(output), not [N, 7]") }
    let layout = try CandidateTable(
      columnCount: 7, boxColumn: 1, boxForm: .corners, scores: .best(score: 6, classID: 5))
    let name = output.name
    return DetectorReading(
      preprocessing: model.askedPreprocessing ?? DetectorPreprocessing(.yolo),
      units: .networkPixels,
      decode: { outputs, minimum in
        DetectorReading.Answer(
          candidates: try layout.candidates(in: outputs.head(name), minimumScore: minimum))
      })
  }
}

extension DetectorFacts {
  /// Whether Ultralytics wrote the file from an RT-DETR.
  var isUltralyticsRTDETR: Bool {
    if properties["head"] == "RTDETRDecoder" { return true }
    return properties["author"] == "Ultralytics"
      && properties["description"]?.lowercased().contains("rtdetr") == true
  }
}
