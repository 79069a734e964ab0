import Foundation
import ONNXRunner
import YOLOXDecode

/// YOLOX with its raw head.
enum YOLOXFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "yolox", summary: "YOLOX: [1, N, 5 + C], boxes relative to the cells of the grid")

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try YOLOXShape.reading(of: model, isSelfDecoded: false)
  }
}

/// YOLOX that decodes its boxes itself.
enum DecodedYOLOXFamily: DetectorFamily {
  static let head = DetectorHead(
    name: "yolox-decoded",
    summary: "YOLOX exported with its decoding: [1, N, 5 + C], boxes in pixels")

  static func reading(of model: DetectorFacts) throws -> DetectorReading {
    try YOLOXShape.reading(of: model, isSelfDecoded: true)
  }
}

/// What both have in common.
private enum YOLOXShape {
  static func reading(
    of model: DetectorFacts, isSelfDecoded: Bool
  ) throws -> DetectorReading {
    try model.requireNoFurtherInputs()
    try model.requirePlanes()
    let usual = DetectorPreprocessing(.yolox)
    guard model.askedPreprocessing ?? usual == usual else {
      throw UnfitModel(reason: "photos are prepared for a YOLOX in its own way alone")
    }
    let output = try model.onlyOutput()
    let size = try model.neededSize()
    let shape = try model.shape(of: output)
    guard shape.count == 3, shape[2] > 5 else {
      throw UnfitModel(reason: "its output is \(shape), not [1, N, 5 + C]")
    }
    guard model.anchors(ofCandidates: shape[1], size: size) == 1 else {
      throw UnfitModel(
        reason: "an input of \(size.width) x \(size.height) does not give \(shape[1]) candidates")
    }
    let detector: YOLOXDetector
    do {
      detector = try YOLOXDetector(
        session: model.session, isSelfDecoded: isSelfDecoded, inputSize: size)
    } catch ReferenceModelError.notYOLOX(let reason, _) {
      throw UnfitModel(reason: reason)
    }
    var reading = DetectorReading(
      preprocessing: usual, units: .networkPixels,
      decode: { _, _ in DetectorReading.Answer(candidates: []) })
    reading.own = detector
    let isDecoded = try GridBoxes.liesOnGrid(
      model.trial()[output.name]?.floats() ?? [], rows: shape[1], columns: shape[2], size: size)
    if isDecoded, !isSelfDecoded {
      throw UnfitModel(reason: "its boxes are in pixels, not relative to the cells of the grid")
    }
    if isSelfDecoded, !isDecoded {
      reading.doubt = "its boxes do not lie on the grid"
      return reading
    }
    if isDecoded, model.names?.names.count != shape[2] - 5 {
      reading.doubt =
        "its rows could be objectness and \(shape[2] - 5) classes, or \(shape[2] - 4) classes"
    }
    return reading
  }
}

/// Whether boxes are in pixels already.
enum GridBoxes {
  /// Whether the centers of boxes follow the places of the grid that they are from.
  ///
  /// A decoded center lies near its cell, so that over all rows centers and cells rise together.
  /// What a raw head says is relative to the cell and does not.
  static func liesOnGrid(
    _ values: [Float], rows: Int, columns: Int, isTransposed: Bool = false, size: PixelSize
  ) -> Bool {
    guard values.count == rows * columns, rows > 0 else { return false }
    let grids = DetectorGrid.all(size)
    guard let grid = grids.first(where: { $0.placeCount == rows }) else { return false }
    var centers: [(x: Double, y: Double)] = []
    for (stride, width, height) in grid.maps {
      for y in 0..<height {
        for x in 0..<width {
          centers.append(
            ((Double(x) + 0.5) * Double(stride), (Double(y) + 0.5) * Double(stride)))
        }
      }
    }
    func column(_ index: Int) -> [Double] {
      (0..<rows).map {
        Double(isTransposed ? values[index * rows + $0] : values[$0 * columns + index])
      }
    }
    return correlation(column(0), centers.map(\.x)) > 0.8
      && correlation(column(1), centers.map(\.y)) > 0.8
  }

  /// Pearson's correlation; 0 if one of them does not vary or a number is not finite.
  private static func correlation(_ one: [Double], _ other: [Double]) -> Double {
    let count = Double(one.count)
    let (meanOne, meanOther) = (one.reduce(0, +) / count, other.reduce(0, +) / count)
    var (both, first, second) = (0.0, 0.0, 0.0)
    for (a, b) in zip(one, other) {
      both += (a - meanOne) * (b - meanOther)
      first += (a - meanOne) * (a - meanOne)
      second += (b - meanOther) * (b - meanOther)
    }
    let result = both / (first * second).squareRoot()
    return result.isFinite ? result : 0
  }
}
