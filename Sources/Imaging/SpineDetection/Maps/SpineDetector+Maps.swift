import Geometry
import Raster
import SpineHeuristics
import _CLibrary

extension SpineDetector {
  /// The spines that a network's maps show, in reading order, in pixels of the picture that the maps are of.
  ///
  /// Any direction, several rows, standing, leaning and lying books together. A spine is a piece of
  /// ``SpineMaps/Plane/core`` that hangs together; its long sides go where ``SpineMaps/Plane/side`` is most likely, its ends
  /// where ``SpineMaps/Plane/spine`` ends. Of outlines that overlap those stay that together are likeliest. One or two
  /// alone have to be surer than a row. O(cells + spines length).
  ///
  /// - Parameter maps: of one picture, at one or several sizes: thick spines show best if the picture is small, thin ones
  ///   if it is large.
  /// - Throws: ``SpineDetectionError`` if a threshold is out of its range.
  public func spines(in maps: [SpineMaps]) throws(SpineDetectionError) -> [DetectedSpine] {
    let configuration = try configuration.validated()
    let geometry = SpineGeometry()
    let candidates = Self.candidates(in: maps).filter {
      $0.quad.isConvex && geometry.orientation(of: $0.quad) != nil
    }
    var kept = SpineChoice(candidates.map { ($0.quad, $0.logit) }).chosen()
      .map { candidates[$0] }
    // Few are doubted more: pictures of other things have one or two, and books have companions.
    let likely = kept.count { $0.logit >= 0 }
    let doubt = likely <= 1 ? 3.2 : likely == 2 ? 1.2 : 0
    for index in kept.indices { kept[index].logit -= doubt }
    kept.removeAll { $0.confidence < configuration.minimumConfidence }
    return geometry.readingOrder(of: kept.map(\.quad)).compactMap { index in
      let spine = kept[index]
      return geometry.orientation(of: spine.quad).map {
        DetectedSpine(quad: spine.quad, confidence: spine.confidence, orientation: $0)
      }
    }
  }

  /// An outline in pixels that may be a spine.
  struct Candidate {
    let quad: Quadrilateral
    /// What tells a spine, in the order of ``weights``.
    let features: [Double]
    /// Which of the maps it is from.
    let size: Int
    /// The logarithm of the odds that it is one: a logistic curve, see `Docs/Spines.md`.
    var logit: Double

    var confidence: Double { 1 / (1 + exp(-logit)) }
  }

  /// What any of the maps takes for a spine.
  static func candidates(in maps: [SpineMaps]) -> [Candidate] {
    maps.enumerated().flatMap { size, maps -> [Candidate] in
      let spines = MapPieces(maps: maps).found().compactMap { MappedSpine($0, in: maps) }
      let usual = UsualSize(of: spines)
      return spines.map { spine in
        let outline = spine.outline.mapCorners {
          $0.scaled(x: maps.cellWidth, y: maps.cellHeight)
        }
        let features = features(of: spine, in: maps, usual)
        return Candidate(
          quad: named(outline), features: features, size: size,
          logit: zip(weights, features).reduce(0) { $0 + $1.0 * $1.1 })
      }
    }
  }

  /// Of the values that ``features(of:in:_:)`` answers, in their order.
  private static let weights = [
    -8.39, 3.39, 5.79, 3.33, 1.05, -1.22, -0.87, 3.39, 0.78, -0.39, 0.46, 0.08,
  ]

  /// What tells a spine: 1, what the maps say, and its size against the others'.
  private static func features(
    of spine: MappedSpine, in maps: SpineMaps, _ usual: UsualSize
  ) -> [Double] {
    let agreement = spine.agreement(with: maps)
    // Against 10 cells: both thin and thick spines are seen less well.
    let size = log(max(2 * spine.thickness, 1) / 20)
    return [
      1, agreement.inside, agreement.core, agreement.weakSide, agreement.strongSide,
      agreement.sideInside, agreement.foreEdge, log(spine.length / usual.length),
      log(spine.thickness / usual.thickness), log(spine.thickness / spine.length),
      min(size, 0), max(size, 0),
    ]
  }

  /// The median length and thickness of some spines.
  private struct UsualSize {
    let length: Double
    let thickness: Double

    init(of spines: [MappedSpine]) {
      let areas = spines.map { $0.thickness * $0.length }
      length = medianByArea(spines.map(\.length), areas) ?? 1
      thickness = medianByArea(spines.map(\.thickness), areas) ?? 1
    }
  }

  /// The corners named as they lie: of the four ways to begin, the one whose first corner is the upper left one.
  private static func named(_ outline: Quadrilateral) -> Quadrilateral {
    let ring = outline.signedArea > 0 ? outline.corners : outline.corners.reversed()
    let center = outline.center
    // Which side is the upper one: that whose middle is highest, counted from the middle of all.
    let sides = (0..<4).map { index -> (height: Double, index: Int) in
      let (a, b) = (ring[index], ring[(index + 1) % 4])
      let (x, y) = ((a.x + b.x) / 2 - center.x, (a.y + b.y) / 2 - center.y)
      return (-y / max(hypot(x, y), 1e-9), index)
    }
    let first = sides.max { $0.height < $1.height }?.index ?? 0
    let named = (0..<4).map { ring[(first + $0) % 4] }
    return Quadrilateral(
      topLeft: named[0], topRight: named[1], bottomRight: named[2], bottomLeft: named[3])
  }
}
