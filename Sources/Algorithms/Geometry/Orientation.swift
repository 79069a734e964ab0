/// How a stored image is to be turned to stand upright: the values of the EXIF orientation tag.
///
/// The name says what to do with the stored pixels (Exif 2.32, section 4.6.4, tag 0x0112).
public enum Orientation: Int, Hashable, Sendable, Codable, CaseIterable {
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

  /// Whether the upright image's width is the stored image's height.
  public var swapsSides: Bool { rawValue >= 5 }

  /// The orientation that undoes this one.
  public var inverse: Orientation {
    switch self {
    case .rotate90Clockwise: .rotate90Anticlockwise
    case .rotate90Anticlockwise: .rotate90Clockwise
    default: self
    }
  }
}
