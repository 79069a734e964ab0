/// Four corners in order around a shape: a box in perspective, or a rotated one.
///
/// The names are those of the object read upright; if the object lies on its side or upside down,
/// `topLeft` may be anywhere. Sides run from each corner to the next, and from the last to the
/// first. The caller chooses the space: pixels with the origin at the top left unless a function
/// says otherwise.
///
/// The corners may turn either way. A shape whose sides cross (a bow tie) is representable; areas
/// are then the difference of its parts.
public struct Quadrilateral: Hashable, Sendable, Codable {
  /// The first corner.
  public var topLeft: Point
  /// The second corner.
  public var topRight: Point
  /// The third corner.
  public var bottomRight: Point
  /// The fourth corner.
  public var bottomLeft: Point

  /// Makes a quadrilateral from its corners in order.
  public init(topLeft: Point, topRight: Point, bottomRight: Point, bottomLeft: Point) {
    self.topLeft = topLeft
    self.topRight = topRight
    self.bottomRight = bottomRight
    self.bottomLeft = bottomLeft
  }

  /// Makes a quadrilateral from four corners in order.
  ///
  /// - Throws: ``GeometryError/cornerCount(_:)`` for any other number of corners.
  public init(corners: [Point]) throws(GeometryError) {
    guard corners.count == 4 else { throw .cornerCount(corners.count) }
    self.init(
      topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
  }

  /// Makes the quadrilateral with a box's corners.
  public init(_ box: Box) {
    let corners = box.corners
    self.init(
      topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
  }
}

extension Quadrilateral {
  /// The four corners in order.
  public var corners: [Point] { [topLeft, topRight, bottomRight, bottomLeft] }

  /// The quadrilateral with every corner replaced.
  public func mapCorners(_ transform: (Point) -> Point) -> Quadrilateral {
    Quadrilateral(
      topLeft: transform(topLeft), topRight: transform(topRight),
      bottomRight: transform(bottomRight), bottomLeft: transform(bottomLeft))
  }

  /// The point at the share `u` of the way from the left to the right side, and `v` from the upper
  /// to the lower.
  package func point(u: Double, v: Double) -> Point {
    func between(_ a: Point, _ b: Point, _ share: Double) -> Point {
      Point(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y))
    }
    return between(between(topLeft, topRight, u), between(bottomLeft, bottomRight, u), v)
  }

  /// Whether no coordinate is infinite or NaN.
  public var isFinite: Bool { corners.allSatisfy(\.isFinite) }

  /// The area by the shoelace formula.
  ///
  /// It is positive if the corners turn from the x axis towards the y axis: clockwise on a screen
  /// if the origin is at the top left.
  public var signedArea: Double { Geometry.signedArea(of: corners) }

  /// The area, at least 0.
  public var area: Double { abs(signedArea) }

  /// The mean of the corners.
  public var center: Point {
    Point(
      x: (topLeft.x + topRight.x + bottomRight.x + bottomLeft.x) / 4,
      y: (topLeft.y + topRight.y + bottomRight.y + bottomLeft.y) / 4)
  }

  /// The smallest axis-aligned box around the corners, rounded to `Float`.
  public var boundingBox: Box {
    let xs = corners.map(\.x)
    let ys = corners.map(\.y)
    return Box(
      minX: Float(xs.reduce(.infinity, min)), minY: Float(ys.reduce(.infinity, min)),
      maxX: Float(xs.reduce(-.infinity, max)), maxY: Float(ys.reduce(-.infinity, max)))
  }

  /// Whether the shape is convex and has an area: all turns go the same way.
  ///
  /// Three corners in one line are allowed.
  public var isConvex: Bool {
    let corners = corners
    let turns = (0..<4).map { index in
      Point.cross(corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
    }
    let oneWay = turns.allSatisfy { $0 >= 0 } || turns.allSatisfy { $0 <= 0 }
    return oneWay && signedArea != 0 && isFinite
  }

  /// Whether the point lies in the shape, including its sides.
  ///
  /// A point is inside if a ray to infinity crosses the sides an odd number of times.
  public func contains(_ point: Point) -> Bool {
    polygon(corners, contains: point)
  }
}

extension Quadrilateral {
  /// The mean length of the upper and the lower side.
  public var meanWidth: Double {
    (topLeft.distance(to: topRight) + bottomLeft.distance(to: bottomRight)) / 2
  }

  /// The mean length of the left and the right side.
  public var meanHeight: Double {
    (topLeft.distance(to: bottomLeft) + topRight.distance(to: bottomRight)) / 2
  }

  /// The mean length of the longer pair of opposite sides.
  public var longSide: Double { max(meanWidth, meanHeight) }

  /// The mean length of the shorter pair of opposite sides.
  public var shortSide: Double { min(meanWidth, meanHeight) }

  /// `shortSide / longSide`, 0...1; NaN if all corners are one point.
  public var aspectRatio: Double { shortSide / longSide }

  /// The direction of the long sides, in radians, greater than -pi/2 and at most pi/2.
  ///
  /// It is the angle of their mean direction from the x axis towards the y axis. The two directions
  /// along an axis are one. The angle is 0 along the x axis and pi/2 along the y axis. If both
  /// pairs have equal length, the upper and the lower side are used.
  public var angleOfLongAxis: Double {
    let isWide = meanWidth >= meanHeight
    let dx =
      isWide
      ? (topRight.x - topLeft.x) + (bottomRight.x - bottomLeft.x)
      : (bottomLeft.x - topLeft.x) + (bottomRight.x - topRight.x)
    let dy =
      isWide
      ? (topRight.y - topLeft.y) + (bottomRight.y - bottomLeft.y)
      : (bottomLeft.y - topLeft.y) + (bottomRight.y - topRight.y)
    return axisAngle(dx: dx, dy: dy)
  }
}
