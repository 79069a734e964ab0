import Foundation
import Geometry
import TestSupport
import Testing
import Tracking

/// What supervision answered for boxes that `Fixtures/generate/tracking_zones.py` makes.
private struct LineGolden: Decodable {
  struct Zone: Decodable {
    let start, end: [Double]
    let anchors: [BoxAnchor]
    let minimumFrames, maximumMisses, inCount, outCount: Int
    /// By frame: the object, and 1 for inward or -1 for outward.
    let crossings: [[[Int]]]

    func made() throws -> LineZone {
      try LineZone(
        LineSegment(start: Point(x: start[0], y: start[1]), end: Point(x: end[0], y: end[1])),
        anchors: anchors, minimumFrames: minimumFrames, maximumMisses: maximumMisses)
    }
  }

  let frames: [[[Float]]]
  let zones: [Zone]
}

/// The boxes of a golden's frame: number, left, top, right, bottom.
func boxes(_ rows: [[Float]]) -> [IdentifiedBox] {
  rows.map { row in
    IdentifiedBox(
      id: Int(row[0]), box: Box(minX: row[1], minY: row[2], maxX: row[3], maxY: row[4]))
  }
}

/// A box of 2 by 2 around a point.
func dot(_ id: Int = 1, x: Float, y: Float) -> IdentifiedBox {
  IdentifiedBox(id: id, box: Box(centerX: x, centerY: y, width: 2, height: 2))
}

@Suite("Counting across a line")
struct LineZoneTests {
  /// From (0, 100) to (200, 100): the inner side is above, at lower y.
  private func zone(
    anchors: [BoxAnchor] = [.center], minimumFrames: Int = 1, maximumMisses: Int = 5
  ) throws -> LineZone {
    try LineZone(
      LineSegment(start: Point(x: 0, y: 100), end: Point(x: 200, y: 100)), anchors: anchors,
      minimumFrames: minimumFrames, maximumMisses: maximumMisses)
  }

  /// The crossings of one object by frame: 1 inward, -1 outward, 0 none; nil is a missing object.
  private func crossings(_ zone: inout LineZone, _ heights: [Float?], x: Float = 100) -> [Int] {
    heights.map { y in
      let crossings = zone.update(with: y.map { [dot(x: x, y: $0)] } ?? [])
      return crossings.reduce(0) { $0 + ($1.direction == .inward ? 1 : -1) }
    }
  }

  @Test("Every crossing is supervision's, in the same frame")
  func goldens() throws {
    let golden: LineGolden = try Folders.golden("Tracking/line_zones.json")
    for expected in golden.zones {
      var zone = try expected.made()
      for (frame, crossings) in zip(golden.frames, expected.crossings) {
        let found = zone.update(with: boxes(frame))
        #expect(found.map { [$0.id, $0.direction == .inward ? 1 : -1] } == crossings)
      }
      #expect(zone.inCount == expected.inCount)
      #expect(zone.outCount == expected.outCount)
    }
  }

  @Test("A line turned around counts the other way")
  func reversed() throws {
    let golden: LineGolden = try Folders.golden("Tracking/line_zones.json")
    for expected in golden.zones {
      var zone = try LineZone(
        LineSegment(
          start: Point(x: expected.end[0], y: expected.end[1]),
          end: Point(x: expected.start[0], y: expected.start[1])),
        anchors: expected.anchors, minimumFrames: expected.minimumFrames,
        maximumMisses: expected.maximumMisses)
      for frame in golden.frames { zone.update(with: boxes(frame)) }
      #expect(zone.inCount == expected.outCount)
      #expect(zone.outCount == expected.inCount)
    }
  }

  @Test("The way up across a line to the right is in, and the way down is out")
  func directions() throws {
    var zone = try zone()
    #expect(crossings(&zone, [120, 110, 90, 80, 105]) == [0, 0, 1, 0, -1])
    #expect(zone.inCount == 1)
    #expect(zone.outCount == 1)
  }

  @Test("An object that jitters on the line is counted once")
  func jitter() throws {
    var zone = try zone(minimumFrames: 3)
    let heights: [Float] = [110, 104, 98, 102, 97, 99, 101, 98, 97, 96, 103, 104, 95, 90]
    #expect(crossings(&zone, heights).map { $0 == 0 ? "." : "x" }.joined() == ".........x....")
    #expect(zone.inCount == 1)
    #expect(zone.outCount == 0)
    // With the least setting every frame on the other side counts.
    var hasty = try self.zone()
    _ = crossings(&hasty, heights)
    #expect(hasty.inCount == 4)
    #expect(hasty.outCount == 3)
  }

  @Test("Frames on the line, across it, beside it and missing ones say nothing")
  func unknownSides() throws {
    var zone = try zone(anchors: BoxAnchor.corners, minimumFrames: 2)
    // 100.5 straddles the line; 101 touches it.
    #expect(crossings(&zone, [120, 100.5, 98, 101, nil, 97]) == [0, 0, 0, 0, 0, 1])
    // A box that reaches beyond the end of the line is not beside it.
    var end = try self.zone(anchors: BoxAnchor.corners)
    #expect(end.update(with: [dot(x: 150, y: 120)]).isEmpty)
    #expect(end.update(with: [dot(x: 199.5, y: 80)]).isEmpty)
    #expect(end.update(with: [dot(x: 250, y: 80)]).isEmpty)
    #expect(end.update(with: [dot(x: 199, y: 80)]).count == 1)
  }

  @Test("Each anchor is the point of the box that its name says")
  func anchorPlaces() {
    let box = Box(minX: 1, minY: 2, maxX: 5, maxY: 12)
    let places = BoxAnchor.allCases.map { $0.point(of: box) }
    let expected: [(Double, Double)] = [
      (1, 2), (3, 2), (5, 2), (1, 7), (3, 7), (5, 7), (1, 12), (3, 12), (5, 12),
    ]
    #expect(places == expected.map { Point(x: $0.0, y: $0.1) })
  }

  @Test("An object may be missing for as many frames as the setting says", arguments: 0...3)
  func misses(limit: Int) throws {
    for gap in 0...4 {
      var zone = try zone(maximumMisses: limit)
      let gone = [Float?](repeating: nil, count: gap)
      _ = crossings(&zone, [120] + gone + [80])
      #expect(zone.inCount == (gap <= limit ? 1 : 0))
    }
  }

  @Test("Many objects are counted apart, and a number that repeats in a frame once")
  func manyObjects() throws {
    var zone = try zone()
    zone.update(with: (0..<1000).map { dot($0, x: Float($0 % 200), y: $0 < 600 ? 120 : 80) })
    let crossings = zone.update(
      with: (0..<1000).flatMap { id in
        let x = Float(id % 200)
        return [dot(id, x: x, y: id < 600 ? 80 : 120), dot(id, x: x, y: id < 600 ? 120 : 80)]
      })
    #expect(crossings.map(\.id) == Array(0..<1000))
    #expect(zone.inCount == 600)
    #expect(zone.outCount == 400)
  }

  @Test("Confirmed tracks alone reach a zone")
  func tracks() throws {
    var tracker = try unitTracker { $0.confirmingHits = 2 }
    let sightings = [
      Sighting(box: Box(x: 0.1, y: 0.1, width: 0.2, height: 0.2)),
      Sighting(box: Box(x: 0.6, y: 0.1, width: 0.2, height: 0.2)),
    ]
    let first = tracker.update(with: [sightings[1]], at: .zero)
    #expect(first.confirmedBoxes(in: [sightings[1]]).isEmpty)
    let tracks = tracker.update(with: sightings, at: .milliseconds(150))
    #expect(
      tracks.confirmedBoxes(in: sightings) == [IdentifiedBox(id: 1, box: sightings[1].box)])
    #expect(tracks.confirmedBoxes(in: []).isEmpty)
  }

  @Test("Books that stand still do not cross a line of the panorama when the camera pans")
  func panorama() throws {
    let shelf = Shelf(seed: 5, length: 4)
    var tracker = try unitTracker()
    let line = LineSegment(start: Point(x: 0.5, y: -1), end: Point(x: 0.5, y: 2))
    var fixed = try LineZone(line, anchors: [.center])
    var moving = try LineZone(line, anchors: [.center])
    for step in 0..<60 {
      let sightings = shelf.view(from: 0.05 * Float(step)).map(\.sighting)
      let tracks = tracker.update(with: sightings, at: .milliseconds(Int64(step) * 150))
      let boxes = tracks.confirmedBoxes(in: sightings)
      let origin = tracker.panoramaOrigin
      moving.update(with: boxes)
      fixed.update(
        with: boxes.map {
          IdentifiedBox(
            id: $0.id, box: $0.box.translated(dx: Float(origin.x), dy: Float(origin.y)))
        })
    }
    #expect(fixed.inCount + fixed.outCount == 0)
    // In the frame all of them pass the line from the right. That is its inner side: on the left as
    // seen from above.
    #expect(moving.outCount > 30)
    #expect(moving.inCount == 0)
  }

  @Test("A zone that was stored half way goes on as if it had not been")
  func storing() throws {
    let golden: LineGolden = try Folders.golden("Tracking/line_zones.json")
    for expected in golden.zones {
      var zone = try expected.made()
      for (index, frame) in golden.frames.enumerated() {
        if index % 7 == 3 {
          let copy = try JSONDecoder().decode(LineZone.self, from: JSONEncoder().encode(zone))
          #expect(copy == zone)
          zone = copy
        }
        zone.update(with: boxes(frame))
      }
      #expect(zone.inCount == expected.inCount)
      #expect(zone.outCount == expected.outCount)
    }
  }

  @Test("A line without a length, no anchors and numbers out of range are errors that say so")
  func settings() {
    let here = Point(x: 1, y: 1)
    let far = Double.greatestFiniteMagnitude
    for (start, end) in [
      (here, here), (here, Point(x: .nan, y: 2)), (here, Point(x: .infinity, y: 2)),
      (Point(x: -far, y: 0), Point(x: far, y: 0)),
      (Point(x: 0, y: 0), Point(x: Double.leastNonzeroMagnitude, y: 0)),
    ] {
      #expect(throws: ZoneError.self) { try LineZone(LineSegment(start: start, end: end)) }
    }
    #expect(throws: ZoneError.noAnchors) { try zone(anchors: []) }
    #expect(
      throws: ZoneError.outOfRange(field: "minimumFrames", value: 0, range: 1...1_000_000)
    ) { try zone(minimumFrames: 0) }
    #expect(throws: ZoneError.self) { try zone(minimumFrames: .max) }
    #expect(throws: ZoneError.self) { try zone(maximumMisses: -1) }
    let error = ZoneError.outOfRange(field: "minimumFrames", value: 0, range: 1...1_000_000)
    #expect(error.description == "minimumFrames is 0; it must be in 1...1000000")
    #expect(
      ZoneError.lineWithoutLength(LineSegment(start: here, end: here)).description
        == "the line is 1.0, 1.0 to 1.0, 1.0; it must have a finite length above 0")
  }

  @Test("Boxes that are none, inside out or as large as can be do not count or trap")
  func hostileBoxes() throws {
    var zone = try zone(anchors: BoxAnchor.allCases)
    let values: [Float] = [.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e38, 0, 150]
    for a in values {
      for b in values {
        zone.update(with: [
          IdentifiedBox(id: .max, box: Box(minX: a, minY: b, maxX: b, maxY: a)),
          IdentifiedBox(id: .min, box: Box(minX: b, minY: b, maxX: a, maxY: a)),
        ])
      }
    }
    #expect(zone.inCount == 0)
    // A missing box is one whose coordinates are not numbers.
    var brief = try self.zone(maximumMisses: 0)
    _ = crossings(&brief, [120, .nan, 80])
    #expect(brief.inCount == 0)
  }

  @Test("JSON that no zone was written as is an error, and huge counts do not overflow")
  func hostileJSON() throws {
    var zone = try zone()
    _ = crossings(&zone, [120])
    let text = String(decoding: try JSONEncoder().encode(zone), as: UTF8.self)
    func decoded(_ old: String, _ new: String) throws -> LineZone {
      #expect(text.contains(old))
      let changed = text.replacingOccurrences(of: old, with: new)
      return try JSONDecoder().decode(LineZone.self, from: Data(changed.utf8))
    }
    for (old, new) in [
      ("\"x\":200", "\"x\":0"), ("\"inCount\":0", "\"inCount\":-1"),
      ("\"outCount\":0", "\"outCount\":-7"), ("\"minimumFrames\":1", "\"minimumFrames\":0"),
      ("\"maximumMisses\":5", "\"maximumMisses\":-1"), ("[\"center\"]", "[]"),
      ("[\"center\"]", "[\"middle\"]"), ("\"misses\":0", "\"misses\":-1"),
      ("\"framesAcross\":0", "\"framesAcross\":-1"),
    ] {
      #expect(throws: DecodingError.self) { try decoded(old, new) }
    }
    var full = try decoded("\"inCount\":0", "\"inCount\":\(Int.max)")
    _ = crossings(&full, [80])
    #expect(full.inCount == .max)
    var odd = try decoded("\"framesAcross\":0", "\"framesAcross\":\(Int.max)")
    #expect(crossings(&odd, [80]) == [1])
  }
}
