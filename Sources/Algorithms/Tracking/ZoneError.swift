import Geometry

/// The reason why a ``LineZone`` or a ``PolygonZone`` cannot be made.
public enum ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The ends of the line are one point, or too far apart, or a coordinate is not finite.
  case lineWithoutLength(LineSegment)
  /// There are fewer than three corners, all lie on one line, or a coordinate is not finite.
  case polygonWithoutArea(corners: Int)
  /// There is no anchor to look at.
  case noAnchors
  /// A number of frames is outside its range.
  case outOfRange(field: String, value: Int, range: ClosedRange<Int>)

  /// The wrong value and the expected one, in one line.
  public var description: String {
    switch self {
    case .lineWithoutLength(let line):
      "the line is \(line.start.x), \(line.start.y) to \(line.end.x), \(line.end.y); "
        + "it must have a finite length above 0"
    case .polygonWithoutArea(let corners):
      "a polygon of \(corners) corners without an area; there must be at least three finite "
        + "corners that are not on one line"
    case .noAnchors:
      "there is no anchor; a zone needs at least one"
    case .outOfRange(let field, let value, let range):
      "\(field) is \(value); it must be in \(range.lowerBound)...\(range.upperBound)"
    }
  }
}

/// The settings that all zones share.
struct ZoneRules: Hashable, Sendable, Codable {
  let anchors: [BoxAnchor]
  let minimumFrames: Int
  let maximumMisses: Int

  init(anchors: [BoxAnchor], minimumFrames: Int, maximumMisses: Int) throws(ZoneError) {
    guard !anchors.isEmpty else { throw .noAnchors }
    let fields = [
      ("minimumFrames", minimumFrames, 1...1_000_000),
      ("maximumMisses", maximumMisses, 0...1_000_000),
    ]
    for (field, value, range) in fields where !range.contains(value) {
      throw .outOfRange(field: field, value: value, range: range)
    }
    self.anchors = anchors
    self.minimumFrames = minimumFrames
    self.maximumMisses = maximumMisses
  }

  /// Decodes settings and checks them; wrong ones are `dataCorrupted`.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let anchors = try values.decode([BoxAnchor].self, forKey: .anchors)
    let minimumFrames = try values.decode(Int.self, forKey: .minimumFrames)
    let maximumMisses = try values.decode(Int.self, forKey: .maximumMisses)
    self = try decoder.zone { () throws(ZoneError) in
      try Self(anchors: anchors, minimumFrames: minimumFrames, maximumMisses: maximumMisses)
    }
  }
}

extension Decoder {
  /// Makes a part of a zone; rethrows zone errors as `dataCorrupted`.
  func zone<Value>(_ make: () throws(ZoneError) -> Value) throws -> Value {
    do {
      return try make()
    } catch {
      throw corrupted(error.description)
    }
  }

  /// The error for values that no zone has.
  func corrupted(_ reason: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
  }
}

extension Int {
  /// Adds a number that is at least 0; a sum that is too large becomes the largest.
  ///
  /// Numbers that a zone is decoded with may be of any size.
  mutating func addSaturating(_ other: Int) {
    let (sum, overflow) = addingReportingOverflow(other)
    self = overflow ? .max : sum
  }
}

extension Sequence<IdentifiedBox> {
  /// The boxes with finite coordinates, and the first one only of each number.
  func usable() -> [IdentifiedBox] {
    var seen: Set<Int> = []
    return filter { $0.box.isFinite && seen.insert($0.id).inserted }
  }
}
