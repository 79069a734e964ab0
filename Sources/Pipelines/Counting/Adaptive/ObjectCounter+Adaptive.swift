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
  /// Counts by what is usual in the photo itself.
  func countAdaptively(
    in image: Image, settings: AdaptiveConfiguration, run: CountingRun
  ) async throws -> CountingResult {
    var run = run
    try run.enter(.detecting)
    let (view, tried) = try await bestView(of: image, settings: settings, run: &run)
    for report in view.reports { run.record(report.step, leaving: report.left) }

    try run.enter(.filtering)
    let sure = ScoreCutStage(share: settings.scoreShare).filter(view.kept.map(\.detection))
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
    let sizes = ClusterSizes(labels: kinds.labels)
    run.record(
      StepReport(step: .clustered, itemsIn: objects.count, itemsOut: sizes.sizes.count),
      leaving: objects)

    run.finish()
    return CountingResult(
      count: sizes.count, mainCluster: sizes.main, clusterSizes: sizes.sizes,
      detections: zip(objects, kinds.labels).map {
        CountedDetection(detection: $0, cluster: $1, isMain: $1 == sizes.main)
      },
      steps: run.steps, seconds: run.seconds,
      hint: sizes.count > 0 ? nil : .nothingDetected,
      findings: AdaptiveFindings(
        typical: view.typical, tilesPerSide: view.tilesPerSide, triedTilesPerSide: tried,
        silhouette: kinds.silhouette),
      width: image.width, height: image.height)
  }

  /// The photo at the size of tiles that suits its objects, and all sizes that were tried.
  ///
  /// The whole photo comes first. What is usual in it says which tiles would show the objects to the
  /// detector at the size it likes best; that is tried next, and so on while the sum of the kept scores
  /// rises: objects seen at a better size are surer, while mistaken tiles find parts or nothing.
  private func bestView(
    of image: Image, settings: AdaptiveConfiguration, run: inout CountingRun
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
        detected, tilesPerSide: tilesPerSide, settings: settings, width: image.width,
        height: image.height)
    }

    var best = try await view(tilesPerSide: 1)
    var tried = [1]
    for _ in 0..<3 {
      guard let typical = best.typical else { break }
      let distances = try (1...max(1, most)).map { tilesPerSide in
        let scale = try tiling.scale(
          width: image.width, height: image.height, tilesPerSide: tilesPerSide, detector: detector)
        return abs(log(typical.side * scale / settings.targetSide))
      }
      guard let suited = distances.indices.min(by: { distances[$0] < distances[$1] }),
        !tried.contains(suited + 1)
      else { break }
      tried.append(suited + 1)
      let next = try await view(tilesPerSide: suited + 1)
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
    _ detected: StageOutput<[Detection]>, tilesPerSide: Int, settings: AdaptiveConfiguration,
    width: Int, height: Int
  ) throws {
    let selection = TypicalObjectStage(
      sizeFactor: settings.sizeFactor, aspectFactor: settings.aspectFactor,
      perspectiveGain: settings.perspectiveGain, keepsCutObjects: settings.keepsCutObjects
    ).select(detected.items, width: width, height: height)
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
