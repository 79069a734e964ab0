import EANDecoding
import Geometry
import Raster
import VisionProtocols

/// The scans of one picture, one after the other, until they suffice.
struct ScanLooks {
  private let grey: Raster
  private let effort: BarcodeEffort
  /// The kinds to read, and those that a kind may become by its digits, as UPC-A by a leading zero.
  private let sought: Set<BarcodeSymbology>
  /// What was read.
  private(set) var witnesses: Witnesses

  /// The longest side that is scanned; longer pictures are reduced to it.
  private var mostSide: Double {
    switch effort {
    case .fast: 1200
    case .normal: 2400
    case .thorough: 4800
    }
  }
  /// Pictures up to this side are also scanned enlarged.
  private static let smallSide = 1200.0
  /// A picture whose sides differ by this factor is a strip.
  private static let stripRatio = 16
  /// The longer side at which a part that looks like bars is scanned.
  private static let areaSide = 800.0

  /// The greatest number of parts that may have stacked rows of bars to scan.
  private static let stackedLimit = 3

  /// The greatest number of parts that look like bars to scan.
  static func areaLimit(_ effort: BarcodeEffort) -> Int { effort == .thorough ? 8 : 4 }

  /// The number of parts full of edges that are scanned without result, for each make.
  ///
  /// - Parameter isRest: whether codes were read, and there is no sign of more.
  private func limit(of make: DotArea.Make, isRest: Bool) -> Int {
    switch make {
    case .squares: effort == .thorough ? 24 : isRest ? 3 : 8
    case .rows: effort == .thorough ? 8 : isRest ? 1 : 3
    case .hexagons: effort == .thorough ? 8 : isRest ? 1 : 4
    }
  }

  init(at grey: Raster, symbologies: Set<BarcodeSymbology>, effort: BarcodeEffort) {
    self.grey = grey
    self.effort = effort
    var sought = symbologies
    // A reader that does not search for one of these may confuse it with another.
    let retail: Set<BarcodeSymbology> = [.ean13, .upcA, .ean8, .upcE]
    if !symbologies.isDisjoint(with: retail) { sought.formUnion(retail) }
    if symbologies.contains(.itf14) { sought.insert(.itf) }
    self.sought = sought
    witnesses = Witnesses(symbologies: symbologies)
  }

  /// Scans, and scans again if that did not suffice.
  mutating func run() throws {
    guard !sought.isEmpty else { return }
    let side = Double(max(grey.width, grey.height))
    let scale = min(1, mostSide / side)
    let whole = try ScanView(of: grey, scale: scale)
    try look(whole)
    guard effort != .fast else { return }
    // Found once, when they are first needed.
    lazy var areas = DotArea.areas(in: scale < 1 ? whole.grey : grey, magnifiedBy: 1 / scale)
    if !sought.isDisjoint(with: ZXingScan.matrixKinds) { try lookAtDots(among: areas) }
    guard effort == .thorough || !witnesses.suffice else { return }
    if side <= Self.smallSide {
      // ZXing reads little more than ZBar of enlarged pictures, except DataBar, which ZBar does not
      // read here.
      try look(
        ScanView(of: grey, scale: 2),
        zxing: effort == .thorough ? sought : sought.intersection(ZXingScan.dataBarKinds))
    }
    if side >= 320 { try look(ScanView(of: grey, scale: 0.5 * scale)) }
    // The turned picture of a narrow strip is nearly empty, and takes long.
    let isStrip = max(grey.width, grey.height) / min(grey.width, grey.height) >= Self.stripRatio
    let diagonal = isStrip ? nil : try ScanView(diagonalOf: grey, scale: scale)
    if let diagonal { try look(diagonal) }
    if effort == .thorough || witnesses.isEmpty {
      try look(whole.inverted())
      if let diagonal, effort == .thorough || witnesses.isEmpty {
        try look(diagonal.inverted())
      }
    }
    if effort == .thorough {
      try look(whole, usesGlobalHistogram: true)
    }
    try lookAtAreas()
    let dataBars = sought.intersection(ZXingScan.dataBarKinds)
    if !dataBars.isEmpty, effort == .thorough || witnesses.isEmpty {
      try lookAtStackedRows(of: dataBars, among: areas)
    }
    if sought.contains(.ean13) {
      try Task.checkCancellation()
      witnesses.add(try EANScanner().codes(in: grey))
    }
  }

  /// Looks at each part of the picture that is full of edges, as codes of two dimensions are.
  private mutating func lookAtDots(among areas: [DotArea]) throws {
    let isRest = witnesses.suffice
    let dots = DotLook(symbologies: sought, isThorough: effort == .thorough)
    for make in DotArea.Make.allCases where !sought.isDisjoint(with: make.symbologies) {
      let likely = areas.map { (area: $0, likeness: $0.likeness(to: make)) }
        .filter { $0.likeness > 0 }.sorted { $0.likeness > $1.likeness }
      var count = 0
      let limit = limit(of: make, isRest: isRest)
      for (area, _) in likely where !witnesses.holdsCode(at: area.outline) {
        guard count < limit else { break }
        try Task.checkCancellation()
        let found = try dots.findings(of: make, at: area, in: grey)
        if found.isEmpty { count += 1 }
        witnesses.add(found)
      }
    }
  }

  /// Scans each part of the picture that looks like bars, turned upright.
  private mutating func lookAtAreas() throws {
    let areas = try BarArea.areas(in: grey, limit: Self.areaLimit(effort))
    witnesses.areas = areas
    for area in areas where area.turns >= 12 {
      let view = try ScanView(of: area.outline, in: grey, side: Self.areaSide)
      try look(view)
      if effort == .thorough || witnesses.isEmpty { try look(view.inverted()) }
    }
  }

  /// Looks for the low form of DataBar at each part of the picture that is full of edges, upright and
  /// enlarged.
  ///
  /// Its two rows of bars differ, so both together do not look like bars. They are 5 and 7 modules
  /// high, too few for ZXing's scan lines if they lean or a module has few pixels.
  private mutating func lookAtStackedRows(
    of kinds: Set<BarcodeSymbology>, among areas: [DotArea]
  ) throws {
    let dots = DotLook(symbologies: kinds, isThorough: effort == .thorough)
    let likely = areas.map { (area: $0, likeness: $0.likenessToStackedRows) }
      .filter { $0.likeness > 0 }.sorted { $0.likeness > $1.likeness }
    for (area, _) in likely.prefix(Self.stackedLimit) where !witnesses.holdsCode(at: area.outline) {
      try Task.checkCancellation()
      for found in try dots.stackedRows(at: area, in: grey) { witnesses.add(found) }
    }
  }

  private mutating func look(
    _ view: ScanView, zxing kinds: Set<BarcodeSymbology>? = nil, usesGlobalHistogram: Bool = false
  ) throws {
    try Task.checkCancellation()
    let kinds = kinds ?? sought
    if !kinds.isEmpty {
      let scan = ZXingScan(
        symbologies: kinds, isThorough: effort != .fast, usesGlobalHistogram: usesGlobalHistogram)
      witnesses.add(try view.findings(of: scan))
      try Task.checkCancellation()
    }
    // ZBar has one way to tell light from dark.
    if !usesGlobalHistogram { witnesses.add(try view.symbols(of: sought)) }
  }
}
