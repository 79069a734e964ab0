/// A box in the coordinates of camera frameworks: shares of the image, 0...1, origin at the bottom
/// left.
///
/// It is a separate type, so that it cannot be mistaken for a ``Box`` in pixels. It uses `Double`,
/// so that a pixel box is unchanged after conversion in both directions; see ``CoordinateSpace``.
public struct NormalizedBox: Hashable, Sendable, Codable {
  /// The left edge.
  public var x: Double
  /// The bottom edge.
  public var y: Double
  /// The width, as a share of the image's width.
  public var width: Double
  /// The height, as a share of the image's height.
  public var height: Double

  /// Makes a box from its bottom left corner and its size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

extension NormalizedBox {
  /// The share of the image that the box covers.
  public var area: Double { width * height }

  /// The point in the middle.
  public var center: Point { Point(x: x + width / 2, y: y + height / 2) }
}
