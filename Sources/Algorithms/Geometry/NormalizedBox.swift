/// A box as camera frameworks give it: in shares of the image, 0...1, origin at the bottom left.
///
/// A type of its own, so that it cannot be taken for a ``Box`` in pixels. `Double`, so that a pixel
/// box survives the way there and back; see ``CoordinateSpace``.
public struct NormalizedBox: Hashable, Sendable, Codable {
  /// The left edge.
  public var x: Double
  /// The bottom edge.
  public var y: Double
  /// The width, as a share of the image's.
  public var width: Double
  /// The height, as a share of the image's.
  public var height: Double

  /// Makes a box of its bottom left corner and its size.
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
