import Geometry

/// How a camera's frame is to be turned to stand upright: the values of the EXIF orientation tag.
///
/// The name says what to do with the stored frame (Exif 2.32, section 4.6.4, tag 0x0112). The
/// values and names are those of `Raster`'s `Orientation`.
public enum FrameOrientation: Int, Hashable, Sendable, Codable, CaseIterable {
  /// 1: as stored.
  case upright = 1
  /// 2: mirrored left to right.
  case flipHorizontally = 2
  /// 3: turned by half a turn.
  case rotate180 = 3
  /// 4: mirrored top to bottom.
  case flipVertically = 4
  /// 5: mirrored along the diagonal from the top left; rows become columns.
  case transpose = 5
  /// 6: turned a quarter clockwise.
  case rotate90Clockwise = 6
  /// 7: mirrored along the diagonal from the top right.
  case transverse = 7
  /// 8: turned a quarter anticlockwise.
  case rotate90Anticlockwise = 8

  /// Whether the upright frame's width is the stored frame's height.
  public var swapsSides: Bool { rawValue >= 5 }

  /// The orientation that undoes this one.
  public var inverse: FrameOrientation {
    switch self {
    case .rotate90Clockwise: .rotate90Anticlockwise
    case .rotate90Anticlockwise: .rotate90Clockwise
    default: self
    }
  }
}

extension FrameOrientation {
  /// The place in the upright frame of a point in the stored one.
  ///
  /// Both are in shares, 0...1, origin at the bottom left. The ``inverse`` leads back.
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

extension FrameOrientation {
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
