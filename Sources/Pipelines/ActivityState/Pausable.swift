import Geometry
import VisionProtocols

/// A detector, an embedder or a reader that waits at a gate before each of its calls.
///
/// ```swift
/// let gate = PauseGate()
/// let counter = ObjectCounter(
///   detector: Pausable(detector, gate: gate), embedder: Pausable(embedder, gate: gate))
/// gate.pause()      // a count stops before its next call of a model
/// gate.resume()
/// ```
///
/// It conforms to each protocol of `VisionProtocols` that the base conforms to, so a pipeline can be
/// paused without knowing of it. A call that has begun is not interrupted. A task that is cancelled
/// while it waits gets a `CancellationError`.
///
/// A count calls its detector for each tile of a photo, and its embedder for each batch of crops. A
/// `ShelfReader` calls each reader once or twice for an image. A step of a `RecognitionRouter` has a
/// budget, which goes on while the step waits; so pause between recognitions, with
/// ``PauseGate/pass()``.
public struct Pausable<Base: Sendable>: Sendable {
  /// What does the work.
  public let base: Base
  /// Where each call waits.
  public let gate: PauseGate

  /// Puts a gate before the calls of `base`.
  public init(_ base: Base, gate: PauseGate) {
    self.base = base
    self.gate = gate
  }
}

extension Pausable: ObjectDetector where Base: ObjectDetector {
  /// What the base detects, after the gate.
  public func detections(
    in image: Base.Image, minimumConfidence: Float
  ) async throws -> [Detection] {
    try await gate.pass()
    return try await base.detections(in: image, minimumConfidence: minimumConfidence)
  }

  /// The base's scale.
  public func scale(imageWidth: Int, imageHeight: Int) -> Double {
    base.scale(imageWidth: imageWidth, imageHeight: imageHeight)
  }
}

extension Pausable: ImageEmbedder where Base: ImageEmbedder {
  /// The base's dimension.
  public var dimension: Int { base.dimension }

  /// The base's embeddings, after the gate.
  public func embeddings(of images: [Base.Image]) async throws -> EmbeddingMatrix {
    try await gate.pass()
    return try await base.embeddings(of: images)
  }
}

extension Pausable: EmbeddingClusterer where Base: EmbeddingClusterer {
  /// The base's labels, after the gate.
  public func labels(of embeddings: EmbeddingMatrix, similarity: Double) async throws -> [Int] {
    try await gate.pass()
    return try await base.labels(of: embeddings, similarity: similarity)
  }
}

extension Pausable: TextRecognizer where Base: TextRecognizer {
  /// The lines that the base reads, after the gate.
  public func texts(in image: Base.Image) async throws -> [RecognizedText] {
    try await gate.pass()
    return try await base.texts(in: image)
  }

  /// The lines that the base reads along the outlines, after the gate.
  public func texts(
    in image: Base.Image, along outlines: [Quadrilateral]
  ) async throws -> [RecognizedText] {
    try await gate.pass()
    return try await base.texts(in: image, along: outlines)
  }

  /// The lines that the base reads on the outlines, after the gate.
  public func texts(
    on outlines: [Quadrilateral], of image: Base.Image
  ) async throws -> [RecognizedText] {
    try await gate.pass()
    return try await base.texts(on: outlines, of: image)
  }
}

extension Pausable: BarcodeReader where Base: BarcodeReader {
  /// The barcodes that the base reads, after the gate.
  public func barcodes(in image: Base.Image) async throws -> [RecognizedBarcode] {
    try await gate.pass()
    return try await base.barcodes(in: image)
  }
}

extension Pausable: OutlineDetector where Base: OutlineDetector {
  /// The outlines that the base finds, after the gate.
  public func outlines(in image: Base.Image) async throws -> [DetectedOutline] {
    try await gate.pass()
    return try await base.outlines(in: image)
  }
}

extension Pausable: ImageClassifier where Base: ImageClassifier {
  /// The base's classes, after the gate.
  public func classifications(
    of image: Base.Image, maximumCount: Int
  ) async throws -> [Classification] {
    try await gate.pass()
    return try await base.classifications(of: image, maximumCount: maximumCount)
  }
}

extension Pausable: LikenessSearcher where Base: LikenessSearcher {
  /// The known objects that the base finds, after the gate.
  public func likenesses(of image: Base.Image, maximumCount: Int) async throws -> [LikenessMatch] {
    try await gate.pass()
    return try await base.likenesses(of: image, maximumCount: maximumCount)
  }
}

extension Pausable: LightMeter where Base: LightMeter {
  /// The brightness that the base measures, after the gate.
  public func meanLuma(of image: Base.Image) async throws -> Double {
    try await gate.pass()
    return try await base.meanLuma(of: image)
  }
}
