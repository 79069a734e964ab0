import VisionProtocols

/// A model that answers what a test says, records its calls, and can fail or wait.
///
/// Use it by its names: ``FakeDetector``, ``FakeTextRecognizer``, ``FakeBarcodeReader``,
/// ``FakeOutlineDetector``, ``FakeClassifier``, ``FakeLikenessSearcher`` and ``FakeLightMeter``.
public struct FakeModel<Image: Sendable, Answer: Sendable>: Sendable {
  /// The calls so far, and what is to happen to the next ones.
  public let calls = CallLog<Image>()
  private let answer: @Sendable (Image) async throws -> Answer

  /// Makes a model that answers each image by a closure.
  public init(_ answer: @escaping @Sendable (Image) async throws -> Answer) {
    self.answer = answer
  }

  /// Makes a model that answers the same for every image.
  public init(_ answer: Answer) {
    self.answer = { _ in answer }
  }

  fileprivate func callAsFunction(_ image: Image) async throws -> Answer {
    try await calls.begin(image)
    return try await answer(image)
  }
}

/// An object detector; candidates below the least score that is asked for are left out.
public typealias FakeDetector<Image: Sendable> = FakeModel<Image, [Detection]>
/// A recognizer of text.
public typealias FakeTextRecognizer<Image: Sendable> = FakeModel<Image, [RecognizedText]>
/// A reader of barcodes.
public typealias FakeBarcodeReader<Image: Sendable> = FakeModel<Image, [RecognizedBarcode]>
/// A detector of outlines.
public typealias FakeOutlineDetector<Image: Sendable> = FakeModel<Image, [DetectedOutline]>
/// A classifier; it answers the first classes, up to the number that is asked for.
public typealias FakeClassifier<Image: Sendable> = FakeModel<Image, [Classification]>
/// A searcher of known objects; it answers the first ones, up to the number that is asked for.
public typealias FakeLikenessSearcher<Image: Sendable> = FakeModel<Image, [LikenessMatch]>
/// A light meter.
public typealias FakeLightMeter<Image: Sendable> = FakeModel<Image, Double>

extension FakeModel: ObjectDetector where Answer == [Detection] {
  /// The candidates that the test says, from the least score on.
  public func detections(
    in image: Image, minimumConfidence: Float
  ) async throws -> [Detection] {
    try await self(image).filter { $0.score >= minimumConfidence }
  }
}

extension FakeModel: TextRecognizer where Answer == [RecognizedText] {
  /// The lines that the test says.
  public func texts(in image: Image) async throws -> [RecognizedText] { try await self(image) }
}

extension FakeModel: BarcodeReader where Answer == [RecognizedBarcode] {
  /// The barcodes that the test says.
  public func barcodes(in image: Image) async throws -> [RecognizedBarcode] {
    try await self(image)
  }
}

extension FakeModel: OutlineDetector where Answer == [DetectedOutline] {
  /// The outlines that the test says.
  public func outlines(in image: Image) async throws -> [DetectedOutline] {
    try await self(image)
  }
}

extension FakeModel: ImageClassifier where Answer == [Classification] {
  /// The first classes that the test says.
  public func classifications(
    of image: Image, maximumCount: Int
  ) async throws -> [Classification] {
    Array(try await self(image).prefix(max(0, maximumCount)))
  }
}

extension FakeModel: LikenessSearcher where Answer == [LikenessMatch] {
  /// The first objects that the test says.
  public func likenesses(of image: Image, maximumCount: Int) async throws -> [LikenessMatch] {
    Array(try await self(image).prefix(max(0, maximumCount)))
  }
}

extension FakeModel: LightMeter where Answer == Double {
  /// The luma that the test says.
  public func meanLuma(of image: Image) async throws -> Double { try await self(image) }
}

/// An embedder that answers what a test says, records its batches, and can fail or wait.
public struct FakeEmbedder<Image: Sendable>: ImageEmbedder {
  /// The batches so far, and what is to happen to the next ones.
  public let calls = CallLog<[Image]>()
  /// How many values an embedding has.
  public let dimension: Int
  private let embedding: @Sendable (Image) throws -> [Float]

  /// Makes an embedder.
  ///
  /// - Parameters:
  ///   - dimension: the number of values of each embedding, at least 1.
  ///   - embedding: the embedding of an image, of length 1.
  public init(dimension: Int, _ embedding: @escaping @Sendable (Image) throws -> [Float]) {
    self.dimension = dimension
    self.embedding = embedding
  }

  /// One row for each image, in order.
  ///
  /// - Throws: `EmbeddingMatrixError` if the rows do not have ``dimension`` values; what the test
  ///   says.
  public func embeddings(of images: [Image]) async throws -> EmbeddingMatrix {
    try await calls.begin(images)
    return try EmbeddingMatrix(values: images.flatMap(embedding), dimension: dimension)
  }
}

/// A clusterer that answers what a test says, records its calls, and can fail or wait.
public struct FakeClusterer: EmbeddingClusterer {
  /// The calls so far, and what is to happen to the next ones.
  public let calls = CallLog<EmbeddingMatrix>()
  private let labels: @Sendable (EmbeddingMatrix) throws -> [Int]

  /// Makes a clusterer of a closure that answers one label per row.
  public init(_ labels: @escaping @Sendable (EmbeddingMatrix) throws -> [Int]) {
    self.labels = labels
  }

  /// Makes a clusterer that always answers the same labels.
  public init(_ labels: [Int]) {
    self.labels = { _ in labels }
  }

  /// The labels that the test says.
  public func labels(of embeddings: EmbeddingMatrix, similarity: Double) async throws -> [Int] {
    try await calls.begin(embeddings)
    return try labels(embeddings)
  }
}
