import Geometry
import Raster
import SpineHeuristics
import _CLibrary

extension SpineDetector {
  /// The spines in a network's maps, in reading order, in pixels of the picture of the maps.
  ///
  /// Books may have any direction, several rows, and stand, lean or lie. A spine is a connected
  /// piece of ``SpineMaps/Plane/core``. Its long sides lie at the maxima of
  /// ``SpineMaps/Plane/side``, its ends where ``SpineMaps/Plane/spine`` ends. Among overlapping
  /// outlines, the set with the greatest likelihood is kept. One or two spines alone need more
  /// confidence than a row.
  ///
  /// Complexity: O(cells + spines length + outlines squared).
  ///
  /// - Parameter maps: maps of one picture, at one or several sizes: thick spines show best at a
  ///   small size, thin ones at a large size.
  /// - Throws: ``SpineDetectionError`` if a threshold is out of its range.
  public func spines(in maps: [SpineMaps]) throws(SpineDetectionError) -> [DetectedSpine] {
    try spines(of: maps.map(MapSpines.init))
  }

  /// The same of what maps of several sizes show, each by itself.
  ///
  /// - Throws: as `spines(in:)`.
  package func spines(of shown: [MapSpines]) throws(SpineDetectionError) -> [DetectedSpine] {
    let configuration = try configuration.validated()
    let geometry = SpineGeometry()
    let whole = shown.filter { $0.maps.seen == nil }
    var kept = Self.chosen(of: whole)
    if whole.count < shown.count {
      // Confident spines of the whole picture are kept, except thin ones; the pass over a part adds
      // others.
      kept.removeAll { $0.logit < 0 || whole[0].maps.isThin($0.outline) }
      kept += Self.chosen(of: shown).filter { candidate in
        kept.allSatisfy { !SpineChoice.areRivals($0.outline, candidate.outline) }
      }
    }
    // Few are doubted more: pictures of other things have one or two, and books have companions.
    let likely = kept.count { $0.logit >= 0 }
    let doubt = likely <= 1 ? 3.2 : likely == 2 ? 1.2 : 0
    for index in kept.indices { kept[index].logit -= doubt }
    kept.removeAll { $0.confidence < configuration.minimumConfidence }
    let outlines = kept.map { Self.named($0.outline) }
    return geometry.readingOrder(of: outlines).compactMap { index in
      geometry.orientation(of: outlines[index]).map {
        DetectedSpine(
          quad: outlines[index], confidence: kept[index].confidence, orientation: $0)
      }
    }
  }

  /// Of what some maps show, those outlines that together are most probable.
  private static func chosen(of shown: [MapSpines]) -> [MapCandidate] {
    let candidates = MapCandidate.all(of: shown)
    return SpineChoice(candidates.map { ($0.outline, $0.logit) }).chosen().map { candidates[$0] }
  }

  /// The corners named as they lie: of the four ways to begin, the one whose first corner is the
  /// upper left one.
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
