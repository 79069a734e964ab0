/// A point of the plane.
///
/// `Double`, because points come out of intersections and fits, whose rounding errors add up;
/// boxes, which come out of networks, are `Float`.
public struct Point: Hashable, Sendable, Codable {
  /// The horizontal coordinate, growing to the right.
  public var x: Double
  /// The vertical coordinate: growing downward where the origin is at the top left, upward where it
  /// is at the bottom left.
  public var y: Double

  /// Makes a point of its coordinates.
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

  /// Twice the signed area of the triangle `origin`, `first`, `second`: positive where the turn
  /// from `first` to `second` is from the x axis towards the y axis.
  @inlinable
  static func cross(_ origin: Point, _ first: Point, _ second: Point) -> Double {
    (first.x - origin.x) * (second.y - origin.y) - (first.y - origin.y) * (second.x - origin.x)
  }
}
