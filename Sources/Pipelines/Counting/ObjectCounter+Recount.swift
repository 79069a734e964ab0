import Geometry
import VisionProtocols

extension ObjectCounter {
  /// Counts the objects in an image, and keeps the path of every detection and what the models
  /// answered.
  ///
  /// The result is that of ``count(in:guide:progress:survivors:)``. ``recount(_:configuration:guide:)``
  /// counts again with other thresholds, without looking. A count needs embeddings of few crops. If
  /// sliders are to widen the thresholds too, give `score`:
  ///
  /// ```swift
  /// let traced = try await counter.tracedCount(in: photo, recountableFrom: 0.1)
  /// var wider = counter.configuration
  /// wider.confidence = 0.15
  /// let again = try await counter.recount(traced, configuration: wider)
  /// ```
  ///
  /// Memory: every detection and one embedding per object, about 2 KB per object.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - guide: a person's exemplars of objects to count and not to count, and the region. For
  ///     adaptive counts only.
  ///   - score: the least score of detections to keep, 0.001...0.9. Each detection that is left of
  ///     overlapping ones gets an embedding. Nil keeps only what the count needs.
  ///   - progress: called at the start of every stage, after every batch of crops and at the end,
  ///     in order, from the task that counts.
  /// - Throws: what ``count(in:guide:progress:survivors:)`` throws;
  ///   ``CountingConfigurationError/outOfRange(field:value:minimum:maximum:)`` for `score`.
  public func tracedCount(
    in image: Image, guide: CountingGuide = CountingGuide(), recountableFrom score: Double? = nil,
    progress: (@Sendable (CountingProgress) -> Void)? = nil
  ) async throws -> TracedCount {
    if let score { try CountingConfiguration.check("recountableFrom", score, 0.001...0.9) }
    let run = CountingRun(progress: progress, survivors: nil, isTraced: true)
    guard let photo = PhotoPart(whole: image) else {
      // An image without pixels: there is nothing to keep.
      let (result, trace) = try await self.run(run, in: image, guide: guide)
      return TracedCount(result: result, trace: trace ?? CountTrace(detections: []))
    }
    let recorder = LookRecorder(
      KeptLook(
        width: image.width, height: image.height, configuration: configuration, guide: guide,
        dimension: embedder.dimension))
    let counter = ObjectCounter<RecordingDetector<Detector>, RecordingEmbedder<Embedder>>(
      detector: RecordingDetector(
        detector: detector, recorder: recorder, leastScore: score.map { Float($0) }),
      embedder: RecordingEmbedder(embedder: embedder, recorder: recorder), clusterer: clusterer,
      configuration: configuration, calibration: calibration)
    let (result, trace) = try await counter.run(run, in: photo, guide: guide)
    if score != nil {
      let crops = try await counter.unseenCrops(
        of: recorder.look, tilesPerSide: result.findings?.tilesPerSide ?? 1, guide: guide)
      _ = try await EmbeddingStage(batchSize: configuration.batchSize)
        .embeddings(of: crops, in: photo, with: counter.embedder)
    }
    return TracedCount(
      result: result, trace: trace ?? CountTrace(detections: []), look: await recorder.look)
  }

  /// The crops of all kept detections in one tiling that have no embedding.
  private func unseenCrops(
    of look: KeptLook, tilesPerSide: Int, guide: CountingGuide
  ) async throws -> [Crop] {
    guard let image = look.image else { return [] }
    let detector = KeptDetector(look: look, changed: []) { _, _ in 1 }
    let stage = DetectionStage(
      minimumConfidence: look.leastScore, maximumIoU: configuration.nmsIoU)
    let detected =
      configuration.adaptive == nil
      ? try await stage.detections(in: image, with: detector)
      : try await TiledDetectionStage(detection: stage).detections(
        in: image, tilesPerSide: tilesPerSide, region: guide.region, with: detector)
    return CropStage(areaSigma: nil)
      .crops(of: detected.items, width: look.width, height: look.height).items
      .filter { look.rows[$0.rect] == nil }
  }

  /// Counts again with other thresholds, from what the models answered in a traced count.
  ///
  /// The result is that of a new ``tracedCount(in:guide:recountableFrom:progress:)`` of the photo,
  /// except ``CountingResult/seconds``. Neither detector nor embedder is called, so that a slider
  /// can call it at every step. The counter must have the same models; a clusterer and a
  /// calibration are its own.
  ///
  /// - Parameters:
  ///   - traced: the count of the photo. The result of a recount will do as well.
  ///   - configuration: the new thresholds.
  ///   - guide: the new exemplars, region and template; nil is that of the count.
  /// - Returns: the new count, which keeps the same.
  /// - Throws: ``RecountError`` if the photo must be looked at; ``CountingConfigurationError``;
  ///   ``CountingError``; `CancellationError`; the errors of the clusterer.
  ///
  /// If scores are stricter than those of the calibration, the interval needs what they cut. If the
  /// look did not keep scores that low, the interval is that of the doubts alone.
  ///
  /// Complexity: that of the stages, O(n² d) for n objects with embeddings of d values.
  public func recount(
    _ traced: TracedCount, configuration: CountingConfiguration, guide: CountingGuide? = nil
  ) async throws -> TracedCount {
    try configuration.validate()
    guard let look = traced.look, let image = look.image else { throw RecountError.nothingKept }
    try requireModels(of: look)
    let guide = guide ?? traced.trace.guide
    var changed = configuration.fields(changedFrom: look.configuration)
    if guide != look.guide { changed.append("guide") }
    // A calibration cannot ask for lower scores than were kept.
    var calibration = calibration
    if let fitted = calibration?.configuration, Float(fitted.confidence) < look.leastScore {
      calibration?.configuration = nil
    }
    let counter = ObjectCounter<KeptDetector, KeptEmbedder>(
      detector: KeptDetector(look: look, changed: changed) { [detector] in
        detector.scale(imageWidth: $0, imageHeight: $1)
      },
      embedder: KeptEmbedder(look: look, changed: changed), clusterer: clusterer,
      configuration: configuration, calibration: calibration)
    let (result, trace) = try await counter.run(
      CountingRun(progress: nil, survivors: nil, isTraced: true), in: image, guide: guide)
    return TracedCount(result: result, trace: trace ?? CountTrace(detections: []), look: look)
  }

  /// Throws if the models are seen to be others than those of a look.
  private func requireModels(of look: KeptLook) throws(RecountError) {
    guard embedder.dimension == look.dimension else {
      throw .otherEmbedder(dimension: embedder.dimension, kept: look.dimension)
    }
    let isSame = look.scales.allSatisfy { rect, scale in
      detector.scale(imageWidth: rect.width, imageHeight: rect.height) == scale
    }
    guard isSame else { throw .otherDetector }
  }
}

extension KeptLook {
  /// The photo without its pixels.
  var image: KeptImage? {
    PixelRect(x: 0, y: 0, width: width, height: height).map(KeptImage.init)
  }
}
