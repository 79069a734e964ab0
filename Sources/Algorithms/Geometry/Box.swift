/// An axis-aligned box: two opposite corners in one coordinate space.
///
/// The values are `Float` because that is what detectors answer and what the peers (torchvision,
/// OpenCV) compute in; overlaps therefore round exactly as theirs do. The space is the caller's:
/// pixels with the origin at the top left unless a function says otherwise.
///
/// A box with `maxX < minX` or `maxY < minY` is representable (detectors do produce them) and keeps
/// the signed arithmetic of the formulas below; use ``isEmpty`` to find it.
public struct Box: Hashable, Sendable, Codable {
  /// The left edge.
  public var minX: Float
  /// The top edge (the bottom edge where the origin is at the bottom left).
  public var minY: Float
  /// The right edge.
  public var maxX: Float
  /// The bottom edge (the top edge where the origin is at the bottom left).
  public var maxY: Float

  /// Makes a box from its corners.
  public init(minX: Float, minY: Float, maxX: Float, maxY: Float) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  /// Makes a box from one corner and its size.
  public init(x: Float, y: Float, width: Float, height: Float) {
    self.init(minX: x, minY: y, maxX: x + width, maxY: y + height)
  }
}

extension Box {
  /// `maxX - minX`.
  @inlinable public var width: Float { maxX - minX }

  /// `maxY - minY`.
  @inlinable public var height: Float { maxY - minY }

  /// `width * height`.
  @inlinable public var area: Float { width * height }

  /// Whether the box holds no point: a side is zero, negative or not a number.
  @inlinable public var isEmpty: Bool { !(width > 0 && height > 0) }
}
