import Geometry
import Perception

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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

  /// The photo at the size of tiles that suits its objects, and all sizes that were tried.
  ///
  /// The whole photo comes first. What is usual in it says which tiles would show the objects to the
  /// detector at the size it likes best; that is tried next, and so on while the sum of the kept scores
  /// rises: objects seen at a better size are surer, while mistaken tiles find parts or nothing. Of an
  /// exemplar the size is known, and one look is enough.
  private func bestView(
    of image: Image, like exemplar: Exemplar?, settings: AdaptiveConfiguration,
    run: inout CountingRun
  ) async throws -> (PhotoView, tried: [Int]) {
    let tiling = TiledDetectionStage(
      detection: DetectionStage(
        minimumConfidence: Float(configuration.confidence), maximumIoU: configuration.nmsIoU))
    // A tile has at least a pixel; smaller ones than the detector's input are no use anyway.
    let most = min(settings.tilesPerSide, image.width, image.height)
    let work = (1...max(1, most)).reduce(0) { $0 + $1 * $1 }
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

    /// The number of tiles a side that shows objects of this size best, the fewest of several.
    func suited(to side: Double) throws -> Int {
      let distances = try (1...max(1, most)).map { tilesPerSide in
        let scale = try tiling.scale(
          width: image.width, height: image.height, tilesPerSide: tilesPerSide, detector: detector)
        return abs(log(side * scale / settings.targetSide))
      }
      return 1 + (distances.indices.min { distances[$0] < distances[$1] } ?? 0)
    }

    if let exemplar {
      let tilesPerSide = try suited(to: exemplar.typical.side)
      return (try await view(tilesPerSide: tilesPerSide), [tilesPerSide])
    }
    var best = try await view(tilesPerSide: 1)
    var tried = [1]
    for _ in 0..<3 {
      guard let typical = best.typical else { break }
      let tilesPerSide = try suited(to: typical.side)
      if tried.contains(tilesPerSide) { break }
      tried.append(tilesPerSide)
      let next = try await view(tilesPerSide: tilesPerSide)
      guard next.scoreSum > best.scoreSum else { break }
      best = next
    }
    return (best, tried)
  }
}

/// What a photo shows at one size of tiles.
private struct PhotoView {
  let tilesPerSide: Int
  let typical: TypicalObject?
  /// Best fit first.
  let kept: [FittedDetection]
  let reports: [(step: StepReport, left: [Detection])]
  /// The sum of the scores of what is kept.
  let scoreSum: Double

  init(
    _ detected: StageOutput<[Detection]>, tilesPerSide: Int, like exemplar: Exemplar?,
    settings: AdaptiveConfiguration, width: Int, height: Int
  ) throws {
    let stage = TypicalObjectStage(
      sizeFactor: settings.sizeFactor, aspectFactor: settings.aspectFactor,
      perspectiveGain: settings.perspectiveGain, keepsCutObjects: settings.keepsCutObjects)
    let selection =
      exemplar?.selection(of: detected.items, by: stage)
      ?? stage.select(detected.items, width: width, height: height)
    let shaped = selection?.kept ?? []
    let contained = try ContainmentStage(maximumOverlap: settings.containment).kept(shaped)
    let sized = selection?.sized ?? []

    self.tilesPerSide = tilesPerSide
    typical = selection?.typical
    kept = contained.items
    scoreSum = contained.items.reduce(0) { $0 + Double($1.detection.score) }
    reports = [
      (
        StepReport(step: .detected, itemsIn: detected.itemsIn, itemsOut: detected.itemsOut),
        detected.items
      ),
      (
        StepReport(step: .size, itemsIn: detected.itemsOut, itemsOut: sized.count), sized
      ),
      (
        // Boxes that the frame cuts come back here, so that there may be more than went in.
        StepReport(step: .aspect, itemsIn: sized.count, itemsOut: shaped.count),
        shaped.map(\.detection)
      ),
      (
        StepReport(
          step: .contained, itemsIn: contained.itemsIn, itemsOut: contained.itemsOut),
        contained.items.map(\.detection)
      ),
    ]
  }
}
