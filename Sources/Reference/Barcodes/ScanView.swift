import Geometry
import Raster
import Rectification

/// A picture as ZBar is to see it: scaled or turned, and the way back.
struct ScanView: Sendable {
  let grey: Raster
  /// The outline of the view in pixels of the picture.
  private let frame: Quadrilateral

  /// The whole picture at another scale.
  init(of picture: Raster, scale: Double) throws {
    let width = max(Int((Double(picture.width) * scale).rounded()), 1)
    let height = max(Int((Double(picture.height) * scale).rounded()), 1)
    grey = try picture.resized(width: width, height: height, method: .bicubic)
    frame = Quadrilateral(
      Box(minX: 0, minY: 0, maxX: Float(picture.width), maxY: Float(picture.height)))
  }

  /// The whole picture, turned by 45 degrees: ZBar scans along rows and columns only.
  init(diagonalOf picture: Raster, scale: Double) throws {
    let (width, height) = (Double(picture.width), Double(picture.height))
    let half = (width + height) / 2 * 0.5.squareRoot()
    let arm = half * 2.0.squareRoot()
    let center = Point(x: width / 2, y: height / 2)
    frame = Quadrilateral(
      topLeft: center.translated(dx: 0, dy: -arm), topRight: center.translated(dx: arm, dy: 0),
      bottomRight: center.translated(dx: 0, dy: arm), bottomLeft: center.translated(dx: -arm, dy: 0)
    )
    let side = max(Int(2 * half * scale), 1)
    grey = try picture.rectified(frame, width: side, height: side)
  }

  /// What ZBar reads, in pixels of the picture.
  func symbols() throws(BarcodeError) -> [ZBarSymbol] {
    try ZBarScan.symbols(in: grey).map { symbol in
      var moved = symbol
      moved.outline = symbol.outline.mapCorners { corner in
        let (u, v) = (corner.x / Double(grey.width), corner.y / Double(grey.height))
        return Point(
          x: frame.topLeft.x + u * (frame.topRight.x - frame.topLeft.x)
            + v * (frame.bottomLeft.x - frame.topLeft.x),
          y: frame.topLeft.y + u * (frame.topRight.y - frame.topLeft.y)
            + v * (frame.bottomLeft.y - frame.topLeft.y))
      }
      return moved
    }
  }
}
