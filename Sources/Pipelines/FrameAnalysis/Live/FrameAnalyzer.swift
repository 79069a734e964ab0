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

  /// Makes an analyzer that sees nothing yet.
  public init() {}

  /// The analyzer that reads text as well.
  public func recognizingText(with recognizer: some TextRecognizer<Image>) -> FrameAnalyzer {
    var result = self
    result.texts = { try await recognizer.texts(in: $0) }
    return result
  }

  /// The analyzer that reads barcodes as well.
  public func readingBarcodes(with reader: some BarcodeReader<Image>) -> FrameAnalyzer {
    var result = self
    result.barcodes = { try await reader.barcodes(in: $0) }
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
  /// - Throws: ``FrameAnalysisError`` if a recognizer fails, the text's before the barcodes' before
  ///   the objects', or the image has no size; `CancellationError` if the task is cancelled.
  public func observations(
    in image: Image, at time: FrameTime
  ) async throws -> FrameObservations {
    let frame: CoordinateSpace
    do {
      frame = try CoordinateSpace(width: image.width, height: image.height)
    } catch {
      throw FrameAnalysisError.noSize(width: image.width, height: image.height)
    }
    async let texts = run(texts, on: image, as: .text)
    async let barcodes = run(barcodes, on: image, as: .barcodes)
    async let outlines = run(outlines, on: image, as: .objects)
    return FrameObservations(
      time: time, frame: frame,
      texts: try await texts.map { TextLineRegion($0, in: frame) },
      barcodes: try await barcodes.map { BarcodeRegion($0, in: frame) },
      objects: try await outlines.map { ObjectRegion($0, in: frame) })
  }

  private func run<Value: Sendable>(
    _ recognizer: (@Sendable (Image) async throws -> [Value])?, on image: Image,
    as kind: FrameAnalysisError.Recognizer
  ) async throws -> [Value] {
    guard let recognizer else { return [] }
    do {
      let values = try await recognizer(image)
      try Task.checkCancellation()
      return values
    } catch let error as CancellationError {
      throw error
    } catch {
      throw FrameAnalysisError.failed(kind, underlying: error)
    }
  }
}

/// Why a frame could not be analysed.
public enum FrameAnalysisError: Error, CustomStringConvertible {
  /// Which recognizer.
  public enum Recognizer: String, Hashable, Sendable {
    /// The text's.
    case text
    /// The barcodes'.
    case barcodes
    /// The objects'.
    case objects
  }

  /// A recognizer threw.
  case failed(Recognizer, underlying: any Error)
  /// A side of the image is not positive, or too large.
  case noSize(width: Int, height: Int)

  /// What was wrong, in one line.
  public var description: String {
    switch self {
    case .failed(let recognizer, let error):
      "the recognizer of \(recognizer.rawValue) failed: \(error)"
    case .noSize(let width, let height):
      "the frame is \(width) x \(height) pixels; both sides must be in 1...\(Int32.max)"
    }
  }
}
