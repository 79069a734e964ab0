import Geometry
import Perception
import Raster
import Rectification

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A picture as a reader is to see it: scaled, turned or inverted, and the way back.
struct ScanView: Sendable {
  private(set) var grey: Raster
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

  /// The whole picture, turned by 45 degrees: readers scan along rows and columns only.
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

  /// A rectangle of the picture with some of its surroundings, upright, and enlarged up to four times.
  init(of area: Quadrilateral, in picture: Raster, side: Double) throws {
    let center = area.center
    let (width, height) = (area.meanWidth * 1.4, area.meanHeight * 1.2)
    let across = Point(
      x: (area.topRight.x - area.topLeft.x) / max(area.meanWidth, 1) * width / 2,
      y: (area.topRight.y - area.topLeft.y) / max(area.meanWidth, 1) * width / 2)
    let along = Point(
      x: (area.bottomLeft.x - area.topLeft.x) / max(area.meanHeight, 1) * height / 2,
      y: (area.bottomLeft.y - area.topLeft.y) / max(area.meanHeight, 1) * height / 2)
    func corner(_ u: Double, _ v: Double) -> Point {
      center.translated(dx: u * across.x + v * along.x, dy: u * across.y + v * along.y)
    }
    frame = Quadrilateral(
      topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1),
      bottomLeft: corner(-1, 1))
    let scale = min(side / max(width, height, 1), 4)
    grey = try picture.cubicallyWarped(
      frame, width: max(Int(width * scale), 1), height: max(Int(height * scale), 1))
  }

  /// The whole picture, turned about its middle by an angle in radians, in a square of a side.
  init(of picture: Raster, turnedBy angle: Double, side: Int) throws {
    let (width, height) = (Double(picture.width), Double(picture.height))
    let center = Point(x: width / 2, y: height / 2)
    let half = (width * width + height * height).squareRoot() / 2
    func corner(_ u: Double, _ v: Double) -> Point {
      center.translated(
        dx: half * (u * cos(angle) - v * sin(angle)), dy: half * (u * sin(angle) + v * cos(angle)))
    }
    frame = Quadrilateral(
      topLeft: corner(-1, -1), topRight: corner(1, -1), bottomRight: corner(1, 1),
      bottomLeft: corner(-1, 1))
    grey = try picture.rectified(frame, width: side, height: side)
  }

  /// The same, light for dark.
  func inverted() throws -> ScanView {
    var view = self
    view.grey = try Raster(
      width: grey.width, height: grey.height, channels: 1, samples: grey.samples.map { 255 - $0 })
    return view
  }

  /// What ZBar reads, in pixels of the picture.
  func symbols(of symbologies: Set<BarcodeSymbology>) throws(BarcodeError) -> [Sighting] {
    try ZBarScan.symbols(in: grey, of: symbologies).map(inPicture)
  }

  /// What ZXing finds, in pixels of the picture.
  func findings(of scan: ZXingScan) throws(BarcodeError) -> ZXingScan.Findings {
    var findings = try scan.findings(in: grey)
    findings.read = findings.read.map(inPicture)
    findings.unread = findings.unread.map { $0.mapCorners(inPicture) }
    return findings
  }

  private func inPicture(_ sighting: Sighting) -> Sighting {
    var moved = sighting
    moved.outline = sighting.outline.mapCorners(inPicture)
    return moved
  }

  private func inPicture(_ corner: Point) -> Point {
    let (u, v) = (corner.x / Double(grey.width), corner.y / Double(grey.height))
    return Point(
      x: frame.topLeft.x + u * (frame.topRight.x - frame.topLeft.x)
        + v * (frame.bottomLeft.x - frame.topLeft.x),
      y: frame.topLeft.y + u * (frame.topRight.y - frame.topLeft.y)
        + v * (frame.bottomLeft.y - frame.topLeft.y))
  }
}
