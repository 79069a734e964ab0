import Geometry
import Raster
import VisionProtocols

/// The scans of one part of a picture that may have a code of two dimensions.
struct DotLook {
  /// The kinds to read.
  let symbologies: Set<BarcodeSymbology>
  /// Whether all scans are done, in both polarities.
  let isThorough: Bool

  /// A part that leans by less, in radians, is upright.
  private static let leastLean = 0.008
  /// The modules that are expected, in pixels of the size at which a part was found.
  private static let modules = 1.3...6.0
  /// The least share of edges that lies on one grid, if there is a code of squares.
  private static let leastRegularity = 0.25
  /// The largest module in pixels for ZXing's local threshold, which needs light and dark around a
  /// pixel.
  private static let mostModule = 9.0
  /// The margin around a part, in pixels of the size at which it was found.
  private static let margin = 8.0
  /// That around PDF417, whose wide bars at the ends are emptier than its rest.
  private static let rowsMargin = 24.0
  /// That around stacked rows, whose ends are the same.
  private static let stackedMargin = 12.0
  /// How much stacked rows are enlarged the second time, from the size at which they were found.
  private static let stackedZoom = 5.0
  /// The side of the picture in which rings are looked for.
  private static let ringSide = 260

  /// What there is of a make at a place of a picture of one channel.
  func findings(
    of make: DotArea.Make, at area: DotArea, in picture: Raster
  ) throws -> [Sighting] {
    switch make {
    case .hexagons: return try hexagons(in: ScanView(of: area, in: picture, margin: Self.margin))
    case .squares:
      return try squares(in: upright(area, in: picture, margin: Self.margin).view)
    case .rows:
      return try rows(in: upright(area, in: picture, margin: Self.rowsMargin).view, at: area)
    }
  }

  /// A part with its lean taken away, and the view of it.
  private func upright(
    _ area: DotArea, in picture: Raster, margin: Double
  ) throws -> (area: DotArea, view: ScanView) {
    let view = try ScanView(of: area, in: picture, margin: margin)
    let lean = DotBlocks(of: GreyPlane(view.grey)).lean
    guard abs(lean) > Self.leastLean else { return (area, view) }
    let turned = area.turned(by: lean)
    return (turned, try ScanView(of: turned, in: picture, margin: margin))
  }

  /// What there is of DataBar at a place of a picture of one channel.
  ///
  /// A low row has few lines, so it is scanned at two sizes, of which both have to agree.
  func stackedRows(at area: DotArea, in picture: Raster) throws -> [[Sighting]] {
    let (area, view) = try upright(area, in: picture, margin: Self.stackedMargin)
    let larger = try ScanView(
      of: area, in: picture, margin: Self.stackedMargin, zoom: Self.stackedZoom)
    return try [view, larger].map { view in
      try Task.checkCancellation()
      let isDark = view.hasDarkRim
      return try read(view, of: symbologies, isInverted: isThorough ? [isDark, !isDark] : [isDark])
    }
  }

  private func rows(in view: ScanView, at area: DotArea) throws -> [Sighting] {
    let kinds = symbologies.intersection([.pdf417])
    return try read(view, of: kinds, isInverted: [false, true]).map { sighting in
      // ZXing now and then says the place of one end only.
      var whole = sighting
      if whole.outline.signedArea < area.outline.signedArea / 2 { whole.outline = area.outline }
      return whole
    }
  }

  private func squares(in view: ScanView) throws -> [Sighting] {
    let kinds = symbologies.intersection([.qr, .dataMatrix, .aztec])
    let plane = GreyPlane(
      try view.grey.sharpened(radius: max(Int(view.zoom.rounded()), 1), amount: 2))
    let modules = view.zoom * Self.modules.lowerBound...view.zoom * Self.modules.upperBound
    guard let grid = DotGrid(of: plane, modules: modules),
      isThorough || grid.regularity >= Self.leastRegularity
    else { return [] }
    var plain = view
    var module = grid.module
    while module > Self.mostModule {
      plain = try plain.halved()
      module /= 2
    }
    let isDark = view.hasDarkRim
    let found = try read(
      plain, of: kinds, isInverted: isThorough ? [isDark, !isDark] : [isDark])
    guard found.isEmpty, let drawn = try grid.drawn(plane) else { return found }
    let seen = view.redrawn(Quadrilateral(drawn.part), as: drawn.picture)
    return try read(seen, of: kinds, isInverted: [isDark, !isDark])
  }

  /// What ZXing reads in a view, in the first colours of those given in which it reads something.
  private func read(
    _ view: ScanView, of kinds: Set<BarcodeSymbology>, isInverted colours: [Bool]
  ) throws -> [Sighting] {
    for isInverted in colours {
      let scan = ZXingScan(symbologies: kinds)
      let found = try (isInverted ? view.inverted() : view).findings(of: scan).read
      if !found.isEmpty { return found }
    }
    return []
  }

  /// A MaxiCode, if there are its rings.
  private func hexagons(in view: ScanView) throws -> [Sighting] {
    var plane = GreyPlane(view.grey)
    while max(plane.width, plane.height) > Self.ringSide, let half = plane.halved { plane = half }
    guard let eye = BullsEye(in: plane) else { return [] }
    let grid = MaxiCodeGrid(around: eye, in: plane)
    let factor = Double(view.grey.width) / Double(plane.width)
    for turn in 0..<6 {
      try Task.checkCancellation()
      let outline = grid.outline(turn: turn).mapCorners {
        Point(x: $0.x * factor, y: $0.y * factor)
      }
      let drawn = view.redrawn(outline, as: try grid.drawn(plane, turn: turn))
      let found = try drawn.findings(of: ZXingScan(symbologies: [.maxiCode])).read
      if !found.isEmpty { return found }
    }
    return []
  }
}
