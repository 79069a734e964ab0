import Foundation
import Geometry
import Testing

@testable import SpineDetection

/// Spines out of maps that say exactly what is there.
@Suite("Spine maps")
struct SpineMapsTests {
  /// A picture of cells in which spines are painted.
  struct Painting {
    let width: Int
    let height: Int
    var values: [Float]

    init(width: Int, height: Int) {
      (self.width, self.height) = (width, height)
      values = [Float](repeating: 0, count: 7 * width * height)
    }

    subscript(plane: SpineMaps.Plane, x: Int, y: Int) -> Float {
      get { values[(plane.rawValue * height + y) * width + x] }
      set { values[(plane.rawValue * height + y) * width + x] = newValue }
    }

    /// A spine about a middle, so long and thick, its long axis at an angle from the upright in degrees.
    mutating func paint(
      x centerX: Double, y centerY: Double, length: Double, thickness: Double, degrees: Double = 0
    ) {
      let angle = (degrees - 90) * .pi / 180
      let (ax, ay) = (cos(angle), sin(angle))
      for y in 0..<height {
        for x in 0..<width {
          let (dx, dy) = (Double(x) + 0.5 - centerX, Double(y) + 0.5 - centerY)
          let along = abs(dx * ax + dy * ay)
          let across = abs(-dx * ay + dy * ax)
          if along <= length / 2, abs(across - thickness / 2) <= 0.6 { self[.side, x, y] = 1 }
          guard along <= length / 2, across <= thickness / 2 else { continue }
          self[.spine, x, y] = 1
          if across <= thickness / 4, along <= length / 2 - 0.3 * thickness {
            self[.core, x, y] = 1
          }
          self[.cosine, x, y] = Float(cos(2 * angle))
          self[.sine, x, y] = Float(sin(2 * angle))
        }
      }
    }

    func maps(cell: Double = 1, seen: PixelRect? = nil) throws -> SpineMaps {
      try SpineMaps(
        values: values, width: width, height: height, cellWidth: cell, cellHeight: cell, seen: seen)
    }
  }

  private func isNear(_ a: Point, _ b: Point, by distance: Double) -> Bool {
    abs(a.x - b.x) <= distance && abs(a.y - b.y) <= distance
  }

  @Test("A standing spine has the corners that were painted, in pixels of the picture")
  func standing() throws {
    var painting = Painting(width: 80, height: 100)
    painting.paint(x: 40, y: 50, length: 60, thickness: 16)
    let spines = try SpineDetector().spines(in: [painting.maps(cell: 2)])
    let spine = try #require(spines.first)
    #expect(spines.count == 1)
    #expect(spine.orientation == .standing)
    #expect(spine.confidence > 0.5)
    #expect(isNear(spine.quad.topLeft, Point(x: 64, y: 40), by: 3))
    #expect(isNear(spine.quad.topRight, Point(x: 96, y: 40), by: 3))
    #expect(isNear(spine.quad.bottomRight, Point(x: 96, y: 160), by: 3))
    #expect(isNear(spine.quad.bottomLeft, Point(x: 64, y: 160), by: 3))
  }

  @Test("Spines lean and lie", arguments: [-35.0, -20, 8, 25, 60, 90])
  func turned(degrees: Double) throws {
    var painting = Painting(width: 120, height: 120)
    painting.paint(x: 60, y: 60, length: 80, thickness: 18, degrees: degrees)
    let spines = try SpineDetector().spines(in: [painting.maps()])
    let spine = try #require(spines.first)
    #expect(spines.count == 1)
    #expect(abs(spine.quad.longSide - 80) < 5)
    #expect(abs(spine.quad.shortSide - 18) < 2)
    #expect(abs(cos((degrees - 90) * .pi / 180 - spine.quad.angleOfLongAxis)) > 0.998)
  }

  @Test("Neighbours that touch are two, and rows of a standing and a lying book stay apart")
  func neighbours() throws {
    var painting = Painting(width: 160, height: 120)
    for index in 0..<6 {
      painting.paint(x: 12 + 10 * Double(index), y: 60, length: 70, thickness: 10)
    }
    for index in 0..<4 {
      painting.paint(
        x: 115, y: 50 + 12 * Double(index), length: 70, thickness: 12, degrees: 90)
    }
    let spines = try SpineDetector().spines(in: [painting.maps()])
    #expect(spines.filter { $0.orientation == .standing }.count == 6)
    #expect(spines.filter { $0.orientation == .lying }.count == 4)
  }

  @Test("A label across a spine does not cut it in two")
  func broken() throws {
    var painting = Painting(width: 60, height: 120)
    painting.paint(x: 30, y: 60, length: 100, thickness: 16)
    for y in 70..<78 { for x in 0..<60 { painting[.core, x, y] = 0 } }
    let spines = try SpineDetector().spines(in: [painting.maps()])
    #expect(spines.count == 1)
    #expect((spines.first?.quad.longSide ?? 0) > 90)
  }

  @Test("A board between parts two books, one above the other")
  func board() throws {
    var painting = Painting(width: 60, height: 160)
    painting.paint(x: 30, y: 40, length: 60, thickness: 16)
    painting.paint(x: 30, y: 120, length: 60, thickness: 16)
    for y in 71..<89 { for x in 0..<60 { painting[.board, x, y] = 1 } }
    #expect(try SpineDetector().spines(in: [painting.maps()]).count == 2)
  }

  @Test("The place of thin spines holds them with a margin, in pixels, and no thick one")
  func thinPlace() throws {
    var painting = Painting(width: 200, height: 120)
    painting.paint(x: 40, y: 60, length: 80, thickness: 30)
    #expect(try painting.maps().placeOfThinSpines() == nil)
    painting.paint(x: 130, y: 60, length: 60, thickness: 8)
    painting.paint(x: 145, y: 60, length: 50, thickness: 8)
    let place = try #require(try painting.maps(cell: 3).placeOfThinSpines())
    #expect(abs(place.minX - 3 * (126 - 20)) < 9)
    #expect(abs(place.maxX - 3 * (149 + 20)) < 9)
    #expect(abs(place.minY - 3 * (30 - 20)) < 9)
    #expect(abs(place.maxY - 3 * (90 + 20)) < 9)
  }

  @Test("A place at the picture's side ends there")
  func thinPlaceAtSide() throws {
    var painting = Painting(width: 100, height: 60)
    painting.paint(x: 5, y: 30, length: 58, thickness: 8)
    let place = try #require(try painting.maps(cell: 2).placeOfThinSpines())
    #expect(place.minX == 0 && place.minY == 0 && place.maxY == 120)
    #expect(place.maxX < 80)
  }

  @Test("A look at a part says nothing of what it has not seen, and brings what only it shows")
  func secondLook() throws {
    var (first, second) = (Painting(width: 100, height: 80), Painting(width: 200, height: 160))
    for index in 0..<4 {
      let x = 10 + 12 * Double(index)
      first.paint(x: x, y: 40, length: 60, thickness: 12)
    }
    second.paint(x: 150, y: 80, length: 120, thickness: 10)
    let seen = try #require(PixelRect(x: 120, y: 0, width: 80, height: 160))
    let all = try [first.maps(cell: 2), second.maps(cell: 1, seen: seen)]
    let spines = try SpineDetector().spines(in: all)
    #expect(spines.count == 5)
    // What was seen once is as sure as without the second look.
    let alone = MapCandidate.all(in: [all[0], all[0]])
    let beside = MapCandidate.all(in: [all[0], all[0], all[1]]).prefix(alone.count)
    #expect(zip(alone, beside).allSatisfy { abs($0.logit - $1.logit) < 1e-9 })
    // Had it looked there and seen nothing, that would count.
    let blind = try MapCandidate.all(in: [all[0], all[0], second.maps(cell: 1)])
    #expect(zip(alone, blind).allSatisfy { $0.logit > $1.logit + 0.1 })
  }

  @Test("A thick spine keeps its outline; of a thin one both looks are asked")
  func outlines() throws {
    var (first, second) = (Painting(width: 100, height: 80), Painting(width: 200, height: 160))
    for index in 0..<3 {
      let x = 12 + 22 * Double(index)
      first.paint(x: x, y: 40, length: 60, thickness: 20)
      // Somewhat lower, and larger.
      second.paint(x: 2 * x, y: 84, length: 128, thickness: 40)
    }
    // From afar only a part of it shows.
    first.paint(x: 80, y: 40, length: 36, thickness: 9)
    second.paint(x: 160, y: 84, length: 128, thickness: 18)
    let seen = try #require(PixelRect(x: 0, y: 0, width: 200, height: 160))
    let spines = try SpineDetector().spines(
      in: [first.maps(cell: 2), second.maps(cell: 1, seen: seen)])
    #expect(spines.count == 4)
    for spine in spines {
      let isThin = spine.quad.shortSide < 24
      #expect(abs(spine.quad.topLeft.y - 20) < 2.5, "\(spine.quad)")
      #expect(abs(spine.quad.bottomLeft.y - (isThin ? 148 : 140)) < 2.5, "\(spine.quad)")
    }
    // A picture of which only a part was looked at has no outlines to keep.
    #expect(try SpineDetector().spines(in: [second.maps(cell: 1, seen: seen)]).count == 4)
  }

  @Test("Nothing is found where nothing is, and in noise nothing breaks")
  func nothing() throws {
    #expect(try SpineDetector().spines(in: [Painting(width: 40, height: 30).maps()]).isEmpty)
    #expect(try SpineDetector().spines(in: [Painting(width: 1, height: 1).maps()]).isEmpty)
    var state: UInt64 = 7
    func random() -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(state >> 40) / Float(1 << 24)
    }
    for trial in 0..<20 {
      let (width, height) = (1 + trial * 3, 1 + (trial * 7) % 50)
      let values = (0..<7 * width * height).map { index -> Float in
        let value = random()
        return index % 97 == 0 ? .nan : index % 89 == 0 ? .infinity : 3 * value - 1
      }
      let maps = try SpineMaps(
        values: values, width: width, height: height, cellWidth: 2, cellHeight: 2)
      for spine in try SpineDetector().spines(in: [maps]) {
        #expect(spine.quad.isConvex && spine.quad.isFinite)
        #expect((0...1).contains(spine.confidence))
      }
    }
  }

  @Test("Sizes that do not fit are refused", arguments: [(0, 4), (3, -1), (5, 5), (Int.max, 2)])
  func sizes(width: Int, height: Int) {
    #expect(throws: SpineDetectionError.mapSize(values: 28, width: width, height: height)) {
      try SpineMaps(
        values: [Float](repeating: 0, count: 28), width: width, height: height, cellWidth: 1,
        cellHeight: 1)
    }
  }

  @Test("A cell has a size", arguments: [0, -1, Double.nan, .infinity])
  func cellSizes(size: Double) {
    #expect(throws: SpineDetectionError.self) {
      try SpineMaps(
        values: [Float](repeating: 0, count: 7), width: 1, height: 1, cellWidth: size,
        cellHeight: 1)
    }
  }
}
