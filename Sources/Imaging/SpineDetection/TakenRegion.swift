import Geometry

/// The convex hull of a row of spines, in which no other row is looked for.
struct TakenRegion {
  /// In order around it.
  private let corners: [Point]

  /// Of all corners of outlines (Andrew's monotone chain, 1979).
  init(_ outlines: [Quadrilateral]) {
    let points = outlines.flatMap(\.corners).sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    func chain(_ points: [Point]) -> [Point] {
      var chain: [Point] = []
      for point in points {
        while chain.count >= 2,
          Self.turn(chain[chain.count - 2], chain[chain.count - 1], point) <= 0
        {
          chain.removeLast()
        }
        chain.append(point)
      }
      return chain.dropLast()
    }
    corners = chain(points) + chain(points.reversed())
  }

  /// Whether a sixth of the outline or more lies inside, by 36 points.
  func covers(_ outline: Quadrilateral) -> Bool {
    var inside = 0
    for row in 0..<6 {
      for column in 0..<6 {
        let (u, v) = ((Double(column) + 0.5) / 6, (Double(row) + 0.5) / 6)
        if contains(outline.point(u: u, v: v)) { inside += 1 }
      }
    }
    return inside >= 6
  }

  private func contains(_ point: Point) -> Bool {
    guard var last = corners.last else { return false }
    for corner in corners {
      if Self.turn(last, corner, point) < 0 { return false }
      last = corner
    }
    return true
  }

  private static func turn(_ a: Point, _ b: Point, _ c: Point) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }
}
