import Geometry
import TestSupport
import Testing

@testable import SpineHeuristics

@Suite struct SpineRowsTests {
  let geometry = SpineGeometry()

  /// Shuffles the outlines and expects these rows, each as many as it has, from the top.
  private func expectRows(
    _ rows: [[Quadrilateral]], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<20 {
      let shuffled = rows.flatMap { $0 }.shuffled(using: &generator)
      let found = geometry.rows(of: shuffled).map { $0.map { shuffled[$0] } }
      #expect(found.map(Set.init) == rows.map(Set.init), sourceLocation: sourceLocation)
      let order = geometry.readingOrder(of: shuffled)
      for row in geometry.rows(of: shuffled) {
        #expect(row == order.filter(Set(row).contains), sourceLocation: sourceLocation)
      }
    }
  }

  @Test func twoShelvesWithBooksOfAllHeightsAndAGap() {
    expectRows([
      [
        book(x: 10, y: 100), book(x: 40, y: 140, length: 120), book(x: 400, y: 160, length: 80),
        book(x: 430, y: 100),
      ],
      [book(x: 5, y: 350), book(x: 40, y: 380, length: 140), book(x: 80, y: 350)],
    ])
  }

  @Test func shelvesPhotographedAtASlant() {
    // The right end of the upper row lies lower than the left end of the lower one.
    let upper = (0..<30).map { book(x: 30 * Double($0), y: 100 + 9 * Double($0)) }
    let lower = (0..<30).map { book(x: 30 * Double($0), y: 340 + 9 * Double($0)) }
    expectRows([upper, lower])
  }

  @Test func aStackBesideBooksAndOneOnTopOfThemAreOfTheirRow() {
    expectRows([
      [
        book(x: 10, y: 100), book(x: 40, y: 110, length: 180), book(x: 70, y: 100),
        book(x: 40, y: -12, length: 150, tilt: 90),
        book(x: 200, y: 190, tilt: 90), book(x: 198, y: 168, tilt: 90),
        book(x: 203, y: 146, tilt: 90),
      ],
      // The board is as thick as a book.
      [book(x: 40, y: 232, length: 150, tilt: 90), book(x: 40, y: 254, length: 160, tilt: 90)],
    ])
  }

  @Test func aStackAloneIsOneRow() {
    expectRows([(0..<6).map { book(x: 100 + Double($0 % 3) * 8, y: 21 * Double($0), tilt: 90) }])
  }

  @Test func booksThatLean() {
    expectRows([
      (0..<5).map { book(x: 100 + 24 * Double($0), y: 100, tilt: 25) }
        + [book(x: 300, y: 110, length: 180)]
    ])
  }

  @Test func oneNoneAndDamagedOnes() {
    #expect(geometry.rows(of: []).isEmpty)
    #expect(geometry.rows(of: [book(x: 1, y: 1)]) == [[0]])
    #expect(geometry.rows(of: Array(repeating: book(x: 1, y: 1), count: 4)) == [[0, 1, 2, 3]])
    let broken = [book(x: .nan, y: 1), book(x: 1, y: 1), book(x: 9, y: .infinity)]
    #expect(geometry.rows(of: broken) == [[1]])
  }

  @Test func everyFiniteOutlineIsInOneRow() {
    var generator = SeededGenerator(seed: 10)
    for _ in 0..<50 {
      func place() -> Double { .random(in: -1e3...1e3, using: &generator) }
      let outlines = (0..<40).map { _ in
        Quadrilateral(
          topLeft: Point(x: place(), y: place()), topRight: Point(x: place(), y: place()),
          bottomRight: Point(x: place(), y: place()), bottomLeft: Point(x: place(), y: place()))
      }
      #expect(geometry.rows(of: outlines).flatMap { $0 }.sorted() == Array(outlines.indices))
    }
    let huge = [book(x: 1e308, y: 1e308), book(x: -1e308, y: 1), book(x: 1, y: -1e308)]
    #expect(geometry.rows(of: huge).flatMap { $0 }.sorted() == [0, 1, 2])
  }
}
