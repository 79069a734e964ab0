import Geometry

/// A polygon in which objects are counted: those inside now, entries, exits, and lengths of stay.
///
/// ```swift
/// var tracker = ObjectTracker()
/// var counter = try PolygonZone(corners: [
///   Point(x: 100, y: 200), Point(x: 500, y: 200), Point(x: 620, y: 480), Point(x: 0, y: 480),
/// ])
/// for frame in frames {
///   let tracks = tracker.update(with: frame.sightings, at: frame.time)
///   for event in counter.update(with: tracks.confirmedBoxes(in: frame.sightings))
///   where event.kind == .exit {
///     print("\(event.id) stayed for \(event.dwell) frames")
///   }
/// }
/// counter.inside.count   // how many are inside
/// ```
///
/// A box is inside if all its anchors are; the sides of the polygon belong to it. An object enters
/// when its boxes were inside in ``minimumFrames`` frames one after the other, and exits when as
/// many were outside, without frames in which it is missing. An object whose first box is inside
/// enters too. If it is missing for more than ``maximumMisses`` frames, it exits. So
/// ``entryCount`` is always ``exitCount`` plus the objects inside.
///
/// ### Edge cases
/// A box with a coordinate that is not finite is missing. If a frame has several boxes with one
/// number, only the first is used. If the sides of the polygon cross, a point is inside if a line
/// from it to infinity crosses them an odd number of times. If the camera moves, move the boxes by
/// ``ObjectTracker/panoramaOrigin`` first.
///
/// As JSON, a zone is an object with its settings, counts and known objects. A zone that could not
/// be made is not decoded.
///
/// Memory: the objects that are inside, or were in the last ``maximumMisses`` frames.
///
/// Source: `PolygonZone` of Roboflow's supervision 0.31, which reports the objects inside. It
/// paints the polygon into whole pixels; here the sides are exact.
public struct PolygonZone: Hashable, Sendable, Codable {
  /// The corners in order; the last is joined to the first.
  public let corners: [Point]
  private let rules: ZoneRules
  /// The number of entries so far.
  public private(set) var entryCount = 0
  /// The number of exits so far.
  public private(set) var exitCount = 0
  private var objects: [Int: Visitor] = [:]

  /// The anchors that must all be inside.
  public var anchors: [BoxAnchor] { rules.anchors }
  /// The number of frames for which an object must be inside to enter, and outside to exit.
  public var minimumFrames: Int { rules.minimumFrames }
  /// The number of consecutive frames in which an object may be missing before it exits.
  public var maximumMisses: Int { rules.maximumMisses }

  /// Makes a zone.
  ///
  /// - Parameters:
  ///   - corners: the corners in order, in the space of the boxes; at least three.
  ///   - anchors: the anchors that must all be inside; at least one.
  ///   - minimumFrames: the number of frames for which an object must be inside or outside,
  ///     1 to 1,000,000.
  ///   - maximumMisses: the number of consecutive frames in which an object may be missing,
  ///     0 to 1,000,000.
  /// - Throws: ``ZoneError`` for a polygon without an area, no anchors, or a number out of range.
  public init(
    corners: [Point], anchors: [BoxAnchor] = [.bottomCenter], minimumFrames: Int = 1,
    maximumMisses: Int = 5
  ) throws(ZoneError) {
    guard let first = corners.first, let second = corners.first(where: { $0 != first }),
      corners.allSatisfy(\.isFinite)
    else { throw .polygonWithoutArea(corners: corners.count) }
    let side = LineSegment(start: first, end: second)
    guard corners.contains(where: { abs(side.signedDistance(to: $0)) > 0 }) else {
      throw .polygonWithoutArea(corners: corners.count)
    }
    self.corners = corners
    rules = try ZoneRules(
      anchors: anchors, minimumFrames: minimumFrames, maximumMisses: maximumMisses)
  }

  /// The numbers of the objects that are inside, ascending.
  public var inside: [Int] {
    objects.filter(\.value.isInside).map(\.key).sorted()
  }

  /// How long an object has been inside, in frames; nil if it is not inside.
  ///
  /// It is counted from the first frame inside to the last one so far, both included. Frames in
  /// between in which the object was missing, or outside for less than ``minimumFrames``, count.
  public func dwell(of id: Int) -> Int? {
    guard let object = objects[id], object.isInside else { return nil }
    return object.dwell
  }

  /// Whether a box is inside.
  ///
  /// - Complexity: O(*a* *c*) for *a* anchors and *c* corners.
  public func contains(_ box: Box) -> Bool {
    box.isFinite && anchors.allSatisfy { polygon(corners, contains: $0.point(of: box)) }
  }

  /// Takes the next frame.
  ///
  /// - Parameter boxes: the objects of the frame. Call this for frames without objects too.
  /// - Returns: the entries and exits, in the order of the boxes; then the exits of objects that
  ///   have been missing for too long, in the order of their numbers.
  /// - Complexity: O(*n* *c* + *k* log *k*) for *n* boxes, *c* corners and *k* known objects.
  @discardableResult
  public mutating func update(with boxes: [IdentifiedBox]) -> [ZoneEvent] {
    let boxes = boxes.usable()
    var events: [ZoneEvent] = []
    for one in boxes {
      var object = objects[one.id] ?? Visitor()
      if let kind = object.see(isInside: contains(one.box), minimumFrames: minimumFrames) {
        events.append(ZoneEvent(id: one.id, kind: kind, dwell: object.dwell))
      }
      objects[one.id] = object.isNear ? object : nil
    }
    let seen = Set(boxes.map(\.id))
    for (id, object) in objects.sorted(by: { $0.key < $1.key }) where !seen.contains(id) {
      objects[id] = object.misses < maximumMisses ? object.missed : nil
      if object.misses >= maximumMisses, object.isInside {
        events.append(ZoneEvent(id: id, kind: .exit, dwell: object.dwell))
      }
    }
    entryCount.addSaturating(events.count { $0.kind == .entry })
    exitCount.addSaturating(events.count { $0.kind == .exit })
    return events
  }
}

extension PolygonZone {
  private enum CodingKeys: CodingKey {
    case corners, rules, entryCount, exitCount, objects
  }

  /// Decodes a zone with its counts; values that no zone has are `dataCorrupted`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let corners = try values.decode([Point].self, forKey: .corners)
    let rules = try values.decode(ZoneRules.self, forKey: .rules)
    self = try decoder.zone { () throws(ZoneError) in
      try Self(
        corners: corners, anchors: rules.anchors, minimumFrames: rules.minimumFrames,
        maximumMisses: rules.maximumMisses)
    }
    entryCount = try values.decode(Int.self, forKey: .entryCount)
    exitCount = try values.decode(Int.self, forKey: .exitCount)
    objects = try values.decode([Int: Visitor].self, forKey: .objects)
    guard entryCount >= 0, exitCount >= 0, objects.values.allSatisfy(\.isValid) else {
      throw decoder.corrupted("a number of a polygon zone is negative")
    }
  }
}

/// The entry of an object into a ``PolygonZone``, or its exit.
public struct ZoneEvent: Hashable, Sendable, Codable {
  /// What can happen.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// The object has come in.
    case entry
    /// The object has gone out, or was lost.
    case exit
  }

  /// The object's number.
  public let id: Int
  /// What happened.
  public let kind: Kind
  /// For an entry, how long it has been inside; for an exit, how long it was; in frames.
  ///
  /// See ``PolygonZone/dwell(of:)``.
  public let dwell: Int

  /// Makes an event.
  public init(id: Int, kind: Kind, dwell: Int) {
    self.id = id
    self.kind = kind
    self.dwell = dwell
  }
}

/// What is known about an object in or near a polygon.
private struct Visitor: Hashable, Sendable, Codable {
  var isInside = false
  /// For how many known frames it has been inside while it counts as outside, or the reverse.
  var framesAcross = 0
  /// For how many frames it has been missing.
  var misses = 0
  /// The frames from the first inside to the last one inside.
  var dwell = 0
  /// The frames since.
  var framesSince = 0

  /// Whether there is anything to remember.
  var isNear: Bool { isInside || framesAcross > 0 }

  var isValid: Bool {
    framesAcross >= 0 && misses >= 0 && dwell >= 0 && framesSince >= 0
  }

  var missed: Visitor {
    var result = self
    result.misses.addSaturating(1)
    result.framesSince.addSaturating(1)
    return result
  }

  /// Takes the place of a frame, and returns what that means.
  mutating func see(isInside isNow: Bool, minimumFrames: Int) -> ZoneEvent.Kind? {
    misses = 0
    framesSince.addSaturating(1)
    if isNow {
      dwell.addSaturating(isNear ? framesSince : 1)
      framesSince = 0
    }
    guard isNow != isInside else {
      framesAcross = 0
      if !isInside { dwell = 0 }
      return nil
    }
    framesAcross.addSaturating(1)
    guard framesAcross >= minimumFrames else { return nil }
    isInside = isNow
    framesAcross = 0
    return isNow ? .entry : .exit
  }
}
