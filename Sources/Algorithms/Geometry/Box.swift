/// An axis-aligned box: two opposite corners in one coordinate space.
///
/// The values are `Float` because detectors return this type, and the peers (torchvision, OpenCV)
/// compute in it; overlaps therefore round exactly as theirs do. The caller chooses the space:
/// pixels with the origin at the top left unless a function says otherwise.
///
/// A box with `maxX < minX` or `maxY < minY` is representable (detectors do produce them) and keeps
/// the signed arithmetic of the formulas below; use ``isEmpty`` to find it.
public struct Box: Hashable, Sendable, Codable {
  /// The left edge.
  public var minX: Float
  /// The top edge (the bottom edge if the origin is at the bottom left).
  public var minY: Float
  /// The right edge.
  public var maxX: Float
  /// The bottom edge (the top edge if the origin is at the bottom left).
  public var maxY: Float

  /// Makes a box from its corners.
  @inlinable
  public init(minX: Float, minY: Float, maxX: Float, maxY: Float) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  /// Makes a box from one corner and its size.
  @inlinable
  public init(x: Float, y: Float, width: Float, height: Float) {
    self.init(minX: x, minY: y, maxX: x + width, maxY: y + height)
  }

  /// Makes a box from its center and its size.
  ///
  /// The corners are `center -+ size / 2`, as YOLOX's post-processing computes them.
  @inlinable
  public init(centerX: Float, centerY: Float, width: Float, height: Float) {
    self.init(
      minX: centerX - width / 2, minY: centerY - height / 2,
      maxX: centerX + width / 2, maxY: centerY + height / 2)
  }

  /// Makes the smallest box around points, or nil if there are none.
  ///
  /// Coordinates are rounded to `Float`.
  public init?(around points: [Point]) {
    guard let first = points.first else { return nil }
    var (left, top, right, bottom) = (first.x, first.y, first.x, first.y)
    for point in points.dropFirst() {
      left = min(left, point.x)
      top = min(top, point.y)
      right = max(right, point.x)
      bottom = max(bottom, point.y)
    }
    self.init(minX: Float(left), minY: Float(top), maxX: Float(right), maxY: Float(bottom))
  }
}

extension Box {
  /// `maxX - minX`.
  @inlinable public var width: Float { maxX - minX }

  /// `maxY - minY`.
  @inlinable public var height: Float { maxY - minY }

  /// `width * height`.
  @inlinable public var area: Float { width * height }

  /// `width / height`: infinite or NaN for a height of 0, negative for a negative side.
  @inlinable public var aspectRatio: Float { width / height }

  /// The point half way between the corners.
  @inlinable public var center: Point {
    Point(x: (Double(minX) + Double(maxX)) / 2, y: (Double(minY) + Double(maxY)) / 2)
  }

  /// The corners `(minX, minY)`, `(maxX, minY)`, `(maxX, maxY)`, `(minX, maxY)`.
  ///
  /// They are clockwise on a screen if the origin is at the top left.
  public var corners: [Point] {
    [
      Point(x: Double(minX), y: Double(minY)), Point(x: Double(maxX), y: Double(minY)),
      Point(x: Double(maxX), y: Double(maxY)), Point(x: Double(minX), y: Double(maxY)),
    ]
  }

  /// Whether the box contains no point: a side is zero, negative or NaN.
  @inlinable public var isEmpty: Bool { !(width > 0 && height > 0) }

  /// Whether no coordinate is infinite or NaN.
  @inlinable public var isFinite: Bool {
    minX.isFinite && minY.isFinite && maxX.isFinite && maxY.isFinite
  }

  /// Whether the point lies in the box, edges included.
  @inlinable
  public func contains(_ point: Point) -> Bool {
    point.x >= Double(minX) && point.x <= Double(maxX)
      && point.y >= Double(minY) && point.y <= Double(maxY)
  }
}

extension Box {
  /// The box moved by (`dx`, `dy`).
  @inlinable
  public func translated(dx: Float, dy: Float) -> Box {
    Box(minX: minX + dx, minY: minY + dy, maxX: maxX + dx, maxY: maxY + dy)
  }

  /// The box with its coordinates multiplied, that is, scaled about the origin.
  @inlinable
  public func scaled(x factorX: Float, y factorY: Float) -> Box {
    Box(
      minX: minX * factorX, minY: minY * factorY, maxX: maxX * factorX, maxY: maxY * factorY)
  }

  /// The box with all coordinates multiplied by one factor.
  @inlinable
  public func scaled(by factor: Float) -> Box {
    scaled(x: factor, y: factor)
  }

  /// The box with every coordinate moved to the nearest place inside `bounds`.
  ///
  /// A box that is completely outside becomes an empty one on the edge of `bounds`.
  @inlinable
  public func clipped(to bounds: Box) -> Box {
    Box(
      minX: min(max(minX, bounds.minX), bounds.maxX),
      minY: min(max(minY, bounds.minY), bounds.maxY),
      maxX: min(max(maxX, bounds.minX), bounds.maxX),
      maxY: min(max(maxY, bounds.minY), bounds.maxY))
  }

  /// The box clipped to an image of `width` by `height` with the origin in its corner.
  @inlinable
  public func clipped(toWidth width: Int, height: Int) -> Box {
    clipped(to: Box(minX: 0, minY: 0, maxX: Float(width), maxY: Float(height)))
  }
}
