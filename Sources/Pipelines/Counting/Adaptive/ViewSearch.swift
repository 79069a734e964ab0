import Geometry
import VisionProtocols
import _CLibrary

/// Chooses the tilings of a photo to search, and the best of them.
///
/// The value of a tiling is the sum of the squares of the kept scores, so that confident detections
/// count and many doubtful ones do not. It is multiplied by a Gaussian penalty on the distance
/// between the typical object size and the detector's preferred size. The penalty is stronger if
/// objects are too large in tiles, because the detector then finds parts. A box inside a larger box
/// of the previous, coarser tiling counts less, the more confident the larger box is, so that two
/// halves do not beat one whole.
struct ViewSearch: Sendable {
  /// The detector's pixels for one of the photo, by tiles a side, from 1.
  let scales: [Double]
  let targetSide: Double
  /// By what share a box must lie in a larger one of the view before to be doubted; nil is off.
  var partShare: Double?

  /// Up to here every size of tiles is tried; beyond, only for objects that are still small.
  private static let usual = 3
  /// The least ratio between the areas of a whole object and its part.
  private static let leastWhole = 1.6
  /// Smaller than this, in the detector's pixels, several things may have been taken for one.
  private static let leastSideOfWhole = 40.0

  /// The number of tiles a side that shows objects of this size best, the fewest of several.
  func suited(to side: Double) -> Int {
    let distances = scales.map { abs(log(side * $0 / targetSide)) }
    return 1 + (distances.indices.min { distances[$0] < distances[$1] } ?? 0)
  }

  /// The numbers of tiles that show objects best whose side differs from this one by a factor of at
  /// most `factor`, the fewest first.
  func suited(toAnyOf side: Double, within factor: Double) -> ClosedRange<Int> {
    let ends = [suited(to: side * factor), suited(to: side / factor)]
    return (ends.min() ?? 1)...(ends.max() ?? 1)
  }

  /// How much a view shows, `before` being the best view with fewer tiles.
  func worth(of view: PhotoView, after before: PhotoView? = nil) -> Double {
    guard let typical = view.typical else { return 0 }
    let factor = log(typical.side * scales[view.tilesPerSide - 1] / targetSide)
    let spread = factor > 0 && view.tilesPerSide > 1 ? 0.3 : 1.0
    let deviations = factor / spread
    let wholes = before.map(wholes) ?? []
    let sureness = view.kept.reduce(0.0) { sum, object in
      let score =
        Double(object.detection.score) * (1 - surestWhole(around: object.detection, wholes))
      return sum + score * score
    }
    return sureness * exp(-deviations * deviations / 2)
  }

  /// What a view shows large enough to be whole things, of the usual size or not.
  private func wholes(of view: PhotoView) -> [Detection] {
    guard partShare != nil else { return [] }
    let scale = scales[view.tilesPerSide - 1]
    return view.detected.filter {
      $0.box.exactArea.squareRoot() * scale >= Self.leastSideOfWhole
    }
  }

  /// The highest score of a whole object that contains this part; 0 if there is none.
  private func surestWhole(around part: Detection, _ wholes: [Detection]) -> Double {
    guard let partShare else { return 0 }
    let area = part.box.exactArea
    return wholes.reduce(0.0) { surest, whole in
      guard Double(whole.score) > surest, whole.box.exactArea >= Self.leastWhole * area,
        Double(whole.box.intersectionOverSmaller(part.box)) >= partShare
      else { return surest }
      return Double(whole.score)
    }
  }

  /// Whether more tiles may show more than `best`, the best view so far.
  func goesOn(to tilesPerSide: Int, after best: PhotoView) -> Bool {
    // Tiles add no detail if the detector sees every pixel anyway.
    guard scales[tilesPerSide - 1] > 1.05 * scales[0] else { return false }
    guard let typical = best.typical else { return tilesPerSide <= Self.usual }
    // Sure of all of it, and in tiles the objects would be larger than the detector likes.
    if typical.side * scales[tilesPerSide - 1] > 1.6 * targetSide,
      let median = best.medianScore, median >= 0.6
    {
      return false
    }
    if tilesPerSide <= Self.usual { return true }
    return best.tilesPerSide == tilesPerSide - 1
      && typical.side * scales[best.tilesPerSide - 1] < 0.6 * targetSide
  }

  /// The logarithm of the number of confident detections over the number of kept ones.
  private func dropped(by view: PhotoView, median: Double) -> Double {
    let kept = view.kept.filter { Double($0.detection.score) >= median }.map(\.detection.box)
    let others = view.detected.count { detection in
      Double(detection.score) >= median
        && view.kept.allSatisfy { $0.detection.box.intersectionOverSmaller(detection.box) <= 0.2 }
    }
    return log(Double(kept.count + others) / Double(max(1, kept.count)))
  }

  /// The reasons to doubt a count; nil if nothing was counted.
  ///
  /// - Parameters:
  ///   - counted: the objects of the main kind.
  ///   - view: the tiling that they are from.
  ///   - views: all tilings that were tried.
  ///   - kinds: how the objects were divided.
  func doubts(
    about counted: [Detection], of view: PhotoView, among views: [PhotoView],
    kinds: KindStage.Kinds, settings: AdaptiveConfiguration, width: Int, height: Int
  ) -> CountDoubts? {
    guard let median = view.medianScore, !counted.isEmpty else { return nil }
    let share = settings.scoreShare ?? 0
    func ratio(_ a: Int, _ b: Int) -> Double { abs(log(Double(a + 1) / Double(b + 1))) }

    let taken = view.number(atLeast: share * median)
    let own = max(worth(of: view), 1e-12)
    let rival = views.filter { $0.tilesPerSide != view.tilesPerSide }
      .max { worth(of: $0) < worth(of: $1) }
    let views = rival.map { rival in
      ratio(taken, rival.number(atLeast: share * (rival.medianScore ?? 0)))
        * min(1, worth(of: rival) / own)
    }

    let isOneKind = kinds.labels.allSatisfy { $0 == 0 }
    let other =
      isOneKind ? kinds.bestLabels.count { $0 == 0 } : kinds.labels.count
    let margin = kinds.silhouette.map { abs($0 - (settings.leastSilhouette ?? 1)) } ?? .infinity
    let cut = counted.count { object in
      let isCut = object.box.isCutByFrame(width: width, height: height)
      return isCut.across || isCut.down
    }
    return CountDoubts(
      cut: ratio(
        view.number(atLeast: share * median / 3), view.number(atLeast: share * median * 3)),
      score: 1 - median, views: views ?? 0,
      kinds: abs(log(Double(counted.count) / Double(max(other, 1))))
        / (1 + exp(min(margin / 0.05, 700))),
      frame: Double(cut) / Double(counted.count), dropped: dropped(by: view, median: median))
  }
}
