import Foundation
import Geometry
import TestSupport
import Testing
import Tracking

/// What supervision answered for boxes that `Fixtures/generate/tracking_zones.py` makes.
private struct PolygonGolden: Decodable {
  let corners: [[Double]]
  let anchors: [BoxAnchor]
  let frames: [[[Float]]]
  /// By frame, the objects inside.
  let inside: [[Int]]

  func zone(minimumFrames: Int = 1, maximumMisses: Int = 0) throws -> PolygonZone {
    try PolygonZone(
      corners: corners.map { Point(x: $0[0], y: $0[1]) }, anchors: anchors,
      minimumFrames: minimumFrames, maximumMisses: maximumMisses)
  }

  static func all() throws -> [PolygonGolden] {
    try Folders.golden("Tracking/polygon_zones.json")
  }
}

/// The visits of a whole sequence, found by looking at each object's frames at once.
private struct PlainVisits {
  var entries = 0
  var exits = 0
  var dwells: [Int: [Int]] = [:]

  init(_ zone: PolygonZone, _ frames: [[IdentifiedBox]]) {
    for id in Set(frames.joined().map(\.id)) {
      // Inside, outside, or nil if missing.
      let places = frames.map { frame in frame.first { $0.id == id }.map { zone.contains($0.box) } }
      var start: Int?
      for frame in places.indices {
        if let first = start {
          let since = places[first...frame]
          let known = since.compactMap { $0 }.suffix(zone.minimumFrames)
          let gap = since.reversed().prefix { $0 == nil }.count
          let left = known.count == zone.minimumFrames && !known.contains(true)
          if (left && places[frame] == false) || gap > zone.maximumMisses {
            exits += 1
            let last = since.lastIndex(of: true) ?? first
            dwells[id, default: []].append(last - first + 1)
            start = nil
          }
        } else if places[frame] == true {
          // Back over frames inside and short gaps, as far as is needed.
          var (seen, first, gap) = (0, frame, 0)
          for back in places[...frame].indices.reversed() {
            if seen == zone.minimumFrames || places[back] == false { break }
            if places[back] == true {
              (seen, first, gap) = (seen + 1, back, 0)
            } else {
              gap += 1
              if gap > zone.maximumMisses { break }
            }
          }
          if seen == zone.minimumFrames {
            entries += 1
            start = first
          }
        }
      }
    }
  }
}

@Suite("Counting in a polygon")
struct PolygonZoneTests {
  private func square(minimumFrames: Int = 1, maximumMisses: Int = 5) throws -> PolygonZone {
    try PolygonZone(
      corners: [(0, 0), (100, 0), (100, 100), (0, 100)].map { Point(x: $0.0, y: $0.1) },
      anchors: [.center], minimumFrames: minimumFrames, maximumMisses: maximumMisses)
  }

  @Test("The objects inside are supervision's, frame by frame")
  func goldens() throws {
    for golden in try PolygonGolden.all() {
      var zone = try golden.zone()
      for (frame, inside) in zip(golden.frames, golden.inside) {
        zone.update(with: boxes(frame))
        #expect(zone.inside == inside.sorted())
        #expect(boxes(frame).filter { zone.contains($0.box) }.map(\.id) == inside)
      }
    }
  }

  @Test(
    "Entries, exits and dwell are those of the whole sequence looked at afterwards",
    arguments: [1, 2, 3, 5], [0, 1, 2, 6])
  func plainVisits(minimumFrames: Int, maximumMisses: Int) throws {
    for golden in try PolygonGolden.all() {
      var zone = try golden.zone(minimumFrames: minimumFrames, maximumMisses: maximumMisses)
      let frames = golden.frames.map(boxes)
      let expected = PlainVisits(zone, frames)
      var dwells: [Int: [Int]] = [:]
      for frame in frames {
        for event in zone.update(with: frame) where event.kind == .exit {
          dwells[event.id, default: []].append(event.dwell)
        }
        #expect(zone.entryCount == zone.exitCount + zone.inside.count)
      }
      #expect(zone.entryCount == expected.entries)
      #expect(zone.exitCount == expected.exits)
      #expect(dwells == expected.dwells)
    }
  }

  @Test("A visit has an entry, a dwell that grows, and an exit")
  func visit() throws {
    var zone = try square()
    #expect(zone.update(with: [dot(x: 150, y: 50)]).isEmpty)
    #expect(
      zone.update(with: [dot(x: 90, y: 50)]) == [ZoneEvent(id: 1, kind: .entry, dwell: 1)])
    zone.update(with: [dot(x: 60, y: 50)])
    #expect(zone.dwell(of: 1) == 2)
    #expect(zone.update(with: []).isEmpty)
    #expect(zone.inside == [1])
    #expect(zone.dwell(of: 1) == 2)
    zone.update(with: [dot(x: 20, y: 50)])
    #expect(zone.dwell(of: 1) == 4)
    #expect(
      zone.update(with: [dot(x: -20, y: 50)]) == [ZoneEvent(id: 1, kind: .exit, dwell: 4)])
    #expect(zone.dwell(of: 1) == nil)
    #expect(zone.inside.isEmpty)
  }

  @Test("An object that jitters on a side enters once and exits once")
  func jitter() throws {
    var zone = try square(minimumFrames: 3)
    let places: [Float] = [110, 99, 101, 98, 97, 96, 101, 98, 102, 103, 99, 101, 102, 103, 104, 99]
    let events = places.map { zone.update(with: [dot(x: $0, y: 50)]) }
    #expect(
      events.map { $0.first?.kind == .entry ? "+" : $0.first?.kind == .exit ? "-" : "." }.joined()
        == ".....+.......-..")
    // From the frame at 98 to the last at 99, eight frames on.
    #expect(events[13] == [ZoneEvent(id: 1, kind: .exit, dwell: 8)])
  }

  @Test("A lost object exits, and its dwell ends where it was last seen inside")
  func lost() throws {
    var zone = try square(maximumMisses: 2)
    zone.update(with: [dot(3, x: 50, y: 50), dot(2, x: 60, y: 50)])
    zone.update(with: [dot(3, x: 50, y: 50), dot(2, x: 60, y: 50)])
    #expect(zone.update(with: []).isEmpty)
    #expect(zone.update(with: []).isEmpty)
    #expect(
      zone.update(with: []) == [
        ZoneEvent(id: 2, kind: .exit, dwell: 2), ZoneEvent(id: 3, kind: .exit, dwell: 2),
      ])
    #expect(zone.exitCount == 2)
  }

  @Test("The sides belong to the polygon, and a hole of crossing sides does not")
  func shapes() throws {
    let zone = try square()
    for (x, y) in [(0, 0), (100, 100), (50, 0), (0, 70), (100, 30)] as [(Float, Float)] {
      #expect(zone.contains(dot(x: x, y: y).box))
    }
    #expect(!zone.contains(dot(x: 100.5, y: 50).box))
    let star = try PolygonZone(
      corners: (0..<5).map { index in
        let angle = Double(index * 2) * 2 * .pi / 5
        return Point(x: 50 * sin(angle), y: -50 * cos(angle))
      }, anchors: [.center])
    #expect(!star.contains(dot(x: 0, y: 0).box))
    #expect(star.contains(dot(x: 0, y: -40).box))
  }

  @Test("All anchors must be inside")
  func wholeBox() throws {
    let corners = [(0, 0), (100, 0), (100, 100), (0, 100)].map { Point(x: $0.0, y: $0.1) }
    let zone = try PolygonZone(corners: corners, anchors: BoxAnchor.corners)
    #expect(zone.contains(dot(x: 1, y: 1).box))
    #expect(!zone.contains(dot(x: 0.5, y: 50).box))
    // The default is where an object stands.
    let standing = try PolygonZone(corners: corners)
    #expect(standing.contains(Box(minX: 40, minY: -80, maxX: 60, maxY: 10)))
  }

  @Test("A zone that was stored half way goes on as if it had not been")
  func storing() throws {
    for golden in try PolygonGolden.all() {
      var zone = try golden.zone(minimumFrames: 2, maximumMisses: 2)
      var stored = zone
      for frame in golden.frames {
        stored = try JSONDecoder().decode(PolygonZone.self, from: JSONEncoder().encode(stored))
        #expect(stored.update(with: boxes(frame)) == zone.update(with: boxes(frame)))
        #expect(stored == zone)
      }
    }
  }

  @Test("A polygon without an area is an error")
  func settings() throws {
    for corners in [
      [], [(1, 1)], [(1, 1), (2, 2)], [(1, 1), (2, 2), (3, 3)], [(5, 5), (5, 5), (5, 5)],
      [(0, 0), (1, .nan), (2, 1)], [(0, 0), (.infinity, 0), (2, 1)],
    ] as [[(Double, Double)]] {
      #expect(throws: ZoneError.polygonWithoutArea(corners: corners.count)) {
        try PolygonZone(corners: corners.map { Point(x: $0.0, y: $0.1) })
      }
    }
    #expect(throws: ZoneError.self) { try square(minimumFrames: 0) }
    #expect(throws: ZoneError.self) { try square(maximumMisses: .max) }
    #expect(
      ZoneError.polygonWithoutArea(corners: 2).description.hasPrefix(
        "a polygon of 2 corners without an area"))
  }

  @Test("Boxes and polygons as large as can be do not trap")
  func hostile() throws {
    let far = Double.greatestFiniteMagnitude
    var zones = [try square()]
    zones.append(
      try PolygonZone(
        corners: [(-1e150, 0), (1e150, -1e150), (0, 1e150)].map { Point(x: $0.0, y: $0.1) }))
    // Here not even the sides have a length.
    #expect(throws: ZoneError.self) {
      try PolygonZone(corners: [(-far, 0), (far, 0), (0, far)].map { Point(x: $0.0, y: $0.1) })
    }
    let values: [Float] = [.nan, .infinity, .greatestFiniteMagnitude, -1e38, 0, 50]
    for index in zones.indices {
      for a in values {
        for b in values {
          zones[index].update(with: [
            IdentifiedBox(id: .max, box: Box(minX: a, minY: b, maxX: b, maxY: a)),
            IdentifiedBox(id: .min, box: Box(minX: b, minY: b, maxX: a, maxY: a)),
          ])
        }
      }
      #expect(zones[index].entryCount == zones[index].exitCount + zones[index].inside.count)
    }
    let text = String(decoding: try JSONEncoder().encode(square()), as: UTF8.self)
    for (old, new) in [("\"entryCount\":0", "\"entryCount\":-1"), ("[\"center\"]", "[]")] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(
          PolygonZone.self, from: Data(text.replacingOccurrences(of: old, with: new).utf8))
      }
    }
  }
}
