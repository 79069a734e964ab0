import Dispatch
import Geometry
import Perception

/// Counts the objects of the main kind in an image.
///
/// ```swift
/// let counter = ObjectCounter(detector: detector, embedder: embedder)
/// let result = try await counter.count(in: image)
/// print(result.count)
/// ```
///
/// The stages, each of them a type of its own that can be used alone: ``DetectionStage``,
/// ``SizeFilter``, ``AspectFilter``, ``CropStage``, ``EmbeddingStage``, ``ClusteringStage``,
/// ``ClusterSizes`` (the main cluster), ``MergeStage``, and ``ClusterSizes`` again (the count).
///
/// A counter has no state: many tasks may count with one at the same time, as far as its detector
/// and embedder allow, which are `Sendable`.
public struct ObjectCounter<Detector: ObjectDetector, Embedder: ImageEmbedder>: Sendable
where Detector.Image == Embedder.Image, Detector.Image: CroppableImage {
  /// The image type it counts in.
  public typealias Image = Detector.Image

  /// What finds the objects.
  public let detector: Detector
  /// What tells how alike they are.
  public let embedder: Embedder
  /// What groups them.
  public let clusterer: any EmbeddingClusterer
  /// The thresholds and switches; checked when a count starts.
  public var configuration: CountingConfiguration

  /// Makes a counter.
  public init(
    detector: Detector, embedder: Embedder,
    clusterer: any EmbeddingClusterer = AverageLinkageClusterer(),
    configuration: CountingConfiguration = .standard
  ) {
    self.detector = detector
    self.embedder = embedder
    self.clusterer = clusterer
    self.configuration = configuration
  }

  /// Counts the objects in an image.
  ///
  /// Nothing found is a result with count 0 and a hint. Cancelling the task ends the work within one
  /// batch of crops.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - progress: called at the start of every stage, after every batch of crops and at the end, in
  ///     order, from the task that counts.
  /// - Throws: ``CountingConfigurationError`` before any work; ``CountingError`` where embedder or
  ///   clusterer break their contract; `CancellationError`; what detector, embedder and clusterer
  ///   throw.
  public func count(
    in image: Image, progress: (@Sendable (CountingProgress) -> Void)? = nil
  ) async throws -> CountingResult {
    try configuration.validate()
    var run = Run(progress: progress)
    let settings = configuration

    try run.enter(.detecting)
    let detected = try await DetectionStage(
      minimumConfidence: Float(settings.confidence), maximumIoU: settings.nmsIoU
    ).detections(in: image, with: detector)
    run.record(.detected, detected)

    try run.enter(.filtering)
    let sized = SizeFilter(sigma: settings.sizeSigma).filter(detected.items)
    run.record(.size, sized)
    let shaped = AspectFilter(rule: settings.aspect).filter(sized.items)
    run.record(.aspect, shaped)
    let crops = CropStage(areaSigma: settings.areaSigma)
      .crops(of: shaped.items, width: image.width, height: image.height)
    run.record(.area, crops)

    try run.enter(.embedding)
    let embedded = try await EmbeddingStage(batchSize: settings.batchSize)
      .embeddings(of: crops.items, in: image, with: embedder) { done in
        run.report(.embedding, part: Double(done) / Double(crops.itemsOut))
      }
    run.record(.embedded, embedded)

    try run.enter(.clustering)
    let labels = try await ClusteringStage(similarity: settings.similarity)
      .labels(of: embedded.items, with: clusterer)
    run.record(.clustered, labels)

    try run.enter(.merging)
    let merged = try MergeStage(maximumIoU: settings.mergeIoU, priority: settings.mergeFirst)
      .merged(
        zip(crops.items, labels.items).map {
          ClusteredDetection(detection: $0.detection, cluster: $1)
        }, main: ClusterSizes(labels: labels.items).main)
    run.record(.merged, merged)
    let sizes = ClusterSizes(labels: merged.items.lazy.map(\.cluster))

    run.finish()
    return CountingResult(
      count: sizes.count, mainCluster: sizes.main, clusterSizes: sizes.sizes,
      detections: merged.items.map {
        CountedDetection(
          detection: $0.detection, cluster: $0.cluster, isMain: $0.cluster == sizes.main)
      },
      steps: run.steps, seconds: run.seconds,
      hint: sizes.count > 0 ? nil : detected.itemsOut > 0 ? .nothingLeft : .nothingDetected,
      width: image.width, height: image.height)
  }

  /// Counts the objects in an image and delivers progress, then the result.
  ///
  /// ```swift
  /// for try await update in counter.updates(for: image) {
  ///   switch update {
  ///   case .progress(let progress): bar.fraction = progress.fraction
  ///   case .finished(let result): label.text = "\(result.count)"
  ///   }
  /// }
  /// ```
  ///
  /// The count runs in a task of its own and ends within one batch of crops when the stream is no
  /// longer listened to, or the listening task is cancelled. Errors are those of
  /// ``count(in:progress:)``.
  public func updates(for image: Image) -> AsyncThrowingStream<CountingUpdate, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          let result = try await count(in: image) { continuation.yield(.progress($0)) }
          continuation.yield(.finished(result))
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

/// The running account of one count: the clock, the steps, the progress.
private struct Run {
  let progress: (@Sendable (CountingProgress) -> Void)?
  private(set) var steps: [StepReport] = []
  private(set) var seconds = CountingSeconds()
  private var stage: CountingStage?
  private var entered = DispatchTime.now()

  init(progress: (@Sendable (CountingProgress) -> Void)?) {
    self.progress = progress
  }

  /// Closes the stage before and opens the next, unless the task was cancelled.
  mutating func enter(_ next: CountingStage) throws {
    try Task.checkCancellation()
    close()
    stage = next
    report(next, part: 0)
  }

  /// Closes the last stage.
  mutating func finish() {
    close()
    report(.done, part: 0)
  }

  mutating func record<Items>(_ step: CountingStep, _ output: StageOutput<Items>) {
    steps.append(StepReport(step: step, itemsIn: output.itemsIn, itemsOut: output.itemsOut))
  }

  /// Reports how much of a stage is done, `part` in 0...1.
  func report(_ stage: CountingStage, part: Double) {
    guard let progress else { return }
    let all = CountingStage.allCases
    let end = all.firstIndex(of: stage).map { all[min($0 + 1, all.count - 1)].start } ?? 1
    progress(
      CountingProgress(stage: stage, fraction: stage.start + (end - stage.start) * part))
  }

  private mutating func close() {
    let now = DispatchTime.now()
    let elapsed = Double(now.uptimeNanoseconds &- entered.uptimeNanoseconds) / 1e9
    entered = now
    switch stage {
    case .detecting: seconds.detecting = elapsed
    case .filtering: seconds.filtering = elapsed
    case .embedding: seconds.embedding = elapsed
    case .clustering: seconds.clustering = elapsed
    case .merging: seconds.merging = elapsed
    case .done, nil: return
    }
    seconds.total += elapsed
  }
}
