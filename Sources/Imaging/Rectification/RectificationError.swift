import Geometry

/// Why a quadrilateral cannot be mapped onto another.
public enum RectificationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A coordinate is infinite or not a number, or sides are too long to have a length.
  case nonFinite(Quadrilateral)
  /// Three of the corners lie in a line, or corners coincide.
  case degenerate(Quadrilateral)
  /// Sides cross, or a corner points inwards.
  case notConvex(Quadrilateral)

  /// The error, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .nonFinite(let quad):
      "the corners \(Self.text(quad)) have no finite sides; coordinates must be finite numbers"
    case .degenerate(let quad):
      "three of the corners \(Self.text(quad)) lie in a line; no three of the four may"
    case .notConvex(let quad):
      "the corners \(Self.text(quad)) make no convex shape; they must go around one in order"
    }
  }

  private static func text(_ quad: Quadrilateral) -> String {
    quad.corners.map { "(\($0.x), \($0.y))" }.joined(separator: " ")
  }
}
