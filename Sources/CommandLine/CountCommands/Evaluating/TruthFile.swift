import CommandKit
import Evaluation
import Foundation
import Geometry

/// The entry of a photo in `truth.json`.
struct TruthEntry: Decodable {
  let main, all: Int
  let plusOrMinus: Int?
  let boxes: [TruthRow]?
  let domain, kind: String?

  enum CodingKeys: String, CodingKey {
    case main, all, boxes, domain, kind
    case plusOrMinus = "plus_or_minus"
  }

  /// The error in the entry; nil if there is none.
  var fault: String? {
    if main < 0 || all < main {
      return "main is \(main) and all is \(all); 0 <= main <= all is needed"
    }
    if let plusOrMinus, plusOrMinus < 0 {
      return "plus_or_minus is \(plusOrMinus); it must be at least 0"
    }
    guard let boxes else { return nil }
    if boxes.count != all { return "\(boxes.count) boxes where all is \(all)" }
    if let bad = boxes.firstIndex(where: { $0.values.count != 4 || !$0.box.isFinite }) {
      return
        "box \(bad) must be four numbers, left, top, right and bottom, and after them its kind if "
        + "kinds are known"
    }
    if boxes.contains(where: { $0.kind != nil }),
      let bare = boxes.firstIndex(where: { $0.kind == nil })
    {
      return "box \(bare) has no kind, and others have one"
    }
    guard let mainKind else { return nil }
    let count = boxes.count { $0.kind == mainKind }
    return abs(count - main) > plusOrMinus ?? 0
      ? "\(count) boxes are of the kind \"\(mainKind)\" where main is \(main)" : nil
  }

  /// The kind of the boxes to count.
  ///
  /// It is the named kind, or else the one with most boxes; nil if the boxes have no kinds.
  private var mainKind: String? {
    let kinds = (boxes ?? []).compactMap(\.kind)
    if let kind, kinds.contains(kind) { return kind }
    let sizes = Dictionary(grouping: kinds) { $0 }.mapValues(\.count)
    return sizes.max { $0.value != $1.value ? $0.value < $1.value : $0.key > $1.key }?.key
  }

  /// The boxes, if they are known.
  func trueBoxes(minimumIoU: Double) -> TrueBoxes? {
    guard let boxes else { return nil }
    let isMain: [Bool]? =
      mainKind.map { kind in boxes.map { $0.kind == kind } }
      ?? (main == all ? boxes.map { _ in true } : nil)
    return TrueBoxes(all: boxes.map(\.box), isMain: isMain, minimumIoU: minimumIoU)
  }
}

/// The entry of a photo in the file with points.
struct PointsEntry: Decodable {
  let width, height: Int
  let kinds: [String: [TruthRow]]

  /// The points of the largest kind.
  private var mainKind: [TruthRow] {
    kinds.sorted { $0.key < $1.key }.map(\.value).max { $0.count < $1.count } ?? []
  }

  /// The centres of the largest kind.
  var mainObjects: TrueObjects { .points(mainKind.map(\.point)) }

  /// All centres.
  var allObjects: TrueObjects { .points(kinds.values.flatMap { $0.map(\.point) }) }

  /// An error, or a contradiction with the totals; nil if there is none.
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

/// A row of numbers: a point with its radius, or a box; the kind may follow.
struct TruthRow: Decodable {
  let values: [Double]
  let kind: String?

  init(from decoder: any Decoder) throws {
    var row = try decoder.unkeyedContainer()
    var values: [Double] = []
    var kind: String?
    while !row.isAtEnd {
      if row.currentIndex == 4, let name = try? row.decode(String.self) {
        kind = name
      } else {
        values.append(try row.decode(Double.self))
      }
    }
    self.values = values
    self.kind = kind
  }

  var isPoint: Bool { values.count == 3 && values.allSatisfy(\.isFinite) && values[2] >= 0 }

  /// The row as a point; an infinite one if it is invalid, which was refused before.
  var point: TruePoint {
    guard values.count == 3 else { return TruePoint(point: Point(x: .nan, y: .nan), radius: 0) }
    return TruePoint(point: Point(x: values[0], y: values[1]), radius: values[2])
  }

  /// The row as a box; one that is not finite if it is invalid.
  var box: Box {
    guard values.count == 4 else { return Box(minX: .nan, minY: .nan, maxX: .nan, maxY: .nan) }
    return Box(
      minX: Float(values[0]), minY: Float(values[1]), maxX: Float(values[2]), maxY: Float(values[3])
    )
  }
}

/// Files with truth.
enum TruthFile {
  /// The file at `path`, decoded from JSON.
  static func decoded<Value: Decodable>(_ path: String) throws(CommandError) -> Value {
    try JSONFile.decoded(JSONFile.data(path), path)
  }
}
