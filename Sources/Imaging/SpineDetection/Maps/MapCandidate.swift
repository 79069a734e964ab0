import Geometry
import _CLibrary

/// An outline that one of the maps shows, and how likely all maps make it.
struct MapCandidate {
  /// In pixels of the picture.
  let outline: Quadrilateral
  /// What tells a spine, in the order of ``weights``.
  let features: [Double]
  /// The logarithm of the odds that it is one: a logistic curve, see `Docs/Spines.md`.
  var logit: Double

  var confidence: Double { 1 / (1 + exp(-logit)) }

  /// Of the values that make ``features``, in their order.
  ///
  /// Fitted by `Fixtures/Training/shelves/confidence.py`.
  private static let weights = [
    -12.95, 6.53, 4.52, -0.95, 0.66, -2.94, 4.69, 3.32, 0.28, -0.28, -0.65, 0.14, 3.84, 1.79, -2.42,
    3.53,
  ]

  /// What any of the maps takes for a spine, if its outline is convex.
  static func all(in maps: [SpineMaps]) -> [MapCandidate] {
    all(of: maps.map(MapSpines.init))
  }

  /// The same of what each of the maps shows.
  static func all(of shown: [MapSpines]) -> [MapCandidate] {
    let maps = shown.map(\.maps)
    let found = shown.map { size in
      size.spines.map {
        (outline: $0.outline, features: $0.own + common(of: $0.outline, in: maps))
      }
    }
    let boxes = found.map { $0.map(\.outline.boundingBox) }
    return found.indices.flatMap { size in
      found[size].indices.compactMap { index in
        let candidate = found[size][index]
        guard candidate.outline.isConvex else { return nil }
        var support = found.count == 1 ? usualSupport : 0
        for other in found.indices where other != size {
          for (rival, box) in zip(found[other], boxes[other])
          where box.intersection(boxes[size][index]) != nil {
            support = max(support, rival.outline.iou(candidate.outline))
          }
        }
        let features = candidate.features + [support]
        return MapCandidate(
          outline: candidate.outline, features: features,
          logit: zip(weights, features).reduce(0) { $0 + $1.0 * $1.1 })
      }
    }
  }

  /// What a right outline shares with that of another size, for pictures that are seen at one size
  /// only.
  private static let usualSupport = 0.8

  /// 1, what the maps say that show it, and its size against that of the others there.
  fileprivate static func own(
    of spine: MappedSpine, in maps: SpineMaps, _ usual: UsualSize
  ) -> [Double] {
    let agreement = MapAgreement(of: spine.outline, in: maps)
    // Against 10 cells: both thin and thick spines are seen less well.
    let size = log(max(2 * spine.thickness, 1) / 20)
    return [
      1, agreement.inside, agreement.core, agreement.weakSide, agreement.strongSide,
      agreement.sideInside, agreement.foreEdge, log(spine.length / usual.length),
      log(spine.thickness / usual.thickness), log(spine.thickness / spine.length),
      min(size, 0), max(size, 0),
    ]
  }

  /// What the maps of all sizes say that looked there: the weaker side, and the most probable side
  /// inside at most and in the mean.
  private static func common(of outline: Quadrilateral, in maps: [SpineMaps]) -> [Double] {
    var (weak, inner): ([Double], [Double]) = ([], [])
    for size in maps {
      let cells = outline.mapCorners {
        $0.scaled(x: 1 / size.cellWidth, y: 1 / size.cellHeight)
      }
      guard size.hasSeen(cells.boundingBox) else { continue }
      weak.append(MapAgreement.sides(of: cells, in: size).weaker)
      inner.append(MapAgreement.innerSide(of: cells, in: size))
    }
    let count = Double(max(weak.count, 1))
    return [weak.reduce(0, +) / count, inner.max() ?? 0, inner.reduce(0, +) / count]
  }

  /// The median length and thickness of some spines.
  fileprivate struct UsualSize {
    let length: Double
    let thickness: Double

    init(of spines: [MappedSpine]) {
      let areas = spines.map { $0.thickness * $0.length }
      length = medianByArea(spines.map(\.length), areas) ?? 1
      thickness = medianByArea(spines.map(\.thickness), areas) ?? 1
    }
  }
}

/// What the maps of one size take for spines, and what they say of each by itself.
///
/// Sizes do not depend on each other, so that each can be searched as soon as its maps are there.
package struct MapSpines: Sendable {
  package let maps: SpineMaps
  fileprivate let spines: [(outline: Quadrilateral, own: [Double])]

  /// O(cells + spines length).
  package init(in maps: SpineMaps) {
    self.maps = maps
    let found = MapPieces(maps: maps).spines()
    let usual = MapCandidate.UsualSize(of: found)
    spines = found.map { spine in
      let outline = spine.outline.mapCorners { $0.scaled(x: maps.cellWidth, y: maps.cellHeight) }
      return (outline, MapCandidate.own(of: spine, in: maps, usual))
    }
  }
}
