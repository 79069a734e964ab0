import Foundation
import Geometry
import TestSupport
import Testing

@Suite struct PixelRectTests {
  @Test(arguments: [
    (Box(minX: 1.9, minY: 2.9, maxX: 5.1, maxY: 6.9), [1, 2, 4, 4]),
    (Box(minX: -0.9, minY: -7.5, maxX: 3, maxY: 4), [0, 0, 3, 4]),
    (Box(minX: 15, minY: 9, maxX: 300, maxY: 1e30), [15, 9, 5, 1]),
    (Box(minX: -1e30, minY: -1e30, maxX: 1e30, maxY: 1e30), [0, 0, 20, 10]),
    (Box(minX: 19, minY: 9, maxX: 20, maxY: 10), [19, 9, 1, 1]),
  ])
  func truncatesThenClamps(box: Box, expected: [Int]) {
    let rect = PixelRect(truncating: box, inWidth: 20, height: 10)
    #expect(
      rect == PixelRect(x: expected[0], y: expected[1], width: expected[2], height: expected[3]))
    #expect(rect != nil)
  }

  @Test(arguments: [
    Box(minX: 3.1, minY: 2, maxX: 3.9, maxY: 6), Box(minX: -5, minY: 0, maxX: -0.5, maxY: 5),
    Box(minX: 20, minY: 0, maxX: 25, maxY: 5), Box(minX: 5, minY: 5, maxX: 2, maxY: 8),
    Box(minX: .nan, minY: 0, maxX: 5, maxY: 5), Box(minX: 0, minY: 0, maxX: .infinity, maxY: 5),
    Box(minX: 0, minY: -.infinity, maxX: 5, maxY: 5),
  ])
  func whatIsLeftEmptyOrIsNotFiniteIsNil(box: Box) {
    #expect(PixelRect(truncating: box, inWidth: 20, height: 10) == nil)
  }

  /// Python's own words: `int(x)`, then `max(0, ...)` and `min(side, ...)`.
  @Test func equalsTruncationAndClampingOneAfterTheOther() {
    for box in sampleBoxes(seed: 9, count: 300) {
      let moved = box.translated(dx: -25, dy: -20)
      let x1 = max(0, Int(moved.minX))
      let y1 = max(0, Int(moved.minY))
      let x2 = min(60, Int(moved.maxX))
      let y2 = min(40, Int(moved.maxY))
      let expected = PixelRect(x: x1, y: y1, width: x2 - x1, height: y2 - y1)
      #expect(PixelRect(truncating: moved, inWidth: 60, height: 40) == expected)
    }
  }

  @Test func strangeInputNeverTraps() {
    for a in strangeFloats {
      for b in strangeFloats {
        let box = Box(minX: a, minY: a, maxX: b, maxY: b)
        for side in [Int.min, -1, 0, 1, 16_777_217, Int.max] {
          let rect = PixelRect(truncating: box, inWidth: side, height: side)
          #expect(rect.map { $0.x >= 0 && $0.maxX <= side && $0.width > 0 } ?? true)
        }
      }
    }
  }

  @Test func aWidthThatFloatCannotHoldIsKept() {
    let side = 16_777_217
    let box = Box(minX: 0, minY: 0, maxX: 16_777_216, maxY: 1e9)
    #expect(
      PixelRect(truncating: box, inWidth: side, height: side)
        == PixelRect(x: 0, y: 0, width: side - 1, height: side))
  }

  @Test func invalidRectanglesAreNil() {
    #expect(PixelRect(x: 0, y: 0, width: 0, height: 1) == nil)
    #expect(PixelRect(x: 0, y: 0, width: 1, height: -1) == nil)
    #expect(PixelRect(x: Int.max, y: 0, width: 1, height: 1) == nil)
    #expect(PixelRect(x: 0, y: 2, width: 1, height: Int.max) == nil)
  }

  @Test func measures() throws {
    let rect = try #require(PixelRect(x: 3, y: 4, width: 5, height: 6))
    #expect(rect.maxX == 8 && rect.maxY == 10 && rect.area == 30)
    #expect(Box(rect) == Box(minX: 3, minY: 4, maxX: 8, maxY: 10))
    #expect(PixelRect(x: 0, y: 0, width: Int.max, height: 2)?.area == Int.max)
  }

  @Test func survivesCodingAndRefusesWhatIsNoRectangle() throws {
    let rect = try #require(PixelRect(x: 3, y: 4, width: 5, height: 6))
    let data = try JSONEncoder().encode(rect)
    #expect(try JSONDecoder().decode(PixelRect.self, from: data) == rect)
    let bad = Data(#"{"x":0,"y":0,"width":0,"height":3}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(PixelRect.self, from: bad) }
  }
}
