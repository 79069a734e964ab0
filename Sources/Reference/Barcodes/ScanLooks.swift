import Geometry
import Perception
import Raster
import ScanLines

/// The looks at one picture, one after the other, until they suffice.
struct ScanLooks {
  private let grey: Raster
  private let effort: BarcodeEffort
  /// What is looked for: a kind's own digits may make another one of it, as a leading zero makes a UPC-A.
  private let sought: Set<BarcodeSymbology>
  /// What was read.
  private(set) var witnesses: Witnesses

  /// The longest side that is looked at; longer pictures are reduced to it.
  private var mostSide: Double {
    switch effort {
    case .fast: 1200
    case .normal: 2400
    case .thorough: 4800
    }
  }
  /// Pictures up to this side are also looked at enlarged.
  private static let smallSide = 1200.0
  /// The longer side of a part that looks like bars, as it is looked at.
  private static let areaSide = 800.0

  /// The side of a picture that is turned in search of a MaxiCode, and of a part that may hold an Aztec
  /// or a Data Matrix.
  private static let turnedSide = 480

  /// How many parts that look like bars are looked at.
  static func areaLimit(_ effort: BarcodeEffort) -> Int { effort == .thorough ? 8 : 4 }

  init(at grey: Raster, symbologies: Set<BarcodeSymbology>, effort: BarcodeEffort) {
    self.grey = grey
    self.effort = effort
    var sought = symbologies
    // A reader that is not to look for one of these may take it for another.
    let retail: Set<BarcodeSymbology> = [.ean13, .upcA, .ean8, .upcE]
    if !symbologies.isDisjoint(with: retail) { sought.formUnion(retail) }
    if symbologies.contains(.itf14) { sought.insert(.itf) }
    self.sought = sought
    witnesses = Witnesses(symbologies: symbologies)
  }

  /// Looks, and looks again if that did not suffice.
  mutating func run() throws {
    guard !sought.isEmpty else { return }
    let side = Double(max(grey.width, grey.height))
    let scale = min(1, mostSide / side)
    try look(ScanView(of: grey, scale: scale))
    guard effort != .fast, effort == .thorough || !witnesses.suffice else { return }
    if side <= Self.smallSide { try look(ScanView(of: grey, scale: 2), zxing: effort == .thorough) }
    if side >= 320 { try look(ScanView(of: grey, scale: 0.5 * scale)) }
    try look(ScanView(diagonalOf: grey, scale: scale))
    if effort == .thorough || witnesses.isEmpty {
      try look(ScanView(of: grey, scale: scale).inverted())
      if effort == .thorough || witnesses.isEmpty {
        try look(ScanView(diagonalOf: grey, scale: scale).inverted())
      }
    }
    if effort == .thorough {
      try look(ScanView(of: grey, scale: scale), usesGlobalHistogram: true)
    }
    try lookAtAreas()
    try lookForMaxiCode()
    try lookForDots()
    try lookForLeaningDots()
    if sought.contains(.ean13) {
      try Task.checkCancellation()
      witnesses.add(try EANScanner().codes(in: grey))
    }
  }

  /// Looks for a MaxiCode that lies askew: ZXing reads upright ones, in pictures of nothing else.
  private mutating func lookForMaxiCode() throws {
    guard sought.contains(.maxiCode), witnesses.isEmpty else { return }
    let side = min(Self.turnedSide, max(grey.width, grey.height) * 3 / 2)
    let step = effort == .thorough ? 6 : 90
    for degrees in stride(from: step, to: 360, by: step) {
      try Task.checkCancellation()
      let view = try ScanView(of: grey, turnedBy: Double(degrees) * .pi / 180, side: side)
      witnesses.add(try view.findings(of: ZXingScan(symbologies: [.maxiCode])))
      if !witnesses.isEmpty { return }
    }
  }

  /// Looks for an Aztec or Data Matrix away from the middle: ZXing finds those that the middle of the picture
  /// lies in, or its rows and columns meet.
  private mutating func lookForDots() throws {
    let kinds = sought.intersection([.aztec, .dataMatrix])
    guard !kinds.isEmpty, witnesses.isEmpty else { return }
    let places = effort == .thorough ? 14 : 7
    let (width, height) = (Float(grey.width), Float(grey.height))
    let half = min(width, height) / 4
    for place in 0..<places * places {
      try Task.checkCancellation()
      let x = (Float(place % places) + 0.5) / Float(places) * width
      let y = (Float(place / places) + 0.5) / Float(places) * height
      let tile = Quadrilateral(
        Box(minX: x - half, minY: y - half, maxX: x + half, maxY: y + half))
      let view = try ScanView(of: tile, in: grey, side: Double(Self.turnedSide))
      witnesses.add(try view.findings(of: ZXingScan(symbologies: kinds)))
      if !witnesses.isEmpty { return }
    }
  }

  /// Looks for a leaning code of two dimensions, which ZXing reads if it stands nearly upright.
  private mutating func lookForLeaningDots() throws {
    let kinds = sought.intersection([.aztec, .dataMatrix, .pdf417])
    guard !kinds.isEmpty else { return }
    let side = min(2 * Self.turnedSide, 2 * max(grey.width, grey.height))
    for degrees in stride(from: 10, to: 90, by: effort == .thorough ? 5 : 10) {
      guard witnesses.isEmpty else { return }
      try Task.checkCancellation()
      let view = try ScanView(of: grey, turnedBy: Double(degrees) * .pi / 180, side: side)
      witnesses.add(try view.findings(of: ZXingScan(symbologies: kinds)))
    }
  }

  /// Looks at each part of the picture that looks like bars, turned upright.
  private mutating func lookAtAreas() throws {
    let areas = try BarArea.areas(in: grey, limit: Self.areaLimit(effort))
    witnesses.areas = areas
    for area in areas where area.turns >= 12 {
      try look(ScanView(of: area.outline, in: grey, side: Self.areaSide))
    }
  }

  private mutating func look(
    _ view: ScanView, zxing: Bool = true, usesGlobalHistogram: Bool = false
  ) throws {
    try Task.checkCancellation()
    if zxing {
      let scan = ZXingScan(
        symbologies: sought, isThorough: effort != .fast, usesGlobalHistogram: usesGlobalHistogram)
      witnesses.add(try view.findings(of: scan))
      try Task.checkCancellation()
    }
    // ZBar has one way to tell light from dark.
    if !usesGlobalHistogram { witnesses.add(try view.symbols(of: sought)) }
  }
}
