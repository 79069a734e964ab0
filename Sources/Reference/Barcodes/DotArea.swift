import Geometry
import Raster
import VisionProtocols
import _CLibrary

/// A part of a picture that is full of edges, as the dots of a code of two dimensions are.
struct DotArea: Sendable {
  /// Its outline in pixels of the picture, its sides along the directions in which its edges run.
  private(set) var outline: Quadrilateral
  /// How well its edges run in two directions at right angles, 0...1.
  let squareness: Double
  /// How well its edges run in one direction only, as bars do, 0...1.
  let coherence: Double
  /// Which share of its outline is full of edges, some 1 of a code.
  let fill: Double
  /// The picture's pixels per pixel of the size at which it was found; a module is 1.5 to 4 pixels
  /// there.
  let scale: Double

  /// Its shorter side, in blocks.
  private var blocks: Double {
    min(outline.meanWidth, outline.meanHeight) / scale / Double(DotBlocks.side)
  }
  private var aspect: Double {
    let (width, height) = (outline.meanWidth, outline.meanHeight)
    return max(width, height) / min(width, height)
  }

  /// The similarity to a code of a make; 0 if it is none.
  func likeness(to make: Make) -> Double {
    let size = min(blocks / 8, 1)
    switch make {
    case .squares:
      guard squareness >= Self.leastSquareness, coherence <= 0.35 else { return 0 }
      return squareness * fill * (1 - coherence) * size
    case .rows:
      guard squareness >= 0.3, coherence >= 0.25, aspect >= 1.3 else { return 0 }
      return squareness * fill * size
    case .hexagons:
      guard squareness <= 0.3, coherence <= 0.3, aspect <= 1.4, blocks >= 12 else { return 0 }
      return fill
    }
  }

  /// The similarity to two low rows of bars, one above the other; 0 if it is none.
  var likenessToStackedRows: Double {
    guard coherence >= 0.25, aspect >= 1.3, aspect <= 8 else { return 0 }
    return coherence * fill
  }

  /// How the modules of a code lie.
  enum Make: CaseIterable {
    /// In rows and columns alike: QR, Data Matrix, Aztec.
    case squares
    /// In rows of bars: PDF417.
    case rows
    /// In hexagons: MaxiCode.
    case hexagons

    /// The kinds of codes.
    var symbologies: Set<BarcodeSymbology> {
      switch self {
      case .squares: [.qr, .dataMatrix, .aztec]
      case .rows: [.pdf417]
      case .hexagons: [.maxiCode]
      }
    }
  }
}

extension DotArea {
  /// The least blocks a side.
  private static let leastSide = 4.0
  /// The longest side in shares of the other: PDF417's, and Data Matrix's that are not squares.
  private static let mostAspect = 8.0
  /// Bars are more coherent than this, codes of two dimensions less.
  private static let mostCoherence = 0.85
  /// The least squareness that says a direction: a MaxiCode's hexagons lie in three.
  private static let leastSquareness = 0.15
  /// The least share of an outline that is full of edges.
  private static let leastFill = 0.55

  /// The areas of a picture of one channel.
  ///
  /// It uses the picture in its own size, half of it and so on, for codes with small and large
  /// modules.
  ///
  /// - Parameters:
  ///   - grey: the picture.
  ///   - factor: the factor on lengths of the result, if the picture is reduced.
  static func areas(in grey: Raster, magnifiedBy factor: Double = 1) -> [DotArea] {
    var areas: [DotArea] = []
    var scale = factor
    var plane: GreyPlane? = GreyPlane(grey)
    while let current = plane, max(current.width, current.height) >= 32 {
      let blocks = DotBlocks(of: current)
      for group in blocks.groups() {
        if let area = DotArea(group, of: blocks, scale: scale) { areas.append(area) }
      }
      scale *= 2
      plane = current.halved
    }
    var distinct: [DotArea] = []
    for area in areas.sorted(by: { $0.squareness * $0.fill > $1.squareness * $1.fill })
    where !distinct.contains(where: { $0.isSamePlace(as: area) }) {
      distinct.append(area)
    }
    return distinct
  }

  /// The same, turned about its middle by an angle in radians.
  func turned(by angle: Double) -> DotArea {
    let center = outline.center
    let (c, s) = (cos(angle), sin(angle))
    var area = self
    area.outline = outline.mapCorners { corner in
      let (x, y) = (corner.x - center.x, corner.y - center.y)
      return center.translated(dx: x * c - y * s, dy: x * s + y * c)
    }
    return area
  }

  /// Whether two sizes of the picture show one thing.
  private func isSamePlace(as other: DotArea) -> Bool {
    guard outline.center.distance(to: other.outline.center) < 0.1 * outline.meanWidth else {
      return false
    }
    let share = outline.intersectionArea(other.outline)
    return share > 0.9 * max(outline.signedArea, other.outline.signedArea)
  }

  private init?(_ group: [Int], of blocks: DotBlocks, scale: Double) {
    let side = Double(DotBlocks.side)
    let least = Self.leastSide * Self.leastSide * Self.leastFill
    guard Double(group.count) >= least else { return nil }
    var (quarters, halves) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    var energy = 0.0
    for block in group {
      quarters += SIMD2<Double>(blocks.quarters[block])
      halves += SIMD2<Double>(blocks.halves[block])
      energy += Double(blocks.energy[block])
    }
    energy *= side * side
    guard energy > 0 else { return nil }
    squareness = (quarters * quarters).sum().squareRoot() / energy
    coherence = (halves * halves).sum().squareRoot() / energy
    guard coherence <= Self.mostCoherence else { return nil }
    let places = group.map {
      SIMD2(Double($0 % blocks.columns) + 0.5, Double($0 / blocks.columns) + 0.5)
    }
    let angle =
      squareness >= Self.leastSquareness
      ? atan2(quarters.y, quarters.x) / 4 : Self.tightestAngle(around: places)
    let (c, s) = (cos(angle), sin(angle))
    var (low, high) = Self.bounds(of: places, c, s)
    // The middles of blocks were measured.
    let reach = (abs(c) + abs(s)) / 2
    low -= reach
    high += reach
    let size = high - low
    guard size.min() >= Self.leastSide, size.max() <= Self.mostAspect * size.min() else {
      return nil
    }
    fill = min(Double(group.count) / (size.x * size.y), 1)
    guard fill >= Self.leastFill else { return nil }
    func corner(_ u: Double, _ v: Double) -> Point {
      Point(x: (u * c - v * s) * side * scale, y: (u * s + v * c) * side * scale)
    }
    outline = Quadrilateral(
      topLeft: corner(low.x, low.y), topRight: corner(high.x, low.y),
      bottomRight: corner(high.x, high.y), bottomLeft: corner(low.x, high.y))
    self.scale = scale
  }

  private static func bounds(
    of places: [SIMD2<Double>], _ c: Double, _ s: Double
  ) -> (low: SIMD2<Double>, high: SIMD2<Double>) {
    var (low, high) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
    for place in places {
      let turned = SIMD2(place.x * c + place.y * s, place.y * c - place.x * s)
      low = pointwiseMin(low, turned)
      high = pointwiseMax(high, turned)
    }
    return (low, high)
  }

  /// The angle of the smallest rectangle around some places, to 5 degrees.
  private static func tightestAngle(around places: [SIMD2<Double>]) -> Double {
    func area(_ angle: Double) -> Double {
      let (low, high) = bounds(of: places, cos(angle), sin(angle))
      return (high.x - low.x) * (high.y - low.y)
    }
    let angles = (0..<18).map { Double($0) * .pi / 36 }
    return angles.min { area($0) < area($1) } ?? 0
  }
}
