import Geometry

/// A detector of objects whose model is loaded if it is needed.
public struct LazyObjectDetector<Base: ObjectDetector>: ObjectDetector {
  /// The model, to load and unload it.
  public let model: LazyModel<Base>
  private let announcedScale: @Sendable (Int, Int) -> Double

  /// Makes a detector.
  ///
  /// - Parameters:
  ///   - model: the detector itself.
  ///   - scale: what its ``ObjectDetector/scale(imageWidth:imageHeight:)`` answers for a width and
  ///     a height, above 0. It is asked before the model is loaded. A network of 640 x 640 that
  ///     fits photos into its input has `min(640 / width, 640 / height)`.
  public init(_ model: LazyModel<Base>, scale: @escaping @Sendable (Int, Int) -> Double) {
    self.model = model
    announcedScale = scale
  }

  /// What the model finds.
  ///
  /// - Throws: as ``LazyModel/withModel(_:)``.
  public func detections(
    in image: Base.Image, minimumConfidence: Float
  ) async throws -> [Detection] {
    try await model.withModel {
      try await $0.detections(in: image, minimumConfidence: minimumConfidence)
    }
  }

  /// The scale that the detector was made with.
  public func scale(imageWidth: Int, imageHeight: Int) -> Double {
    announcedScale(imageWidth, imageHeight)
  }
}

/// An embedder whose model is loaded if it is needed.
public struct LazyImageEmbedder<Base: ImageEmbedder>: ImageEmbedder {
  /// The model, to load and unload it.
  public let model: LazyModel<Base>
  /// How many values an embedding has.
  public let dimension: Int

  /// Makes an embedder.
  ///
  /// - Parameters:
  ///   - model: the embedder itself.
  ///   - dimension: the model's ``ImageEmbedder/dimension``, which is asked before the model is
  ///     loaded.
  public init(_ model: LazyModel<Base>, dimension: Int) {
    self.model = model
    self.dimension = dimension
  }

  /// The model's embeddings.
  ///
  /// - Throws: ``EmbeddingDimensionError`` if the model has another dimension; else as
  ///   ``LazyModel/withModel(_:)``.
  public func embeddings(of images: [Base.Image]) async throws -> EmbeddingMatrix {
    try await model.withModel { embedder in
      guard embedder.dimension == dimension else {
        throw EmbeddingDimensionError(expected: dimension, found: embedder.dimension)
      }
      return try await embedder.embeddings(of: images)
    }
  }
}

/// A loaded embedder has another dimension than announced.
public struct EmbeddingDimensionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The dimension that was announced.
  public let expected: Int
  /// The dimension of the model.
  public let found: Int

  /// Makes the error.
  public init(expected: Int, found: Int) {
    self.expected = expected
    self.found = found
  }

  /// What was wrong, in one line.
  public var description: String {
    "the model's embeddings have \(found) values, and \(expected) were announced"
  }
}

/// A recognizer of text whose model is loaded if it is needed.
public struct LazyTextRecognizer<Base: TextRecognizer>: TextRecognizer {
  /// The model, to load and unload it.
  public let model: LazyModel<Base>

  /// Makes a recognizer.
  public init(_ model: LazyModel<Base>) {
    self.model = model
  }

  /// What the model reads.
  ///
  /// - Throws: as ``LazyModel/withModel(_:)``.
  public func texts(in image: Base.Image) async throws -> [RecognizedText] {
    try await model.withModel { try await $0.texts(in: image) }
  }

  /// What the model reads along outlines.
  ///
  /// - Throws: as ``LazyModel/withModel(_:)``.
  public func texts(
    in image: Base.Image, along outlines: [Quadrilateral]
  ) async throws -> [RecognizedText] {
    try await model.withModel { try await $0.texts(in: image, along: outlines) }
  }

  /// What the model reads on outlines.
  ///
  /// - Throws: as ``LazyModel/withModel(_:)``.
  public func texts(
    on outlines: [Quadrilateral], of image: Base.Image
  ) async throws -> [RecognizedText] {
    try await model.withModel { try await $0.texts(on: outlines, of: image) }
  }
}

/// A detector of outlines whose model is loaded if it is needed.
public struct LazyOutlineDetector<Base: OutlineDetector>: OutlineDetector {
  /// The model, to load and unload it.
  public let model: LazyModel<Base>

  /// Makes a detector.
  public init(_ model: LazyModel<Base>) {
    self.model = model
  }

  /// What the model finds.
  ///
  /// - Throws: as ``LazyModel/withModel(_:)``.
  public func outlines(in image: Base.Image) async throws -> [DetectedOutline] {
    try await model.withModel { try await $0.outlines(in: image) }
  }
}

/// A classifier whose model is loaded if it is needed.
public struct LazyImageClassifier<Base: ImageClassifier>: ImageClassifier {
  /// The model, to load and unload it.
  public let model: LazyModel<Base>

  /// Makes a classifier.
  public init(_ model: LazyModel<Base>) {
    self.model = model
  }

  /// What the model answers.
  ///
  /// - Throws: as ``LazyModel/withModel(_:)``.
  public func classifications(
    of image: Base.Image, maximumCount: Int
  ) async throws -> [Classification] {
    try await model.withModel {
      try await $0.classifications(of: image, maximumCount: maximumCount)
    }
  }
}
