import Geometry
import Tracking
import VisionProtocols

/// Recognizes one object in an image with several recognizers.
///
/// ```swift
/// let router = RecognitionRouter<Photo>()
///   .readingBarcodes(with: reader)
///   .classifying(with: classifier, after: .centerHalf)
///   .searchingLikeness(with: index)
///   .recognizingText(with: recognizer)
/// let result = try await router.recognition(of: photo)
/// ```
///
/// The result is the first of these that holds:
///
/// 1. A barcode was read.
/// 2. A class has a confidence above ``RecognitionConfiguration/minimumClassConfidence``.
/// 3. A known object has a cosine above ``RecognitionConfiguration/minimumCosine``.
/// 4. A line of text has a confidence above ``RecognitionConfiguration/minimumTextConfidence``.
///
/// Otherwise the object is not recognized, and the result has the reasons. Each recognizer is
/// optional.
///
/// All run at the same time. This does not change the result, because a later step counts only when
/// every earlier one has ended without an answer. As soon as a step recognizes the object, those
/// after it are cancelled. If a step exceeds its budget, it is cancelled and no longer awaited,
/// even if it ignores the cancellation: a step that hangs keeps only its own thread and the image.
public struct RecognitionRouter<Image: SizedImage>: Sendable {
  /// The thresholds and budgets.
  public let configuration: RecognitionConfiguration

  let clock: any RecognitionClock
  var launcher = TaskLauncher.own
  private(set) var steps: [RecognitionStep: @Sendable (Image) async throws -> StepAnswer] = [:]
  private(set) var light: (@Sendable (Image) async throws -> Double)?

  /// Makes a router with the defaults that recognizes nothing yet.
  public init(clock: any RecognitionClock = UptimeClock()) {
    configuration = RecognitionConfiguration()
    self.clock = clock
  }

  /// Makes a router that recognizes nothing yet.
  ///
  /// - Throws: ``RecognitionConfigurationError`` if a value is out of range.
  public init(
    configuration: RecognitionConfiguration, clock: any RecognitionClock = UptimeClock()
  ) throws(RecognitionConfigurationError) {
    self.configuration = try configuration.validated()
    self.clock = clock
  }

  /// The router that reads barcodes first.
  public func readingBarcodes(
    with reader: some BarcodeReader<Image>, after preparation: ImagePreparation<Image> = .none
  ) -> RecognitionRouter {
    adding(.barcode) { image in
      let prepared = try preparation.prepare(image)
      return .barcodes(
        try await reader.barcodes(in: prepared.image).map { barcode in
          var barcode = barcode
          barcode.outline = barcode.outline.mapCorners(prepared.original)
          return BarcodeFinding(barcode)
        })
    }
  }

  /// The router that classifies as well.
  public func classifying(
    with classifier: some ImageClassifier<Image>,
    after preparation: ImagePreparation<Image> = .none
  ) -> RecognitionRouter {
    let count = configuration.maximumAlternatives + 1
    return adding(.classification) { image in
      .classifications(
        try await classifier.classifications(
          of: try preparation.prepare(image).image, maximumCount: count))
    }
  }

  /// The router that also searches for similar known objects.
  public func searchingLikeness(
    with searcher: some LikenessSearcher<Image>,
    after preparation: ImagePreparation<Image> = .none
  ) -> RecognitionRouter {
    let count = configuration.maximumAlternatives + 1
    return adding(.likeness) { image in
      .likenesses(
        try await searcher.likenesses(
          of: try preparation.prepare(image).image, maximumCount: count))
    }
  }

  /// The router that reads text as well.
  public func recognizingText(
    with recognizer: some TextRecognizer<Image>, after preparation: ImagePreparation<Image> = .none
  ) -> RecognitionRouter {
    adding(.text) { image in
      let prepared = try preparation.prepare(image)
      return .texts(
        try await recognizer.texts(in: prepared.image).map { line in
          var line = line
          line.outline = line.outline.mapCorners(prepared.original)
          return line
        })
    }
  }

  /// The router that also measures the light if it recognizes nothing, for advice.
  public func measuringLight(with meter: some LightMeter<Image>) -> RecognitionRouter {
    var result = self
    result.light = { try await meter.meanLuma(of: $0) }
    return result
  }

  private func adding(
    _ step: RecognitionStep, _ body: @escaping @Sendable (Image) async throws -> StepAnswer
  ) -> RecognitionRouter {
    var result = self
    result.steps[step] = body
    return result
  }

  /// Recognizes the object in an image.
  ///
  /// It takes at most the longest budget and that for the light. If steps run one after the other,
  /// it takes at most the sum of all budgets.
  ///
  /// - Parameters:
  ///   - image: the upright image.
  ///   - objectBox: the object's box in pixels of the image, if it is known; shows whether the
  ///     object is too far away.
  /// - Throws: ``RecognitionError`` if the image has no size; `CancellationError` if the task is
  ///   cancelled, at once, and with all steps cancelled. Errors of steps are in the result.
  public func recognition(of image: Image, objectBox: Box? = nil) async throws -> RecognitionResult
  {
    try Task.checkCancellation()
    let frame: CoordinateSpace
    do {
      frame = try CoordinateSpace(width: image.width, height: image.height)
    } catch {
      throw RecognitionError.noSize(width: image.width, height: image.height)
    }
    let start = clock.now()
    var run = RecognitionRun(router: self, image: image)
    try await run.runSteps()
    let object = run.winner?.object
    var luma: Double?
    var share: Double?
    if object == nil {
      luma = try await run.meanLuma()
      share = run.rules.objectShare(
        box: objectBox, answers: run.reports.compactMap(\.answer), in: frame)
    }
    let reports = run.reports
    return RecognitionResult(
      object: object, method: run.winner?.step,
      confidence: object == nil ? nil : reports.first { $0.outcome == .won }?.confidence,
      reasons: object != nil
        ? []
        : run.rules.reasons(
          outcomes: reports.map(\.outcome), meanLuma: luma, objectShare: share),
      steps: reports, duration: max(clock.now() - start, .zero), meanLuma: luma, objectShare: share)
  }
}

/// The reason why an image could not be processed.
public enum RecognitionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A side of the image is not positive, or too large.
  case noSize(width: Int, height: Int)

  /// What was wrong, and what would be right, in one line.
  public var description: String {
    switch self {
    case .noSize(let width, let height):
      "the image is \(width) x \(height) pixels; both sides must be in 1...\(Int32.max)"
    }
  }
}
