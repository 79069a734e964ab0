import Geometry
import Raster
import SpineHeuristics
import _CLibrary

extension SpineDetector {
  /// The spines that a network's maps show, in reading order, in pixels of the picture that the maps are of.
  ///
  /// Any direction, several rows, standing, leaning and lying books together. A spine is a piece of
  /// ``SpineMaps/Plane/core`` that hangs together; its long sides go where ``SpineMaps/Plane/side`` is most likely, its ends
  /// where ``SpineMaps/Plane/spine`` ends. Of spines that overlap the most certain one stays. One or two
  /// alone have to be surer than a row. O(cells + spines length).
  ///
  /// - Parameter maps: of one picture, at one or several sizes: thick spines show best where the picture is small, thin ones
  ///   where it is large.
  /// - Throws: ``SpineDetectionError`` if a threshold is out of its range.
  public func spines(in maps: [SpineMaps]) throws(SpineDetectionError) -> [DetectedSpine] {
    let configuration = try configuration.validated()
    let geometry = SpineGeometry()
    let candidates = maps.flatMap { maps -> [(quad: Quadrilateral, confidence: Double)] in
      let all = MapPieces(maps: maps).found().compactMap { MappedSpine($0, in: maps) }
      return all.map { spine in
        let corners = spine.outline.map { $0.scaled(x: maps.cellWidth, y: maps.cellHeight) }
        return (Self.named(corners), Self.confidence(of: spine, among: all))
      }
    }
    var kept: [DetectedSpine] = []
    for (quad, confidence) in candidates.sorted(by: { $0.confidence > $1.confidence }) {
      guard confidence >= configuration.minimumConfidence else { break }
      guard quad.isConvex, let orientation = geometry.orientation(of: quad),
        !kept.contains(where: { Self.overlap($0.quad, quad) > 0.4 })
      else { continue }
      kept.append(DetectedSpine(quad: quad, confidence: confidence, orientation: orientation))
    }
    // Few are doubted more: pictures of other things have one or two, and books have companions.
    let doubt = kept.count == 1 ? 3.2 : kept.count == 2 ? 1.2 : 0
    kept = kept.compactMap { spine in
      let odds = spine.confidence / max(1 - spine.confidence, 1e-9) * exp(-doubt)
      let confidence = odds / (1 + odds)
      guard confidence >= configuration.minimumConfidence else { return nil }
      return DetectedSpine(
        quad: spine.quad, confidence: confidence, orientation: spine.orientation)
    }
    return geometry.readingOrder(of: kept.map(\.quad)).map { kept[$0] }
  }

  /// The share of right spines among those of such values: a logistic curve, see `Docs/Spines.md`.
  private static func confidence(of spine: MappedSpine, among all: [MappedSpine]) -> Double {
    let values = features(of: spine, among: all)
    let sum = zip(weights, values).reduce(0) { $0 + $1.0 * $1.1 }
    return 1 / (1 + exp(-sum))
  }

  /// Of the values that ``features(of:among:)`` answers, in their order.
  private static let weights = [
    -8.39, 3.39, 5.79, 3.33, 1.05, -1.22, -0.87, 3.39, 0.78, -0.39, 0.46, 0.08,
  ]

  /// What tells a spine: 1, what the maps say, and its size against the others'.
  static func features(of spine: MappedSpine, among all: [MappedSpine]) -> [Double] {
    let agreement = spine.agreement
    // Against 10 cells: both thin and thick spines are seen less well.
    let size = log(max(2 * spine.thickness, 1) / 20)
    return [
      1, agreement.inside, agreement.core, agreement.weakSide, agreement.strongSide,
      agreement.sideInside, agreement.foreEdge,
      log(spine.length / usual(all, \.length)), log(spine.thickness / usual(all, \.thickness)),
      log(spine.thickness / spine.length), min(size, 0), max(size, 0),
    ]
  }

  /// The median, each spine counting as much as its area.
  private static func usual(_ spines: [MappedSpine], _ size: KeyPath<MappedSpine, Double>) -> Double
  {
    let sorted = spines.sorted { $0[keyPath: size] < $1[keyPath: size] }
    let half = sorted.reduce(0) { $0 + $1.thickness * $1.length } / 2
    var sum = 0.0
    for spine in sorted {
      sum += spine.thickness * spine.length
      if sum >= half { return spine[keyPath: size] }
    }
    return 1
  }

  /// The corners named as they lie: of the four ways to begin, the one whose first corner is the upper left one.
  private static func named(_ corners: [Point]) -> Quadrilateral {
    let area = (0..<4).reduce(0.0) { sum, index in
      let (a, b) = (corners[index], corners[(index + 1) % 4])
      return sum + a.x * b.y - b.x * a.y
    }
    let ring = area > 0 ? corners : corners.reversed()
    let center = Point(
      x: ring.reduce(0) { $0 + $1.x } / 4, y: ring.reduce(0) { $0 + $1.y } / 4)
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

  /// The share of the smaller quadrilateral that lies in the other, by points.
  private static func overlap(_ first: Quadrilateral, _ second: Quadrilateral) -> Double {
    let (small, large) = first.area < second.area ? (first, second) : (second, first)
    var count = 0
    for u in 0..<5 {
      for v in 0..<13 {
        let point = small.point(u: (Double(u) + 0.5) / 5, v: (Double(v) + 0.5) / 13)
        if large.contains(point) { count += 1 }
      }
    }
    return Double(count) / 65
  }
}
