import Geometry

/// A line across which objects are counted, in both directions.
///
/// ```swift
/// var tracker = ObjectTracker()
/// var door = try LineZone(
///   LineSegment(start: Point(x: 0, y: 400), end: Point(x: 640, y: 400)),
///   anchors: [.bottomCenter], minimumFrames: 3)
/// for frame in frames {
///   let tracks = tracker.update(with: frame.sightings, at: frame.time)
///   door.update(with: tracks.confirmedBoxes(in: frame.sightings))
/// }
/// door.inCount   // how many went up
/// ```
///
/// The line has a direction. Seen from its start, the inner side is on the left if y grows
/// downward: above a line that runs to the right. An object is on a side if all its anchors are
/// there. Its side is unknown if one anchor is on the line, or not between the perpendiculars
/// through the ends of the line. Frames with an unknown side are skipped.
///
/// The first known side of an object is where it comes from. The object has crossed when it was on
/// the other side in ``minimumFrames`` frames one after the other, without those that are skipped
/// or in which it is missing. Shorter stays on the other side do not count, so an object that
/// jitters on the line is counted once.
///
/// ### Edge cases
/// A box with a coordinate that is not finite is missing. If a frame has several boxes with one
/// number, only the first is used. An object that goes around an end of the line is counted,
/// because only its sides between the perpendiculars are known. If the camera moves, move the boxes
/// by ``ObjectTracker/panoramaOrigin`` first.
///
/// As JSON, a zone is an object with its settings, counts and known objects. A zone that could not
/// be made is not decoded.
///
/// Memory: the objects seen in the last ``maximumMisses`` frames.
///
/// Source: `LineZone` of Roboflow's supervision 0.31. There, an anchor on the line is on the right
/// side, and an object that is missing for more than `minimumFrames` frames (at least one) is
/// forgotten. The other rules are equal.
public struct LineZone: Hashable, Sendable, Codable {
  /// The line.
  public let line: LineSegment
  private let rules: ZoneRules
  /// The number of times that an object went from the outer to the inner side.
  public private(set) var inCount = 0
  /// The number of times that an object went from the inner to the outer side.
  public private(set) var outCount = 0
  private var objects: [Int: Passer] = [:]

  /// The anchors that must all be on one side.
  public var anchors: [BoxAnchor] { rules.anchors }
  /// The number of frames for which an object must be on the other side to have crossed.
  public var minimumFrames: Int { rules.minimumFrames }
  /// The number of consecutive frames in which an object may be missing before it is forgotten.
  public var maximumMisses: Int { rules.maximumMisses }

  /// Makes a zone.
  ///
  /// - Parameters:
  ///   - line: the line, in the space of the boxes.
  ///   - anchors: the anchors that must all be on one side; at least one.
  ///   - minimumFrames: the number of frames for which an object must be on the other side,
  ///     1 to 1,000,000.
  ///   - maximumMisses: the number of consecutive frames in which an object may be missing,
  ///     0 to 1,000,000. After more, the side on which it returns is where it comes from.
  /// - Throws: ``ZoneError`` for a line without a finite length, no anchors, or a number out of its
  ///   range.
  public init(
    _ line: LineSegment, anchors: [BoxAnchor] = BoxAnchor.corners, minimumFrames: Int = 1,
    maximumMisses: Int = 5
  ) throws(ZoneError) {
    guard line.length > 0, line.length.isFinite else { throw .lineWithoutLength(line) }
    self.line = line
    rules = try ZoneRules(
      anchors: anchors, minimumFrames: minimumFrames, maximumMisses: maximumMisses)
  }

  /// Counts the crossings of the next frame.
  ///
  /// - Parameter boxes: the objects of the frame. Call this for frames without objects too.
  /// - Returns: the crossings, in the order of the boxes.
  /// - Complexity: O(*n* + *k*) for *n* boxes and *k* known objects.
  @discardableResult
  public mutating func update(with boxes: [IdentifiedBox]) -> [LineCrossing] {
    let boxes = boxes.usable()
    forgetMissing(besides: Set(boxes.map(\.id)))
    var crossings: [LineCrossing] = []
    for one in boxes {
      guard let isInner = isInner(one.box) else {
        objects[one.id]?.misses = 0
        continue
      }
      var object = objects[one.id] ?? Passer(isInner: isInner)
      object.misses = 0
      if object.crosses(to: isInner, after: minimumFrames) {
        crossings.append(LineCrossing(id: one.id, direction: isInner ? .inward : .outward))
      }
      objects[one.id] = object
    }
    inCount.addSaturating(crossings.count { $0.direction == .inward })
    outCount.addSaturating(crossings.count { $0.direction == .outward })
    return crossings
  }

  /// Counts the frame as missed for the objects that are not in it.
  private mutating func forgetMissing(besides seen: Set<Int>) {
    for (id, object) in objects where !seen.contains(id) {
      objects[id] = object.misses < maximumMisses ? object.missed : nil
    }
  }

  /// Whether the box is on the inner side; nil if that is unknown.
  private func isInner(_ box: Box) -> Bool? {
    var result: Bool?
    let dx = line.end.x - line.start.x
    let dy = line.end.y - line.start.y
    for anchor in anchors {
      let point = anchor.point(of: box)
      let along = (point.x - line.start.x) * dx + (point.y - line.start.y) * dy
      guard along >= 0, along <= dx * dx + dy * dy else { return nil }
      let distance = line.signedDistance(to: point)
      guard distance != 0 else { return nil }
      if let result, result != (distance < 0) { return nil }
      result = distance < 0
    }
    return result
  }
}

extension LineZone {
  private enum CodingKeys: CodingKey {
    case line, rules, inCount, outCount, objects
  }

  /// Decodes a zone with its counts; values that no zone has are `dataCorrupted`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let line = try values.decode(LineSegment.self, forKey: .line)
    let rules = try values.decode(ZoneRules.self, forKey: .rules)
    self = try decoder.zone { () throws(ZoneError) in
      try Self(
        line, anchors: rules.anchors, minimumFrames: rules.minimumFrames,
        maximumMisses: rules.maximumMisses)
    }
    inCount = try values.decode(Int.self, forKey: .inCount)
    outCount = try values.decode(Int.self, forKey: .outCount)
    objects = try values.decode([Int: Passer].self, forKey: .objects)
    guard inCount >= 0, outCount >= 0, objects.values.allSatisfy(\.isValid) else {
      throw decoder.corrupted("a number of a line zone is negative")
    }
  }
}

/// An object that has gone from one side of a ``LineZone`` to the other.
public struct LineCrossing: Hashable, Sendable, Codable {
  /// The ways across a line.
  public enum Direction: String, Hashable, Sendable, Codable {
    /// From the outer to the inner side.
    case inward
    /// From the inner to the outer side.
    case outward
  }

  /// The object's number.
  public let id: Int
  /// The way it went.
  public let direction: Direction

  /// Makes a crossing.
  public init(id: Int, direction: Direction) {
    self.id = id
    self.direction = direction
  }
}

/// What is known about an object near a line.
private struct Passer: Hashable, Sendable, Codable {
  /// The side on which it is known to be.
  var isInner: Bool
  /// For how many known frames it has been on the other side.
  var framesAcross = 0
  /// For how many frames it has been missing.
  var misses = 0

  init(isInner: Bool) {
    self.isInner = isInner
  }

  var isValid: Bool { framesAcross >= 0 && misses >= 0 }

  var missed: Passer {
    var result = self
    result.misses.addSaturating(1)
    return result
  }

  /// Takes the side of a frame, and reports whether the object has crossed.
  mutating func crosses(to isInner: Bool, after minimumFrames: Int) -> Bool {
    guard isInner != self.isInner else {
      framesAcross = 0
      return false
    }
    framesAcross.addSaturating(1)
    guard framesAcross >= minimumFrames else { return false }
    self.isInner = isInner
    framesAcross = 0
    return true
  }
}
