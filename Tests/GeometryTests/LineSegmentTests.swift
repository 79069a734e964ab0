import Geometry
import Testing

@Suite("Line segments")
struct LineSegmentTests {
  let segment = LineSegment(start: Point(x: 1, y: 2), end: Point(x: 4, y: 6))

  @Test("Length and middle")
  func lengths() {
    #expect(segment.length == 5)
    #expect(segment.midpoint == Point(x: 2.5, y: 4))
  }

  @Test("Distances are positive on the right where y grows downward")
  func distances() {
    #expect(segment.signedDistance(to: Point(x: 1 - 4, y: 2 + 3)) == 5)
    #expect(segment.signedDistance(to: Point(x: 1 + 4, y: 2 - 3)) == -5)
    #expect(segment.signedDistance(to: segment.midpoint) == 0)
    let level = LineSegment(start: Point(x: 0, y: 0), end: Point(x: 10, y: 0))
    #expect(level.signedDistance(to: Point(x: 50, y: 3)) == 3)
  }

  @Test("Pieces without an extent or with coordinates that are no numbers")
  func odd() {
    let point = LineSegment(start: Point(x: 1, y: 1), end: Point(x: 1, y: 1))
    #expect(point.length == 0)
    #expect(point.signedDistance(to: Point(x: 3, y: 3)).isNaN)
    #expect(point.isFinite)
    #expect(!LineSegment(start: Point(x: .nan, y: 0), end: Point(x: 1, y: 1)).isFinite)
    let huge = Double.greatestFiniteMagnitude
    let long = LineSegment(start: Point(x: huge, y: 0), end: Point(x: huge, y: 2))
    #expect(long.midpoint == Point(x: huge, y: 1))
  }
}
