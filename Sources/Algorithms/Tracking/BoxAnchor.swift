import Geometry

/// A point of a box by which a zone decides where an object is.
///
/// "Top" and "bottom" are those of a screen, where y grows downward.
public enum BoxAnchor: String, Hashable, Sendable, Codable, CaseIterable {
  /// The corner (`minX`, `minY`).
  case topLeft
  /// The middle of the top edge.
  case topCenter
  /// The corner (`maxX`, `minY`).
  case topRight
  /// The middle of the left edge.
  case centerLeft
  /// The center of the box.
  case center
  /// The middle of the right edge.
  case centerRight
  /// The corner (`minX`, `maxY`).
  case bottomLeft
  /// The middle of the bottom edge, where people and vehicles touch the ground.
  case bottomCenter
  /// The corner (`maxX`, `maxY`).
  case bottomRight

  /// The four corners: the whole box.
  public static let corners: [BoxAnchor] = [.topLeft, .topRight, .bottomRight, .bottomLeft]

  /// The place of the anchor in a box.
  public func point(of box: Box) -> Point {
    let center = box.center
    let x =
      switch self {
      case .topLeft, .centerLeft, .bottomLeft: Double(box.minX)
      case .topCenter, .center, .bottomCenter: center.x
      case .topRight, .centerRight, .bottomRight: Double(box.maxX)
      }
    let y =
      switch self {
      case .topLeft, .topCenter, .topRight: Double(box.minY)
      case .centerLeft, .center, .centerRight: center.y
      case .bottomLeft, .bottomCenter, .bottomRight: Double(box.maxY)
      }
    return Point(x: x, y: y)
  }
}
