/// A line segment between two points.
///
/// The caller chooses the space: pixels with the origin at the top left unless a function says
/// otherwise. Start and end may be the same point; the line through such a segment has no
/// direction.
public struct LineSegment: Hashable, Sendable, Codable {
  /// The first end.
  public var start: Point
  /// The second end.
  public var end: Point

  /// Makes a segment between two points.
  public init(start: Point, end: Point) {
    self.start = start
    self.end = end
  }
}

extension LineSegment {
  /// The Euclidean distance between the ends.
  public var length: Double { start.distance(to: end) }

  /// The point halfway between the ends.
  public var midpoint: Point {
    Point(x: start.x / 2 + end.x / 2, y: start.y / 2 + end.y / 2)
  }

  /// Whether no coordinate is infinite or NaN.
  public var isFinite: Bool { start.isFinite && end.isFinite }

  /// The signed distance of a point from the line through both ends.
  ///
  /// It is positive if the turn from the direction of the segment to the point is from the x axis
  /// towards the y axis: on the right, if y grows downward. It is NaN if the ends are the same.
  public func signedDistance(to point: Point) -> Double {
    Point.cross(start, end, point) / length
  }
}
