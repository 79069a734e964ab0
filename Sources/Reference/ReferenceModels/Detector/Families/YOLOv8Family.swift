import DetectionDecode
import ONNXRunner

/// YOLOv8 and what has its head: YOLOv5u, v6, v9, 11 and 12.
enum YOLOv8Family: DetectorFamily {
  static let head = DetectorHead(
    name: "yolov8",
    summary:
      "YOLOv8, v9, 11, 12, v5u: [1, 4 + C, N] or [1, N, 4 + C], boxes in pixels; -seg and -obb too")

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try model.requireNoFurtherInputs()
    try model.requirePlanes()
    let size = try model.neededSize()
    let (table, masks) = try TableOutputs.find(in: model)
    let shape = try model.shape(of: table)
    guard shape.count == 3, shape[0] == 1 else {
      throw UnfitModel(reason: "its output is \(shape), not [1, 4 + C, N]")
    }
    let isTransposed = model.anchors(ofCandidates: shape[2], size: size) == 1
    guard isTransposed || model.anchors(ofCandidates: shape[1], size: size) == 1 else {
      throw UnfitModel(
        reason: "its output is \(shape), which is not one candidate for each place of the grid")
    }
    let (rows, columns) = isTransposed ? (shape[2], shape[1]) : (shape[1], shape[2])
    let coefficients = try masks.map { try model.shape(of: $0)[1] } ?? 0
    let classes = try classes(in: columns, coefficients: coefficients, of: model)
    let values = try model.trial()[table.name]?.floats() ?? []
    var doubt = classes.doubt
    if !GridBoxes.liesOnGrid(
      values, rows: rows, columns: columns, isTransposed: isTransposed, size: size)
    {
      doubt = "its boxes do not lie on the grid"
    } else if model.names == nil {
      if !isTransposed {
        doubt =
          "its rows could be \(columns - 4) classes, or objectness and \(columns - 5) classes"
      } else if coefficients == 0, !areProbabilities(values, rows: rows, columns: 4..<columns) {
        doubt = "what follows the boxes are not probabilities of \(columns - 4) classes alone"
      }
    }
    let layout = try CandidateTable.yolov8(
      classCount: classes.count, extra: classes.extra, isTransposed: isTransposed)
    var reading = DetectorReading(
      doubt: doubt,
      preprocessing: model.askedPreprocessing ?? DetectorPreprocessing(.yolo),
      units: .networkPixels,
      suppression: classes.extra == .angle ? .rotated(0.7) : .withinClasses(0.7),
      decode: TableOutputs.decoding(layout, table: table.name, masks: masks?.name, size: size))
    reading.outlines = classes.extra == .angle ? .rotatedBox : masks != nil ? .polygon : nil
    return reading
  }

  /// The number of classes, what the columns after them are, and why that may be wrong.
  private static func classes(
    in columns: Int, coefficients: Int, of model: DetectorFacts
  ) throws -> (count: Int, extra: CandidateTable.Extra, doubt: String?) {
    let columnsOfClasses = columns - 4 - coefficients
    guard columnsOfClasses >= 1 else {
      throw UnfitModel(reason: "\(columns) columns are too few for a box and its classes")
    }
    guard let names = model.names?.names.count, names != columnsOfClasses else {
      return (columnsOfClasses, coefficients > 0 ? .coefficients(coefficients) : .none, nil)
    }
    // The task names the columns beyond the classes.
    let more = columnsOfClasses - names
    let task = model.properties["task"]
    switch (task, more) {
    case ("obb", 1) where coefficients == 0: return (names, .angle, nil)
    case ("pose", 1...) where coefficients == 0: return (names, .unread(more), nil)
    case (nil, 1) where coefficients == 0:
      let doubt =
        "its \(columns) columns could be objectness and \(names) classes, or \(names) classes and "
        + "an angle"
      return (names, .unread(1), doubt)
    default:
      throw UnfitModel(reason: "\(columns) columns are not a box and \(names) classes")
    }
  }

  /// Whether all values of some columns lie in 0...1; columns come first.
  private static func areProbabilities(
    _ values: [Float], rows: Int, columns: Range<Int>
  ) -> Bool {
    guard values.count >= columns.upperBound * rows else { return false }
    return values[columns.lowerBound * rows..<columns.upperBound * rows]
      .allSatisfy { $0 >= 0 && $0 <= 1 }
  }
}
