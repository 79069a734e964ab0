import Evaluation
import Foundation
import Geometry
import Raster

/// A photo and what is true of it.
struct TruePhoto: Sendable {
  /// The photo's name in `truth.json`.
  let name: String
  /// Where it is.
  let path: String
  /// The number of objects of the main kind.
  let main: Int
  /// The number of all objects.
  let all: Int
  /// How far the truth is in doubt.
  let tolerance: Int
  /// The objects of the main kind, where they are known one by one.
  let mainObjects: TrueObjects?
  /// All objects, where they are known one by one.
  let allObjects: TrueObjects?
  /// The size that the points were marked at.
  let size: (width: Int, height: Int)?

  /// Whether all objects are of one kind.
  var isOneKind: Bool { main == all }

  /// Refuses a photo that the points were not marked on.
  func check(_ image: Raster) throws(CommandError) {
    guard let size, size != (image.width, image.height) else { return }
    throw CommandError(
      .badData, at: path,
      "the photo is \(image.width) x \(image.height) pixels, and its points are marked on "
        + "\(size.width) x \(size.height)")
  }
}

/// A folder with photos and their truth.
struct TruthFolder: Sendable {
  /// The photos, by name.
  let photos: [TruePhoto]

  /// Reads `truth.json` in the folder at `path`, and the file with points where one is given.
  ///
  /// - Throws: ``CommandError`` where a file is not there, is no JSON of this kind, or the two
  ///   contradict each other.
  init(_ path: String, points pointsPath: String?, minimumIoU: Double) throws(CommandError) {
    let folder = try InputFile.existingFolder(path)
    let truthPath = folder.appendingPathComponent("truth.json").path
    let truths: [String: TruthEntry] = try TruthFile.decoded(truthPath)
    guard !truths.isEmpty else {
      throw CommandError(.badData, at: truthPath, "names no photo; it must name at least one")
    }
    let marked: [String: PointsEntry] = try pointsPath.map(TruthFile.decoded) ?? [:]
    var photos: [TruePhoto] = []
    for (name, entry) in truths.sorted(by: { $0.key < $1.key }) {
      if let fault = entry.fault ?? (name.isEmpty ? "the photo has no name" : nil) {
        throw CommandError(.badData, at: truthPath, "\"\(name)\": \(fault)")
      }
      let points = marked[name]
      if let pointsPath, let fault = points?.fault(against: entry) {
        throw CommandError(.badData, at: pointsPath, "\"\(name)\": \(fault)")
      }
      let boxes = entry.boxes.map { TrueObjects.boxes($0.map(\.box), minimumIoU: minimumIoU) }
      let allPoints = points.map { TrueObjects.points($0.kinds.values.flatMap { $0.map(\.point) }) }
      let mainPoints = points.map { TrueObjects.points($0.mainKind.map(\.point)) }
      photos.append(
        TruePhoto(
          name: name, path: folder.appendingPathComponent(name).path, main: entry.main,
          all: entry.all, tolerance: entry.plusOrMinus ?? 0,
          mainObjects: mainPoints ?? (entry.main == entry.all ? boxes : nil),
          allObjects: allPoints ?? boxes, size: points.map { ($0.width, $0.height) }))
    }
    self.photos = photos
  }
}

/// What `truth.json` says of a photo.
private struct TruthEntry: Decodable {
  let main, all: Int
  let plusOrMinus: Int?
  let boxes: [TruthRow]?

  enum CodingKeys: String, CodingKey {
    case main, all, boxes
    case plusOrMinus = "plus_or_minus"
  }

  /// What makes no sense, nil where all does.
  var fault: String? {
    if main < 0 || all < main {
      return "main is \(main) and all is \(all); 0 <= main <= all is needed"
    }
    if let plusOrMinus, plusOrMinus < 0 {
      return "plus_or_minus is \(plusOrMinus); it must be at least 0"
    }
    guard let boxes else { return nil }
    if boxes.count != all { return "\(boxes.count) boxes where all is \(all)" }
    let bad = boxes.firstIndex { $0.values.count != 4 || !$0.box.isFinite }
    return bad.map { "box \($0) must be four numbers: left, top, right, bottom" }
  }
}

/// What the file with points says of a photo.
private struct PointsEntry: Decodable {
  let width, height: Int
  let kinds: [String: [TruthRow]]

  /// The points of the largest kind.
  var mainKind: [TruthRow] {
    kinds.sorted { $0.key < $1.key }.map(\.value).max { $0.count < $1.count } ?? []
  }

  /// What makes no sense or contradicts the totals, nil where nothing does.
  func fault(against truth: TruthEntry) -> String? {
    let rows = kinds.values.flatMap { $0 }
    if let row = rows.first(where: { !$0.isPoint }) {
      return "\(row.values) must be three numbers: x, y and a radius of at least 0"
    }
    let doubt = truth.plusOrMinus ?? 0
    if abs(rows.count - truth.all) > doubt {
      return "\(rows.count) points where truth.json has \(truth.all) objects"
    }
    let main = mainKind.count
    if abs(main - truth.main) > doubt {
      return "the largest kind has \(main) points where truth.json has \(truth.main)"
    }
    return nil
  }
}

/// A row of numbers: a point with its radius, or a box.
private struct TruthRow: Decodable {
  let values: [Double]

  init(from decoder: any Decoder) throws {
    values = try decoder.singleValueContainer().decode([Double].self)
  }

  var isPoint: Bool { values.count == 3 && values.allSatisfy(\.isFinite) && values[2] >= 0 }

  /// The row as a point; an infinite one where it is none, which was refused before.
  var point: TruePoint {
    guard values.count == 3 else { return TruePoint(point: Point(x: .nan, y: .nan), radius: 0) }
    return TruePoint(point: Point(x: values[0], y: values[1]), radius: values[2])
  }

  /// The row as a box; one that is not finite where it is none.
  var box: Box {
    guard values.count == 4 else { return Box(minX: .nan, minY: .nan, maxX: .nan, maxY: .nan) }
    return Box(
      minX: Float(values[0]), minY: Float(values[1]), maxX: Float(values[2]), maxY: Float(values[3])
    )
  }
}

/// Files with truth in them.
private enum TruthFile {
  /// The file at `path`, decoded from JSON.
  static func decoded<Value: Decodable>(_ path: String) throws(CommandError) -> Value {
    try JSONFile.decoded(JSONFile.data(path), path)
  }
}
