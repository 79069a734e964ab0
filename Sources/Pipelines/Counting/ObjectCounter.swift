import Geometry
import VisionProtocols

/// Counts the objects of the main kind in an image.
///
/// ```swift
/// let counter = ObjectCounter(detector: detector, embedder: embedder)
/// let result = try await counter.count(in: image)
/// print(result.count)
/// ```
///
/// There are two methods.
///
/// - *adaptive*, if the configuration has ``CountingConfiguration/adaptive-swift.property``
///   settings: the usual size and shape are estimated from the photo. The detector searches the
///   photo in tiles of one or several sizes. Detections of an unusual size or shape, those inside
///   others and those of low score are dropped. The rest are embedded (``EmbeddingStage``) and
///   grouped into kinds.
/// - *bands*, otherwise: fixed thresholds. Each stage is a type that can be used alone:
///   ``DetectionStage``, ``SizeFilter``, ``AspectFilter``, ``CropStage``, ``EmbeddingStage``,
///   ``ClusteringStage``, ``ClusterSizes`` (the main cluster), ``MergeStage``, and ``ClusterSizes``
///   again (the count).
///
/// A counter has no state. Many tasks may use one at the same time, if its detector and embedder
/// allow it; both are `Sendable`.
public struct ObjectCounter<Detector: ObjectDetector, Embedder: ImageEmbedder>: Sendable
where Detector.Image == Embedder.Image, Detector.Image: CroppableImage {
  /// The image type it counts in.
  public typealias Image = Detector.Image

  /// What finds the objects.
  public let detector: Detector
  /// What tells how alike they are.
  public let embedder: Embedder
  /// The clusterer; nil is average linkage.
  ///
  /// Average linkage is cut where kinds are well separated (adaptive), or at
  /// ``CountingConfiguration/similarity`` (bands).
  public let clusterer: (any EmbeddingClusterer)?
  /// The thresholds and switches; checked when a count starts.
  public var configuration: CountingConfiguration
  /// How doubts become an interval, for this pair of models and this configuration; nil gives none.
  public var calibration: CountCalibration?

  /// Makes a counter.
  public init(
    detector: Detector, embedder: Embedder,
    clusterer: (any EmbeddingClusterer)? = nil,
    configuration: CountingConfiguration = .adaptive, calibration: CountCalibration? = nil
  ) {
    self.detector = detector
    self.embedder = embedder
    self.clusterer = clusterer
    self.configuration = configuration
    self.calibration = calibration
  }

  /// Counts the objects in an image.
  ///
  /// If nothing is found, the result has count 0 and a hint. Cancelling the task ends the work
  /// within one batch of crops.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - guide: a person's exemplars of objects to count and not to count, and the region. For
  ///     adaptive counts only.
  ///   - progress: called at the start of every stage, after every batch of crops and at the end,
  ///     in order, from the task that counts.
  ///   - survivors: called after every counted step, in order, with the detections that are left;
  ///     shows where objects are lost.
  /// - Throws: ``CountingConfigurationError`` before any work; ``CountingError`` if the embedder or
  ///   the clusterer breaks its contract; `CancellationError`; the errors of detector, embedder and
  ///   clusterer.
  public func count(
    in image: Image, guide: CountingGuide = CountingGuide(),
    progress: (@Sendable (CountingProgress) -> Void)? = nil, survivors: SurvivorObserver? = nil
  ) async throws -> CountingResult {
    try await run(CountingRun(progress: progress, survivors: survivors), in: image, guide: guide)
      .result
  }

  func run(
    _ run: CountingRun, in image: Image, guide: CountingGuide
  ) async throws -> (result: CountingResult, trace: CountTrace?) {
    try configuration.validate()
    if let adaptive = configuration.adaptive {
      return try await countAdaptively(
        in: image, guide: guide, settings: adaptive, run: run)
    }
    if guide != CountingGuide() { throw CountingError.exemplarNeedsAdaptive }
    return try await countInBands(in: image, run: run)
  }

  /// Counts the objects in an image and delivers progress, then the result.
  ///
  /// ```swift
  /// for try await update in counter.updates(for: image) {
  ///   switch update {
  ///   case .progress(let progress): print(progress.fraction)
  ///   case .finished(let result): print(result.count)
  ///   }
  /// }
  /// ```
  ///
  /// The count runs in its own task. It ends within one batch of crops if the stream is no longer
  /// consumed or the consuming task is cancelled. Errors are those of
  /// ``count(in:guide:progress:survivors:)``.
  public func updates(
    for image: Image, guide: CountingGuide = CountingGuide()
  ) -> AsyncThrowingStream<CountingUpdate, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          let result = try await count(in: image, guide: guide) {
            continuation.yield(.progress($0))
          }
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
