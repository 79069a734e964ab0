import Geometry
import Perception

extension ObjectCounter {
  /// Counts by what is usual in the photo itself, or by what is like an exemplar in it.
  func countAdaptively(
    in image: Image, guide: CountingGuide, settings: AdaptiveConfiguration, run: CountingRun
  ) async throws -> (result: CountingResult, trace: CountTrace?) {
    var run = run
    let exemplar = try guide.like.first.map {
      try Exemplar($0, width: image.width, height: image.height)
    }
    try run.enter(.detecting)
    let (view, views, search) = try await bestView(
      of: image, like: exemplar, settings: settings, run: &run)
    for report in view.reports { run.record(report.step, leaving: report.left) }

    try run.enter(.filtering)
    let cut = ScoreCutStage(share: settings.scoreShare).filter(view.kept.map(\.detection))
    let sure = try exemplar?.first(of: cut) ?? withOtherSizes(cut, of: view, settings: settings)
    run.record(.scored, sure, leaving: sure.items)

    try run.enter(.embedding)
    // Whoever points at one object expects others beside it.
    let stage = KindStage(
      leastSilhouette: settings.leastSilhouette.map { exemplar == nil ? $0 : min($0, 0.4) },
      leastDistance: exemplar == nil ? settings.leastKindDistance : 0)
    let crops = CropStage(areaSigma: nil)
      .crops(of: sure.items, width: image.width, height: image.height)
    let objects = crops.items.map(\.detection)
    let embedded = try await EmbeddingStage(batchSize: configuration.batchSize)
      .embeddings(
        of: stage.needsEmbeddings(for: objects.count) ? crops.items : [], in: image,
        with: embedder
      ) { done in
        run.report(.embedding, part: Double(done) / Double(objects.count))
      }
    run.record(.embedded, embedded, leaving: objects)
    run.notes?.note(embedded.items, of: objects)

    try run.enter(.clustering)
    let kinds =
      embedded.items.count == objects.count
      ? try stage.kinds(of: embedded.items, scores: objects.map(\.score))
      : KindStage.Kinds(
        labels: objects.map { _ in 0 }, bestLabels: objects.map { _ in 0 }, silhouette: nil)
    let sizes = ClusterSizes(labels: kinds.labels)
    // The exemplar comes first, so that its kind is the first label.
    let main = exemplar == nil ? sizes.main : kinds.labels.first
    run.record(
      StepReport(step: .clustered, itemsIn: objects.count, itemsOut: sizes.sizes.count),
      leaving: objects)

    let counted = zip(objects, kinds.labels).filter { $1 == main }.map(\.0)
    let doubts = search.doubts(
      about: counted, of: view, among: views, kinds: kinds, settings: settings,
      width: image.width, height: image.height)
    let confidence = doubts.flatMap {
      CountCalibration.bundled.confidence(of: counted.count, doubts: $0)
    }

    run.finish()
    let result = CountingResult(
      count: counted.count, mainCluster: main,
      clusterSizes: sizes.sizes,
      detections: zip(objects, kinds.labels).map {
        CountedDetection(detection: $0, cluster: $1, isMain: $1 == main)
      },
      steps: run.steps, seconds: run.seconds,
      hint: objects.isEmpty ? .nothingDetected : nil,
      findings: AdaptiveFindings(
        typical: view.typical, tilesPerSide: view.tilesPerSide,
        triedTilesPerSide: views.map(\.tilesPerSide), silhouette: kinds.silhouette,
        doubts: doubts),
      confidence: confidence,
      width: image.width, height: image.height)
    return (result, run.notes?.trace(labels: kinds.labels, main: main, guide: guide))
  }

  /// What passed the cut, and the sure detections of other sizes.
  private func withOtherSizes(
    _ sure: StageOutput<[Detection]>, of view: PhotoView, settings: AdaptiveConfiguration
  ) throws -> StageOutput<[Detection]> {
    guard let typical = view.typical, let median = view.medianScore else { return sure }
    let others = try OtherSizesStage(scoreShare: settings.otherSizes).others(
      among: view.detected, than: sure.items, median: median, side: typical.side)
    return StageOutput(sure.items + others, outOf: sure.itemsIn + others.count)
  }

  /// The photo at the size of tiles that shows its objects best, and at all sizes that were tried.
  private func bestView(
    of image: Image, like exemplar: Exemplar?, settings: AdaptiveConfiguration,
    run: inout CountingRun
  ) async throws -> (best: PhotoView, all: [PhotoView], search: ViewSearch) {
    let tiling = TiledDetectionStage(
      detection: DetectionStage(
        minimumConfidence: Float(configuration.confidence), maximumIoU: configuration.nmsIoU))
    let most = max(1, min(settings.tilesPerSide, image.width, image.height))
    let scales = try (1...most).map {
      try tiling.scale(
        width: image.width, height: image.height, tilesPerSide: $0, detector: detector)
    }
    let search = ViewSearch(
      scales: scales, targetSide: settings.targetSide, partShare: settings.partShare)
    let work = (1...most).reduce(0) { $0 + $1 * $1 }
    var tilesDone = 0

    func view(tilesPerSide: Int) async throws -> PhotoView {
      let done = tilesDone
      let detected = try await tiling.detections(
        in: image, tilesPerSide: tilesPerSide, with: detector
      ) { tilesDone in
        run.report(.detecting, part: Double(min(done + tilesDone, work)) / Double(work))
      }
      tilesDone += tilesPerSide * tilesPerSide
      return try PhotoView(
        detected, tilesPerSide: tilesPerSide, like: exemplar, settings: settings,
        width: image.width, height: image.height)
    }

    // Of an exemplar the size is known, and one look is enough.
    if let exemplar {
      let tilesPerSide = search.suited(to: exemplar.typical.side)
      let only = try await view(tilesPerSide: tilesPerSide)
      return (only, [only], search)
    }
    var best = try await view(tilesPerSide: 1)
    var all = [best]
    for tilesPerSide in 1...most where tilesPerSide > 1 {
      guard search.goesOn(to: tilesPerSide, after: best) else { break }
      let next = try await view(tilesPerSide: tilesPerSide)
      all.append(next)
      if search.worth(of: next, after: best) > search.worth(of: best) { best = next }
    }
    return (best, all, search)
  }
}
