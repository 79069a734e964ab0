import Geometry
import VisionProtocols

/// The tilings of a photo that a count searched.
struct Look {
  /// The tiling that the count is from.
  let view: PhotoView
  /// All tilings that were tried.
  let views: [PhotoView]
  let search: ViewSearch
}

extension ObjectCounter {
  /// The factor on the least score if there are exemplars.
  ///
  /// Detections of lower score are used then, because the exemplars show what to search for.
  private var guidedScoreShare: Double { 0.5 }

  /// Looks at a photo: at the size of tiles that shows its objects best, or those that were pointed
  /// at.
  func look(
    at image: Image, guide: CountingGuide, settings: AdaptiveConfiguration,
    run: inout CountingRun
  ) async throws -> Look {
    let exemplars = try Exemplars(
      guide, width: image.width, height: image.height, leastSure: leastObjectScore)
    let isGuided = exemplars.drawnSide != nil
    let share = isGuided ? guidedScoreShare : 1
    let tiling = TiledDetectionStage(
      detection: DetectionStage(
        minimumConfidence: Float(max(0.001, configuration.confidence * share)),
        maximumIoU: configuration.nmsIoU))
    let faintFrom =
      isStricterThanFitted ? calibration?.configuration.map { Float($0.confidence) } : nil
    let most = max(1, min(settings.tilesPerSide, image.width, image.height))
    let scales = try (1...most).map {
      try tiling.scale(
        width: image.width, height: image.height, tilesPerSide: $0, detector: detector)
    }
    let search = ViewSearch(
      scales: scales, targetSide: settings.targetSide, partShare: settings.partShare)
    var photo = SearchedPhoto(
      image: image, region: guide.region, detector: detector, tiling: tiling, faintFrom: faintFrom,
      exemplars: exemplars, settings: settings, search: search, run: run,
      work: (1...most).reduce(0) { $0 + $1 * $1 })
    if let drawnSide = exemplars.drawnSide { return try await photo.look(for: drawnSide) }
    return try await photo.lookByMoreTiles()
  }

  /// A photo that is searched in one tiling after the other.
  private struct SearchedPhoto {
    let image: Image
    let region: CountingRegion?
    let detector: Detector
    let tiling: TiledDetectionStage
    /// The least score of detections that are only noted; nil for none.
    let faintFrom: Float?
    let exemplars: Exemplars
    let settings: AdaptiveConfiguration
    let search: ViewSearch
    /// What progress is reported to.
    let run: CountingRun
    /// The number of tiles of all tilings.
    let work: Int
    var tilesDone = 0

    /// What one tiling shows.
    mutating func view(tilesPerSide: Int) async throws -> PhotoView {
      let (run, work, done) = (run, work, tilesDone)
      let (detected, faint) = try await tiling.detections(
        in: image, tilesPerSide: tilesPerSide, region: region, faintFrom: faintFrom,
        with: detector
      ) { tilesDone in
        run.report(.detecting, part: Double(min(done + tilesDone, work)) / Double(work))
      }
      tilesDone += tilesPerSide * tilesPerSide
      return try PhotoView(
        detected,
        plausible: faintFrom.map { least in (detected.items + faint).filter { $0.score >= least } },
        tilesPerSide: tilesPerSide, exemplars: exemplars, settings: settings,
        width: image.width, height: image.height)
    }

    /// Looks for objects of the size that a person drew.
    ///
    /// Exemplars show the size, so one tiling is enough. A second one is needed if a box was drawn
    /// so badly that its object needs another tiling.
    mutating func look(for drawnSide: Double) async throws -> Look {
      let first = try await view(tilesPerSide: search.suited(to: drawnSide))
      var (best, all) = (first, [first])
      // If a box lies inside an object or around it, its size says little of the object's.
      let isWellDrawn = exemplars.areWellDrawn(first.exemplars, among: first.detected)
      if !isWellDrawn {
        for tilesPerSide in search.suited(toAnyOf: drawnSide, within: 3)
        where all.allSatisfy({ $0.tilesPerSide != tilesPerSide }) {
          let next = try await view(tilesPerSide: tilesPerSide)
          all.append(next)
          if worth(of: next) > 1.2 * worth(of: best) { best = next }
        }
      }
      let better = search.suited(to: Exemplars.side(of: best.exemplars) ?? drawnSide)
      guard better != best.tilesPerSide else {
        return Look(view: best, views: all, search: search)
      }
      let second: PhotoView
      if let seen = all.first(where: { $0.tilesPerSide == better }) {
        second = seen
      } else {
        second = try await view(tilesPerSide: better)
        all.append(second)
      }
      let isSeen =
        second.exemplars.contains { $0.isLike && $0.basis == .detection }
        && (isWellDrawn || worth(of: second) >= 0.8 * worth(of: best))
      return Look(view: isSeen ? second : best, views: all, search: search)
    }

    /// How well the drawn boxes fit what a tiling shows.
    private func worth(of view: PhotoView) -> Double {
      exemplars.worth(of: view.exemplars, among: view.detected)
    }

    /// Looks with more and more tiles, for as long as they may show more.
    mutating func lookByMoreTiles() async throws -> Look {
      var best = try await view(tilesPerSide: 1)
      var all = [best]
      for tilesPerSide in 1...search.scales.count where tilesPerSide > 1 {
        guard search.goesOn(to: tilesPerSide, after: best) else { break }
        let next = try await view(tilesPerSide: tilesPerSide)
        all.append(next)
        if search.worth(of: next, after: best) > search.worth(of: best) { best = next }
      }
      return Look(view: best, views: all, search: search)
    }
  }
}
