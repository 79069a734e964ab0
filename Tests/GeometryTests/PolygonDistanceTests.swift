import Geometry
import Testing

@Suite struct PolygonDistanceTests {
  private let square = [
    Point(x: 0, y: 0), Point(x: 10, y: 0), Point(x: 10, y: 10), Point(x: 0, y: 10),
  ]

  @Test("the distance is that of the nearest side or corner, inside and outside") func sides() {
    let cases: [(Point, Double)] = [
      (Point(x: 5, y: -2), 2), (Point(x: 13, y: 14), 5), (Point(x: 4, y: 5), 4),
      // The last corner is joined to the first.
      (Point(x: -3, y: 5), 3), (Point(x: 10, y: 3), 0),
    ]
    for (point, distance) in cases {
      #expect(polygon(square, distanceTo: point) == distance)
      // Another start and the other direction change nothing.
      #expect(polygon(Array(square[2...] + square[..<2]), distanceTo: point) == distance)
      #expect(polygon(square.reversed(), distanceTo: point) == distance)
    }
  }

  @Test("polygons without a side: one corner, equal corners, none") func withoutSides() {
    let corner = Point(x: 1, y: 1)
    #expect(polygon([corner], distanceTo: Point(x: 4, y: 5)) == 5)
    #expect(polygon([corner, corner, corner], distanceTo: Point(x: 4, y: 5)) == 5)
    #expect(polygon([], distanceTo: corner) == .infinity)
    let nowhere = Point(x: .nan, y: .nan)
    #expect(polygon([nowhere, nowhere], distanceTo: corner) == .infinity)
  }
}
