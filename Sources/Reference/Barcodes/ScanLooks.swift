import EANDecoding
import Geometry
import Raster
import VisionProtocols

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

  /// How many parts that look like bars are looked at.
  static func areaLimit(_ effort: BarcodeEffort) -> Int { effort == .thorough ? 8 : 4 }

  /// How many parts that are full of edges are looked at in vain, of each make.
  ///
  /// - Parameter isRest: whether codes were read, and nothing hints at more.
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
    let whole = try ScanView(of: grey, scale: scale)
    try look(whole)
    guard effort != .fast else { return }
    try lookAtDots(in: scale < 1 ? whole.grey : grey, scale: scale)
    guard effort == .thorough || !witnesses.suffice else { return }
    if side <= Self.smallSide {
      // Of what is enlarged ZXing reads little more than ZBar does, except DataBar, which ZBar is not asked for.
      try look(
        ScanView(of: grey, scale: 2),
        zxing: effort == .thorough ? sought : sought.intersection(ZXingScan.dataBarKinds))
    }
    if side >= 320 { try look(ScanView(of: grey, scale: 0.5 * scale)) }
    let diagonal = try ScanView(diagonalOf: grey, scale: scale)
    try look(diagonal)
    if effort == .thorough || witnesses.isEmpty {
      try look(whole.inverted())
      if effort == .thorough || witnesses.isEmpty {
        try look(diagonal.inverted())
      }
    }
    if effort == .thorough {
      try look(whole, usesGlobalHistogram: true)
    }
    try lookAtAreas()
    if sought.contains(.ean13) {
      try Task.checkCancellation()
      witnesses.add(try EANScanner().codes(in: grey))
    }
  }

  /// Looks at each part of the picture that is full of edges, as codes of two dimensions are.
  ///
  /// - Parameters:
  ///   - picture: the picture in which the parts are looked for.
  ///   - scale: how much that is reduced.
  private mutating func lookAtDots(in picture: Raster, scale: Double) throws {
    guard !sought.isDisjoint(with: ZXingScan.matrixKinds) else { return }
    let isRest = witnesses.suffice
    let areas = DotArea.areas(in: picture, magnifiedBy: 1 / scale)
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

  /// Looks at each part of the picture that looks like bars, turned upright.
  private mutating func lookAtAreas() throws {
    let areas = try BarArea.areas(in: grey, limit: Self.areaLimit(effort))
    witnesses.areas = areas
    for area in areas where area.turns >= 12 {
      let view = try ScanView(of: area.outline, in: grey, side: Self.areaSide)
      try look(view)
      if effort == .thorough || witnesses.isEmpty { try look(view.inverted()) }
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
