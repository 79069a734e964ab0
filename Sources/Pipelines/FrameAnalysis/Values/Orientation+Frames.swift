import Geometry

extension Orientation {
  /// The place in the upright frame of a point in the stored one.
  ///
  /// Both are in shares, 0...1, origin at the bottom left. The ``/Geometry/Orientation/inverse``
  /// leads back.
  public func upright(_ point: Point) -> Point {
    let (x, y) = (point.x, point.y)
    return switch self {
    case .upright: point
    case .flipHorizontally: Point(x: 1 - x, y: y)
    case .rotate180: Point(x: 1 - x, y: 1 - y)
    case .flipVertically: Point(x: x, y: 1 - y)
    case .transpose: Point(x: 1 - y, y: 1 - x)
    case .rotate90Clockwise: Point(x: y, y: 1 - x)
    case .transverse: Point(x: y, y: x)
    case .rotate90Anticlockwise: Point(x: 1 - y, y: x)
    }
  }

  /// The outline in the upright frame, in shares as a point is.
  ///
  /// Corners keep their names, so that text still runs from its first to its last letter.
  public func upright(_ outline: Quadrilateral) -> Quadrilateral {
    outline.mapCorners { upright($0) }
  }

  /// The box in the upright frame, in shares as a point is.
  public func upright(_ box: NormalizedBox) -> NormalizedBox {
    let corner = upright(Point(x: box.x, y: box.y))
    let other = upright(Point(x: box.x + box.width, y: box.y + box.height))
    return NormalizedBox(
      x: min(corner.x, other.x), y: min(corner.y, other.y),
      width: swapsSides ? box.height : box.width, height: swapsSides ? box.width : box.height)
  }

  /// The size of the upright frame.
  public func upright(_ stored: CoordinateSpace) -> CoordinateSpace {
    guard swapsSides else { return stored }
    // Sides that made one size make the other.
    return (try? CoordinateSpace(width: stored.height, height: stored.width)) ?? stored
  }
}

extension Orientation {
  func upright(_ text: TextLineRegion) -> TextLineRegion {
    var result = text
    result.box = upright(text.box)
    result.outline = text.outline.map { upright($0) }
    return result
  }

  func upright(_ barcode: BarcodeRegion) -> BarcodeRegion {
    BarcodeRegion(
      box: upright(barcode.box), payload: barcode.payload, symbology: barcode.symbology,
      confidence: barcode.confidence)
  }

  func upright(_ object: ObjectRegion) -> ObjectRegion {
    var result = object
    result.outline = upright(object.outline)
    return result
  }
}
