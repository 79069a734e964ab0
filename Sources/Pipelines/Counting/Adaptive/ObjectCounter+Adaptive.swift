import Geometry
import Perception

extension ObjectCounter {
  /// Counts by what is usual in the photo itself, or by what is like an exemplar in it.
  func countAdaptively(
    in image: Image, like exemplar: Box?, settings: AdaptiveConfiguration, run: CountingRun
  ) async throws -> CountingResult {
    var run = run
    let exemplar = try exemplar.map {
      try Exemplar($0, width: image.width, height: image.height)
    }
    try run.enter(.detecting)
    let (view, tried) = try await bestView(
      of: image, like: exemplar, settings: settings, run: &run)
    for report in view.reports { run.record(report.step, leaving: report.left) }

    try run.enter(.filtering)
    let cut = ScoreCutStage(share: settings.scoreShare).filter(view.kept.map(\.detection))
    let sure = exemplar?.first(of: cut) ?? cut
    run.record(.scored, sure, leaving: sure.items)

    try run.enter(.embedding)
    let stage = KindStage(leastSilhouette: settings.leastSilhouette)
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

    try run.enter(.clustering)
    let kinds =
      embedded.items.count == objects.count
      ? try stage.kinds(of: embedded.items, scores: objects.map(\.score))
      : KindStage.Kinds(labels: objects.map { _ in 0 }, silhouette: nil)
    // The exemplar comes first, so that its kind is the first label.
    let main = exemplar == nil ? ClusterSizes(labels: kinds.labels).main : kinds.labels.first
    let sizes = ClusterSizes(labels: kinds.labels)
    run.record(
      StepReport(step: .clustered, itemsIn: objects.count, itemsOut: sizes.sizes.count),
      leaving: objects)

    run.finish()
    return CountingResult(
      count: main.flatMap { sizes.sizes[$0] } ?? 0, mainCluster: main,
      clusterSizes: sizes.sizes,
      detections: zip(objects, kinds.labels).map {
        CountedDetection(detection: $0, cluster: $1, isMain: $1 == main)
      },
      steps: run.steps, seconds: run.seconds,
      hint: objects.isEmpty ? .nothingDetected : nil,
      findings: AdaptiveFindings(
        typical: view.typical, tilesPerSide: view.tilesPerSide, triedTilesPerSide: tried,
        silhouette: kinds.silhouette),
      width: image.width, height: image.height)
  }

  /// The photo at the size of tiles that shows its objects best, and all sizes that were tried.
  private func bestView(
    of image: Image, like exemplar: Exemplar?, settings: AdaptiveConfiguration,
    run: inout CountingRun
  ) async throws -> (PhotoView, tried: [Int]) {
    let tiling = TiledDetectionStage(
      detection: DetectionStage(
        minimumConfidence: Float(configuration.confidence), maximumIoU: configuration.nmsIoU))
    let most = max(1, min(settings.tilesPerSide, image.width, image.height))
    let scales = try (1...most).map {
      try tiling.scale(
        width: image.width, height: image.height, tilesPerSide: $0, detector: detector)
    }
    let search = ViewSearch(scales: scales, targetSide: settings.targetSide)
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
      return (try await view(tilesPerSide: tilesPerSide), [tilesPerSide])
    }
    var best = try await view(tilesPerSide: 1)
    var tried = [1]
    for tilesPerSide in 1...most where tilesPerSide > 1 {
      guard search.goesOn(to: tilesPerSide, after: best) else { break }
      let next = try await view(tilesPerSide: tilesPerSide)
      tried.append(tilesPerSide)
      if search.worth(of: next) > search.worth(of: best) { best = next }
    }
    return (best, tried)
  }
}
