import Geometry
import Raster

/// Which way the text of a standing spine runs.
public enum SpineTextRun: String, Hashable, Sendable, Codable, CaseIterable {
  /// From the top of the spine to its foot, the letters' heads to the right: usual in English,
  /// Dutch and the Nordic languages (ISO 6357).
  case down
  /// From the foot to the top, the letters' heads to the left: usual in French, Spanish, Italian
  /// and older German.
  case up
}

extension Raster {
  /// A spine, turned so that text along its long side lies horizontal: the long side is the width.
  ///
  /// A spine whose long side is nearer to the horizontal is read from left to right as it lies, any
  /// other the way `run` says. The corners may begin anywhere and turn either way: what is decided
  /// is decided by where they are, and letters never come out mirrored.
  ///
  /// The answer has the picture's own resolution: its sides are the means of the opposite sides,
  /// rounded, at least 1; where the longer would pass `maximumSide`, both shrink by one factor.
  ///
  /// - Parameters:
  ///   - quad: the spine's outline, as ``rectified(_:width:height:)`` takes it.
  ///   - run: which way the text of a standing spine runs.
  ///   - maximumSide: the most pixels the answer is wide, at least 1.
  /// - Complexity: as ``rectified(_:width:height:)``.
  /// - Throws: as ``rectified(_:width:height:)``.
  public func textUpright(
    _ quad: Quadrilateral, running run: SpineTextRun = .down, maximumSide: Int = 4096
  ) throws -> Raster {
    guard maximumSide > 0 else {
      throw RasterError.invalidLayout(width: maximumSide, height: maximumSide, channels: channels)
    }
    let (long, short) = (quad.longSide, quad.shortSide)
    guard long.isFinite else { throw RectificationError.nonFinite(quad) }
    // Beyond this no picture can be made anyway, and numbers would leave the range of an `Int`.
    let scale = min(1, Double(min(maximumSide, Self.maximumSamples)) / long)
    return try rectified(
      quad.alongText(running: run), width: max(Int((long * scale).rounded()), 1),
      height: max(Int((short * scale).rounded()), 1))
  }
}

extension Quadrilateral {
  /// The same corners in the order in which a reader of text along the long side names them.
  package func alongText(running run: SpineTextRun) -> Quadrilateral {
    let clockwise =
      signedArea < 0
      ? Quadrilateral(
        topLeft: topLeft, topRight: bottomLeft, bottomRight: bottomRight, bottomLeft: topRight)
      : self
    let lengthwise = clockwise.meanWidth >= clockwise.meanHeight ? clockwise : clockwise.turned
    // Along both long sides, from what is the left end now to the right end.
    let dx =
      (lengthwise.topRight.x - lengthwise.topLeft.x)
      + (lengthwise.bottomRight.x - lengthwise.bottomLeft.x)
    let dy =
      (lengthwise.topRight.y - lengthwise.topLeft.y)
      + (lengthwise.bottomRight.y - lengthwise.bottomLeft.y)
    let isForward = abs(dx) > abs(dy) ? dx > 0 : (run == .down ? dy > 0 : dy < 0)
    return isForward ? lengthwise : lengthwise.turned.turned
  }

  /// The same shape with each corner named as the one before it was.
  private var turned: Quadrilateral {
    Quadrilateral(
      topLeft: topRight, topRight: bottomRight, bottomRight: bottomLeft, bottomLeft: topLeft)
  }
}
