import Geometry
import Raster
import Rectification
import VisionProtocols
import _CLibrary

/// A picture as a reader is to see it: scaled, turned or inverted, and the way back.
struct ScanView: Sendable {
  private(set) var grey: Raster
  /// The outline of the view in pixels of the picture.
  private let frame: Quadrilateral
  /// How much a part that is full of edges was enlarged, from the size at which it was found.
  private(set) var zoom = 1.0

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

  /// A rectangle of the picture with some of its surroundings, upright, and enlarged up to four
  /// times.
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

  /// Cuts out a part full of edges, upright, with a margin, and enlarged so that a module has at
  /// least about six pixels.
  ///
  /// - Parameters:
  ///   - rim: the margin around it, in pixels of the size at which it was found.
  ///   - most: how much it is enlarged from that size, if it stays small enough.
  init(
    of area: DotArea, in picture: Raster, margin rim: Double, zoom most: Double = Self.mostZoom
  ) throws {
    let outline = area.outline
    let (width, height) = (outline.meanWidth, outline.meanHeight)
    let margin = rim * area.scale
    func corner(_ from: Point, _ u: Double, _ v: Double) -> Point {
      let (a, b, d) = (outline.topLeft, outline.topRight, outline.bottomLeft)
      return from.translated(
        dx: margin * (u * (b.x - a.x) / width + v * (d.x - a.x) / height),
        dy: margin * (u * (b.y - a.y) / width + v * (d.y - a.y) / height))
    }
    frame = Quadrilateral(
      topLeft: corner(outline.topLeft, -1, -1), topRight: corner(outline.topRight, 1, -1),
      bottomRight: corner(outline.bottomRight, 1, 1), bottomLeft: corner(outline.bottomLeft, -1, 1))
    let (across, along) = (width + 2 * margin, height + 2 * margin)
    let scale = min(
      most / area.scale, Self.mostSide * most / Self.mostZoom / max(across, along))
    zoom = scale * area.scale
    grey = try picture.cubicallyWarped(
      frame, width: max(Int(across * scale), 1), height: max(Int(along * scale), 1))
  }

  /// How much such a part is enlarged, from the size at which it was found.
  static let mostZoom = 3.0
  /// The longest side of one that was enlarged.
  private static let mostSide = 640.0

  /// A part of this view as it was drawn again.
  func redrawn(_ part: Quadrilateral, as picture: Raster) -> ScanView {
    ScanView(grey: picture, frame: part.mapCorners(inPicture))
  }

  private init(grey: Raster, frame: Quadrilateral) {
    self.grey = grey
    self.frame = frame
  }

  /// Whether the rim is darker than what it surrounds, as that of a light code on dark is.
  var hasDarkRim: Bool {
    let rim = max(Int(4 * zoom), 1)
    var (outer, inner) = ((sum: 0, count: 0), (sum: 0, count: 0))
    for y in 0..<grey.height {
      let isEdge = y < rim || y >= grey.height - rim
      for x in 0..<grey.width {
        let sample = Int(grey.samples[y * grey.width + x])
        if isEdge || x < rim || x >= grey.width - rim {
          outer = (outer.sum + sample, outer.count + 1)
        } else {
          inner = (inner.sum + sample, inner.count + 1)
        }
      }
    }
    return outer.sum * inner.count < inner.sum * outer.count
  }

  /// The same at half the size.
  func halved() throws -> ScanView {
    let (width, height) = (max(grey.width / 2, 1), max(grey.height / 2, 1))
    return ScanView(grey: try grey.resized(width: width, height: height), frame: frame)
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
