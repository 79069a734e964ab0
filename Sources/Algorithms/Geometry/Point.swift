/// A point of the plane.
///
/// It uses `Double`, because points come from intersections and fits, whose rounding errors add up.
/// Boxes come from networks and are `Float`.
public struct Point: Hashable, Sendable, Codable {
  /// The horizontal coordinate, growing to the right.
  public var x: Double
  /// The vertical coordinate.
  ///
  /// It grows downward if the origin is at the top left, and upward if it is at the bottom left.
  public var y: Double

  /// Makes a point from its coordinates.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

extension Point {
  /// Whether neither coordinate is infinite or NaN.
  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite }

  /// The Euclidean distance to another point.
  @inlinable
  public func distance(to other: Point) -> Double {
    let dx = other.x - x
    let dy = other.y - y
    return (dx * dx + dy * dy).squareRoot()
  }

  /// The point moved by (`dx`, `dy`).
  @inlinable
  public func translated(dx: Double, dy: Double) -> Point {
    Point(x: x + dx, y: y + dy)
  }

  /// The point with its coordinates multiplied, that is, scaled about the origin.
  @inlinable
  public func scaled(x factorX: Double, y factorY: Double) -> Point {
    Point(x: x * factorX, y: y * factorY)
  }

  /// Twice the signed area of the triangle `origin`, `first`, `second`.
  ///
  /// It is positive if the turn from `first` to `second` is from the x axis towards the y axis.
  @inlinable
  static func cross(_ origin: Point, _ first: Point, _ second: Point) -> Double {
    (first.x - origin.x) * (second.y - origin.y) - (first.y - origin.y) * (second.x - origin.x)
  }
}
