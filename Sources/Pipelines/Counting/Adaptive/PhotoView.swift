import VisionProtocols

/// What a photo shows at one size of tiles.
struct PhotoView {
  let tilesPerSide: Int
  let typical: TypicalObject?
  /// All detections, best first.
  let detected: [Detection]
  /// Best fit first.
  let kept: [FittedDetection]
  /// The detections of the objects' size and shape, of those below the least score as well.
  ///
  /// Empty if no lower score was asked for.
  let plausible: [FittedDetection]
  /// What each box that a person drew was taken for.
  let exemplars: [ExemplarFinding]
  let reports: [(step: CountingStepReport, left: [Detection])]

  /// - Parameter plausible: detections from a lower score on, if some of them are missing in
  ///   `detected`; nil if none are.
  init(
    _ detected: StageOutput<[Detection]>, plausible: [Detection]? = nil, tilesPerSide: Int,
    exemplars: Exemplars, settings: AdaptiveConfiguration, width: Int, height: Int
  ) throws {
    let stage = TypicalObjectStage(
      sizeFactor: settings.sizeFactor, aspectFactor: settings.aspectFactor,
      perspectiveGain: settings.perspectiveGain, keepsCutObjects: settings.keepsCutObjects,
      liesAnyWay: false)
    self.exemplars = exemplars.findings(among: detected.items)
    let selection =
      exemplars.selection(of: detected.items, like: self.exemplars, by: stage)
      ?? stage.select(detected.items, width: width, height: height)
    let shaped = selection?.kept ?? []
    let contained = try ContainmentStage(maximumOverlap: settings.containment).kept(shaped)
    let sized = selection?.sized ?? []

    self.tilesPerSide = tilesPerSide
    self.detected = detected.items
    typical = selection?.typical
    kept = contained.items
    let findings = self.exemplars
    self.plausible =
      plausible.flatMap { all in
        selection.map { own in
          (exemplars.selection(of: all, like: findings, by: stage)
            ?? stage.select(all, like: own.typical, width: width, height: height)).kept
        }
      } ?? []
    reports = [
      (
        CountingStepReport(step: .detected, itemsIn: detected.itemsIn, itemsOut: detected.itemsOut),
        detected.items
      ),
      (
        CountingStepReport(step: .size, itemsIn: detected.itemsOut, itemsOut: sized.count), sized
      ),
      (
        // Boxes that the frame cuts come back here, so that there may be more than went in.
        CountingStepReport(step: .aspect, itemsIn: sized.count, itemsOut: shaped.count),
        shaped.map(\.detection)
      ),
      (
        CountingStepReport(
          step: .contained, itemsIn: contained.itemsIn, itemsOut: contained.itemsOut),
        contained.items.map(\.detection)
      ),
    ]
  }

  /// The score-weighted median of the kept detections; nil if there are none.
  var medianScore: Double? {
    ScoreCutStage.weightedMedian(of: kept.map { Double($0.detection.score) })
  }

  /// How many of the kept have a score of at least `least`.
  func number(atLeast least: Double) -> Int {
    kept.count { Double($0.detection.score) >= least }
  }
}
