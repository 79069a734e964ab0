import Geometry
import Tracking
import VisionProtocols

/// Runs recognizers on a frame, all at the same time.
///
/// ```swift
/// let analyzer = FrameAnalyzer<Photo>()
///   .recognizingText(with: recognizer)
///   .readingBarcodes(with: reader)
///   .detectingObjects(with: detector)
/// let observations = try await analyzer.observations(in: photo, at: time)
/// ```
///
/// Each is optional: what no recognizer is given for is not seen.
public struct FrameAnalyzer<Image: SizedImage>: Sendable {
  private var texts: (@Sendable (Image) async throws -> [RecognizedText])?
  private var barcodes: (@Sendable (Image) async throws -> [RecognizedBarcode])?
  private var outlines: (@Sendable (Image) async throws -> [DetectedOutline])?
  private var objectTexts: (@Sendable (Image, Quadrilateral) async throws -> [RecognizedText])?
  private var besideBarcodes: (@Sendable (Image) async throws -> [RecognizedBarcode])?

  /// Makes an analyzer that sees nothing yet.
  public init() {}

  /// The analyzer that reads text as well, in every frame as a whole.
  ///
  /// Text is read in whole frames or on objects; the later call counts.
  public func recognizingText(with recognizer: some TextRecognizer<Image>) -> FrameAnalyzer {
    var result = self
    result.texts = { try await recognizer.texts(in: $0) }
    result.objectTexts = nil
    return result
  }

  /// The analyzer that reads the text on objects, one object at a time.
  ///
  /// Use it if reading a whole frame takes longer than a frame lasts. ``observations(in:at:orientation:)``
  /// reads nothing then. A ``FrameScanner`` reads one object after another beside the frames, each
  /// until it is sure, and remembers what they say. A detector of objects is needed.
  public func recognizingTextOnObjects(
    with recognizer: some TextRecognizer<Image>
  ) -> FrameAnalyzer {
    var result = self
    result.objectTexts = { try await recognizer.texts(on: [$1], of: $0) }
    result.texts = nil
    return result
  }

  /// The analyzer that reads barcodes as well, in every frame.
  ///
  /// Barcodes are read in every frame or beside them; the later call counts.
  public func readingBarcodes(with reader: some BarcodeReader<Image>) -> FrameAnalyzer {
    var result = self
    result.barcodes = { try await reader.barcodes(in: $0) }
    result.besideBarcodes = nil
    return result
  }

  /// The analyzer that reads barcodes beside the frames.
  ///
  /// Use it if reading them takes longer than a frame lasts. ``observations(in:at:orientation:)``
  /// has no barcodes then. A ``FrameScanner`` reads those of one frame, then those of the newest one,
  /// while frames go on.
  public func readingBarcodesBesideFrames(
    with reader: some BarcodeReader<Image>
  ) -> FrameAnalyzer {
    var result = self
    result.besideBarcodes = { try await reader.barcodes(in: $0) }
    result.barcodes = nil
    return result
  }

  /// The analyzer that finds objects as well.
  public func detectingObjects(with detector: some OutlineDetector<Image>) -> FrameAnalyzer {
    var result = self
    result.outlines = { try await detector.outlines(in: $0) }
    return result
  }

  /// What the recognizers see.
  ///
  /// A recognizer that fails does not cost what the others see; it is one of the
  /// ``FrameObservations/failures``.
  ///
  /// Recognizers get the frame as it is stored. What they see is turned by the orientation, so that
  /// all observations are in shares of the upright frame. Recognizers of texts in one direction or of
  /// upright objects need upright pixels: turn these yourself, and leave the orientation out.
  /// `Orientation/inverse` turns findings back, for drawing on the stored frame.
  ///
  /// - Parameters:
  ///   - image: the frame; with an orientation, its size is that of the stored frame.
  ///   - time: when it was taken.
  ///   - orientation: how the stored frame is to be turned to stand upright.
  /// - Throws: ``FrameAnalysisError`` if the image has no size; `CancellationError` if the task is
  ///   cancelled.
  public func observations(
    in image: Image, at time: FrameTime, orientation: Orientation = .upright
  ) async throws -> FrameObservations {
    let stored: CoordinateSpace
    do {
      stored = try CoordinateSpace(width: image.width, height: image.height)
    } catch {
      throw FrameAnalysisError.noSize(width: image.width, height: image.height)
    }
    async let texts = run(texts, on: image, as: .text)
    async let barcodes = run(barcodes, on: image, as: .barcodes)
    async let outlines = run(outlines, on: image, as: .objects)
    let seen = try await (texts: texts, barcodes: barcodes, outlines: outlines)
    return FrameObservations(
      time: time, frame: orientation.upright(stored),
      texts: seen.texts.values.map { orientation.upright(TextLineRegion($0, in: stored)) },
      barcodes: seen.barcodes.values.map { orientation.upright(BarcodeRegion($0, in: stored)) },
      objects: seen.outlines.values.map { orientation.upright(ObjectRegion($0, in: stored)) },
      failures: [seen.texts.failure, seen.barcodes.failure, seen.outlines.failure]
        .compactMap(\.self))
  }

  /// What is written on an object of a frame; nil if no recognizer is given for it, or the task is
  /// cancelled.
  ///
  /// A recognizer's error is the reading's ``ObjectReading/failure``.
  ///
  /// - Parameters:
  ///   - object: an object of the frame, such as ``FrameSession/objectToRead``.
  ///   - image: the frame in which the object was seen.
  ///   - orientation: the orientation with which the frame was analysed.
  public func reading(
    of object: FrameObject, in image: Image, orientation: Orientation = .upright
  ) async -> ObjectReading? {
    guard let objectTexts,
      let stored = try? CoordinateSpace(width: image.width, height: image.height)
    else { return nil }
    let outline = stored.pixels(from: orientation.inverse.upright(object.outline))
    let recognizer = { @Sendable (image: Image) in try await objectTexts(image, outline) }
    guard let result = try? await run(recognizer, on: image, as: .text) else { return nil }
    return ObjectReading(
      of: object,
      texts: result.values.map { orientation.upright(TextLineRegion($0, in: stored)) },
      failure: result.failure)
  }

  /// The barcodes of a frame; nil if they are not read beside frames, or the task is cancelled.
  ///
  /// A reader's error is the reading's ``BarcodeReading/failure``.
  ///
  /// - Parameters:
  ///   - image: the frame.
  ///   - time: when it was taken.
  ///   - orientation: the orientation with which the frame was analysed.
  public func barcodeReading(
    in image: Image, at time: FrameTime, orientation: Orientation = .upright
  ) async -> BarcodeReading? {
    guard let besideBarcodes,
      let stored = try? CoordinateSpace(width: image.width, height: image.height),
      let result = try? await run(besideBarcodes, on: image, as: .barcodes)
    else { return nil }
    return BarcodeReading(
      at: time,
      barcodes: result.values.map { orientation.upright(BarcodeRegion($0, in: stored)) },
      failure: result.failure)
  }

  /// Whether text on objects is read.
  var readsObjects: Bool { objectTexts != nil }
  /// Whether barcodes are read beside frames.
  var readsBarcodesBeside: Bool { besideBarcodes != nil }

  /// What one recognizer sees, or why it failed.
  private func run<Value: Sendable>(
    _ recognizer: (@Sendable (Image) async throws -> [Value])?, on image: Image,
    as kind: RecognizerFailure.Recognizer
  ) async throws(CancellationError) -> (values: [Value], failure: RecognizerFailure?) {
    guard let recognizer else { return ([], nil) }
    do {
      let values = try await recognizer(image)
      if !Task.isCancelled { return (values, nil) }
    } catch {
      // A recognizer may also cancel its own work, which is a failure like any other.
      if !Task.isCancelled { return ([], RecognizerFailure(kind, underlying: error)) }
    }
    throw CancellationError()
  }
}

/// Why a frame could not be analysed at all.
public enum FrameAnalysisError: Error, Hashable, CustomStringConvertible {
  /// A side of the image is not positive, or too large.
  case noSize(width: Int, height: Int)

  /// What was wrong, in one line.
  public var description: String {
    switch self {
    case .noSize(let width, let height):
      "the frame is \(width) x \(height) pixels; both sides must be in 1...\(Int32.max)"
    }
  }
}
