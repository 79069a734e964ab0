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

    let crops = try cropsOfUsual(detected.items, in: image, run: &run)
    let labels = try await labels(of: crops, in: image, run: &run)

    try run.enter(.merging)
    let merged = try MergeStage(maximumIoU: settings.mergeIoU, priority: settings.mergeFirst)
      .merged(
        zip(crops.items, labels).map {
          ClusteredDetection(detection: $0.detection, cluster: $1)
        }, main: ClusterSizes(labels: labels).main)
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
      result, run.notes?.trace(labels: labels, main: sizes.main, guide: CountingGuide())
    )
  }

  /// The crops of the detections whose size and shape lie in the bands.
  private func cropsOfUsual(
    _ detected: [Detection], in image: Image, run: inout CountingRun
  ) throws -> StageOutput<[Crop]> {
    try run.enter(.filtering)
    let sized = SizeFilter(sigma: configuration.sizeSigma).filter(detected)
    run.record(.size, sized, leaving: sized.items)
    let shaped = AspectFilter(rule: configuration.aspect).filter(sized.items)
    run.record(.aspect, shaped, leaving: shaped.items)
    let crops = CropStage(areaSigma: configuration.areaSigma)
      .crops(of: shaped.items, width: image.width, height: image.height)
    run.record(.area, crops, leaving: crops.items.map(\.detection))
    return crops
  }

  /// Embeds the crops and groups them: the cluster of each.
  private func labels(
    of crops: StageOutput<[Crop]>, in image: Image, run: inout CountingRun
  ) async throws -> [Int] {
    try run.enter(.embedding)
    let now = run
    let embedded = try await EmbeddingStage(batchSize: configuration.batchSize)
      .embeddings(of: crops.items, in: image, with: embedder) { done in
        now.report(.embedding, part: Double(done) / Double(crops.itemsOut))
      }
    run.record(.embedded, embedded, leaving: crops.items.map(\.detection))
    run.notes?.note(embedded.items, of: crops.items.map(\.detection))

    try run.enter(.clustering)
    let labels = try await ClusteringStage(similarity: configuration.similarity)
      .labels(of: embedded.items, with: clusterer ?? AverageLinkageClusterer())
    run.record(.clustered, labels, leaving: crops.items.map(\.detection))
    return labels.items
  }
}
