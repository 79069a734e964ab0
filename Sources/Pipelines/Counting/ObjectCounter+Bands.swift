import VisionProtocols

extension ObjectCounter {
  /// Counts by the bands of ``CountingConfiguration/standard``: `median +- k * sigma` of size and
  /// shape, kinds by a least similarity, overlaps merged across kinds.
  func countInBands(
    in image: Image, run: CountingRun
  ) async throws -> (result: CountingResult, trace: CountTrace?) {
    var run = run
    let settings = configuration
    try run.enter(.detecting)
    let detected = try await DetectionStage(
      minimumConfidence: Float(settings.confidence), maximumIoU: settings.nmsIoU
    ).detections(in: image, with: detector)
    run.record(.detected, detected, leaving: detected.items)

    try run.enter(.filtering)
    let sized = SizeFilter(sigma: settings.sizeSigma).filter(detected.items)
    run.record(.size, sized, leaving: sized.items)
    let shaped = AspectFilter(rule: settings.aspect).filter(sized.items)
    run.record(.aspect, shaped, leaving: shaped.items)
    let crops = CropStage(areaSigma: settings.areaSigma)
      .crops(of: shaped.items, width: image.width, height: image.height)
    run.record(.area, crops, leaving: crops.items.map(\.detection))

    try run.enter(.embedding)
    let embedded = try await EmbeddingStage(batchSize: settings.batchSize)
      .embeddings(of: crops.items, in: image, with: embedder) { done in
        run.report(.embedding, part: Double(done) / Double(crops.itemsOut))
      }
    run.record(.embedded, embedded, leaving: crops.items.map(\.detection))
    run.notes?.note(embedded.items, of: crops.items.map(\.detection))

    try run.enter(.clustering)
    let labels = try await ClusteringStage(similarity: settings.similarity)
      .labels(of: embedded.items, with: clusterer ?? AverageLinkageClusterer())
    run.record(.clustered, labels, leaving: crops.items.map(\.detection))

    try run.enter(.merging)
    let merged = try MergeStage(maximumIoU: settings.mergeIoU, priority: settings.mergeFirst)
      .merged(
        zip(crops.items, labels.items).map {
          ClusteredDetection(detection: $0.detection, cluster: $1)
        }, main: ClusterSizes(labels: labels.items).main)
    run.record(.merged, merged, leaving: merged.items.map(\.detection))
    let sizes = ClusterSizes(labels: merged.items.lazy.map(\.cluster))

    run.finish()
    let result = CountingResult(
      count: sizes.count, mainCluster: sizes.main, clusterSizes: sizes.sizes,
      detections: merged.items.map {
        CountedDetection(
          detection: $0.detection, cluster: $0.cluster, isMain: $0.cluster == sizes.main)
      },
      steps: run.steps, seconds: run.seconds,
      hint: sizes.count > 0 ? nil : detected.itemsOut > 0 ? .nothingLeft : .nothingDetected,
      width: image.width, height: image.height)
    return (
      result, run.notes?.trace(labels: labels.items, main: sizes.main, guide: CountingGuide())
    )
  }
}
