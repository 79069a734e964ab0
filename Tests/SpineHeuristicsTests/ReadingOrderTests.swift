import Geometry
import TestSupport
import Testing

@testable import SpineHeuristics

@Suite struct ReadingOrderTests {
  let geometry = SpineGeometry()

  /// Shuffles the outlines and expects them back in order.
  private func expectOrder(
    _ outlines: [Quadrilateral], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<20 {
      let shuffled = outlines.shuffled(using: &generator)
      let order = geometry.readingOrder(of: shuffled)
      #expect(order.map { shuffled[$0] } == outlines, sourceLocation: sourceLocation)
    }
  }

  @Test func oneShelf() {
    // Standing on one board, of different heights.
    expectOrder([
      book(x: 10, y: 100), book(x: 35, y: 120, length: 160), book(x: 60, y: 140, length: 120),
      book(x: 90, y: 100),
    ])
  }

  @Test func twoShelves() {
    expectOrder([
      book(x: 10, y: 100), book(x: 40, y: 130, length: 140), book(x: 70, y: 100),
      book(x: 5, y: 350), book(x: 40, y: 380, length: 140), book(x: 80, y: 350),
    ])
  }

  @Test func shelvesPhotographedAtASlant() {
    // The right end of the upper row hangs below the left end of the lower one's top.
    let upper = (0..<8).map { book(x: 30 * Double($0), y: 100 + 6 * Double($0)) }
    let lower = (0..<8).map { book(x: 30 * Double($0), y: 340 + 6 * Double($0)) }
    expectOrder(upper + lower)
  }

  @Test func aStackBesideStandingBooks() {
    expectOrder([
      book(x: 10, y: 100), book(x: 40, y: 100),
      book(x: 160, y: 130, tilt: 90), book(x: 158, y: 152, tilt: 90),
      book(x: 163, y: 174, tilt: 90),
      book(x: 300, y: 100),
    ])
  }

  @Test func aStackAlone() {
    expectOrder((0..<6).map { book(x: 100 + Double($0 % 3) * 8, y: 22 * Double($0), tilt: 90) })
  }

  @Test func booksThatLeanOverEachOther() {
    expectOrder((0..<5).map { book(x: 100 + 24 * Double($0), y: 100, tilt: 25) })
  }

  @Test func boxes() {
    let boxes = [
      Box(x: 50, y: 0, width: 20, height: 100), Box(x: 0, y: 150, width: 20, height: 100),
      Box(x: 0, y: 10, width: 20, height: 90), Box(x: 50, y: 160, width: 20, height: 90),
    ]
    #expect(geometry.readingOrder(of: boxes) == [2, 0, 1, 3])
    #expect(geometry.readingOrder(of: [Box]()).isEmpty)
    #expect(geometry.readingOrder(of: [boxes[0]]) == [0])
  }

  @Test func equalOutlinesKeepTheirOrder() {
    #expect(
      geometry.readingOrder(of: Array(repeating: book(x: 1, y: 1), count: 5)) == [0, 1, 2, 3, 4])
  }

  @Test func everyOutlineComesOnceWhateverItIs() {
    var generator = SeededGenerator(seed: 9)
    let odd: [Float] = [.nan, .infinity, -.infinity, 0, 1e38, -1e38, .leastNonzeroMagnitude]
    for round in 0..<300 {
      let boxes = (0..<Int.random(in: 0...80, using: &generator)).map { _ -> Box in
        func value() -> Float {
          if round % 2 == 0, Int.random(in: 0..<5, using: &generator) == 0 {
            return odd.randomElement(using: &generator) ?? 0
          }
          return Float.random(in: -50...500, using: &generator)
        }
        return Box(minX: value(), minY: value(), maxX: value(), maxY: value())
      }
      #expect(geometry.readingOrder(of: boxes).sorted() == Array(boxes.indices))
      let outlines = boxes.map(Quadrilateral.init)
      #expect(geometry.readingOrder(of: outlines).sorted() == Array(boxes.indices))
    }
    let broken = [Box(x: .nan, y: 0, width: 1, height: 1), Box(x: 5, y: 0, width: 1, height: 1)]
    #expect(geometry.readingOrder(of: broken) == [1, 0])
  }

  @Test func manyNestedOutlines() {
    // Alternating cuts as deep as they go: a spiral of strips.
    var boxes: [Box] = []
    for step in 0..<3000 {
      let s = Float(step)
      boxes.append(Box(x: 2 * s, y: 2 * s, width: 1, height: 9000 - 2 * s))
      boxes.append(Box(x: 2 * s + 1.5, y: 2 * s, width: 9000 - 2 * s, height: 1))
    }
    #expect(geometry.readingOrder(of: boxes).sorted() == Array(boxes.indices))
  }
}
