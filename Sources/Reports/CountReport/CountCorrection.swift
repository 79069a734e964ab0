import Counting
import Foundation
import Geometry

/// A person's changes to a count: objects removed, moved and added.
///
/// It is stored beside the machine's result and does not replace it. As JSON, which the report page
/// saves, it is an object; boxes are left, top, right and bottom in pixels of the upright photo:
///
/// ```json
/// {"tallyCorrection": 1, "width": 800, "height": 600, "count": 24,
///  "removed": [[10, 20, 60, 71.5]], "moved": [{"from": [90, 20, 140, 70], "to": [92, 20, 144, 70]}],
///  "added": [[300, 310, 352, 360]]}
/// ```
///
/// Boxes identify the machine's objects, so that a correction does not depend on the order of a
/// result.
public struct CountCorrection: Hashable, Sendable {
  /// An object whose box a person changed.
  public struct Move: Hashable, Sendable {
    /// The machine's box.
    public var from: Box
    /// The person's box.
    public var to: Box

    /// Makes a move.
    public init(from: Box, to: Box) {
      self.from = from
      self.to = to
    }
  }

  /// The photo's width in pixels.
  public var width: Int
  /// The photo's height in pixels.
  public var height: Int
  /// The machine's count.
  public var count: Int
  /// Boxes of the main kind that are not objects, or must not be counted.
  public var removed: [Box]
  /// Boxes of the main kind that were moved.
  public var moved: [Move]
  /// Objects that the machine did not count.
  public var added: [Box]

  /// The greatest number of boxes in a correction.
  public static let mostBoxes = 100_000

  /// Makes a correction of a result.
  public init(
    of result: CountingResult, removed: [Box] = [], moved: [Move] = [], added: [Box] = []
  ) {
    (width, height, count) = (result.width, result.height, result.count)
    (self.removed, self.moved, self.added) = (removed, moved, added)
  }

  /// Reads a correction from the bytes of its JSON.
  ///
  /// - Throws: ``CountCorrectionError``.
  public init(json: Data) throws(CountCorrectionError) {
    let file: CorrectionFile
    do {
      file = try JSONDecoder().decode(CorrectionFile.self, from: json)
    } catch DecodingError.keyNotFound(let key, _) {
      throw .notACorrection("the field '\(key.stringValue)' is missing")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context)
    {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw .notACorrection("the field '\(path)' is of the wrong kind")
    } catch {
      throw .notACorrection("it is not a JSON object of a correction")
    }
    guard file.tallyCorrection == 1 else { throw .version(file.tallyCorrection) }
    guard file.width > 0, file.height > 0, file.count >= 0 else {
      throw .notACorrection("width, height and count must be above 0, 0 and -1")
    }
    let boxes = file.removed.count + file.moved.count + file.added.count
    guard boxes <= Self.mostBoxes else {
      throw .notACorrection("it has \(boxes) boxes; the most are \(Self.mostBoxes)")
    }
    (width, height, count) = (file.width, file.height, file.count)
    removed = try file.removed.map { numbers throws(CountCorrectionError) in
      try Self.box(numbers)
    }
    added = try file.added.map { numbers throws(CountCorrectionError) in try Self.box(numbers) }
    moved = try file.moved.map { move throws(CountCorrectionError) in
      Move(from: try Self.box(move.from), to: try Self.box(move.to))
    }
  }

  /// The correction as JSON.
  public func json() throws -> Data {
    func numbers(_ box: Box) -> [Float] { [box.minX, box.minY, box.maxX, box.maxY] }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return try encoder.encode(
      CorrectionFile(
        tallyCorrection: 1, width: width, height: height, count: count,
        removed: removed.map(numbers),
        moved: moved.map { .init(from: numbers($0.from), to: numbers($0.to)) },
        added: added.map(numbers)))
  }

  private static func box(_ numbers: [Float]) throws(CountCorrectionError) -> Box {
    guard numbers.count == 4, numbers.allSatisfy({ $0.isFinite && $0.magnitude <= 1e6 }),
      numbers[0] < numbers[2], numbers[1] < numbers[3]
    else { throw .box(numbers) }
    return Box(minX: numbers[0], minY: numbers[1], maxX: numbers[2], maxY: numbers[3])
  }
}

/// The fields of the JSON.
private struct CorrectionFile: Codable {
  struct Move: Codable {
    let from: [Float]
    let to: [Float]
  }
  let tallyCorrection: Int
  let width: Int
  let height: Int
  let count: Int
  let removed: [[Float]]
  let moved: [Move]
  let added: [[Float]]
}

/// The reason why something is not a correction, or not one of this count.
public enum CountCorrectionError: Error, Equatable, CustomStringConvertible {
  /// The bytes are not a correction, with the reason.
  case notACorrection(String)
  /// An unknown version.
  case version(Int)
  /// Four numbers that are not a box.
  case box([Float])
  /// A photo of another size.
  case photo(width: Int, height: Int, expectedWidth: Int, expectedHeight: Int)
  /// A box of the main kind that is not in the result.
  case unknownObject(Box)

  /// The wrong value and the expected one, in one line.
  public var description: String {
    switch self {
    case .notACorrection(let reason):
      "this is not a correction of a count: \(reason)"
    case .version(let version):
      "the correction is of version \(version); this program reads version 1"
    case .box(let numbers):
      "\(numbers.prefix(8)) is not a box; a box has left, top, right and bottom, left < right, top "
        + "< bottom"
    case .photo(let width, let height, let expectedWidth, let expectedHeight):
      "the correction is of a photo of \(width) x \(height) pixels; this one has \(expectedWidth) x "
        + "\(expectedHeight)"
    case .unknownObject(let box):
      "the correction is of another count: this one has no object of the main kind at "
        + "(\(box.minX), \(box.minY)) to (\(box.maxX), \(box.maxY))"
    }
  }
}
