import Geometry
import Testing
import VisionProtocols

@Suite("Recognizers whose model is loaded if it is needed")
struct LazyRecognizersTests {
  /// Answers with what it was asked.
  private struct Base: ObjectDetector, ImageEmbedder, TextRecognizer, OutlineDetector,
    ImageClassifier
  {
    typealias Image = Int
    var dimension = 2

    func detections(in image: Int, minimumConfidence: Float) async throws -> [Detection] {
      let box = Box(minX: 0, minY: 0, maxX: Float(image), maxY: 1)
      return [
        Detection(
          box: box, score: minimumConfidence, objectness: 1, classScore: minimumConfidence,
          classID: 0)
      ]
    }

    func scale(imageWidth: Int, imageHeight: Int) -> Double { 0.5 }

    func embeddings(of images: [Int]) async throws -> EmbeddingMatrix {
      try EmbeddingMatrix(values: images.flatMap { [Float($0), 0] }, dimension: 2)
    }

    func texts(in image: Int) async throws -> [RecognizedText] { [] }

    func texts(
      in image: Int, along outlines: [Quadrilateral]
    ) async throws -> [RecognizedText] {
      outlines.map { RecognizedText(outline: $0, text: "\(image)", confidence: 1) }
    }

    func outlines(in image: Int) async throws -> [DetectedOutline] {
      let box = Box(minX: 0, minY: 0, maxX: Float(image), maxY: 1)
      return [DetectedOutline(outline: Quadrilateral(box), confidence: 0.5)]
    }

    func classifications(of image: Int, maximumCount: Int) async throws -> [Classification] {
      (0..<maximumCount).map { Classification(label: "kind", index: $0, confidence: Float(image)) }
    }
  }

  @Test("They answer what the model answers, and load it only for that")
  func answers() async throws {
    let lazy = LazyModel(name: "all") { Base() }
    let detector = LazyObjectDetector(lazy) { min(640 / Double($0), 640 / Double($1)) }
    let embedder = LazyImageEmbedder(lazy, dimension: 2)
    #expect(detector.scale(imageWidth: 1280, imageHeight: 640) == 0.5)
    #expect(embedder.dimension == 2)
    #expect(await !lazy.isLoaded)
    let found = try await detector.detections(in: 7, minimumConfidence: 0.25)
    #expect(found.map(\.box.maxX) == [7] && found.map(\.score) == [0.25])
    #expect(await lazy.isLoaded)
    #expect(try await embedder.embeddings(of: [3, 4]).values == [3, 0, 4, 0])
    let outline = Quadrilateral(Box(minX: 0, minY: 0, maxX: 1, maxY: 1))
    let reader = LazyTextRecognizer(lazy)
    #expect(try await reader.texts(in: 7).isEmpty)
    #expect(try await reader.texts(in: 7, along: [outline]).map(\.text) == ["7"])
    let outlines = try await LazyOutlineDetector(lazy).outlines(in: 7)
    #expect(outlines.map(\.confidence) == [0.5])
    let classes = try await LazyImageClassifier(lazy).classifications(of: 1, maximumCount: 3)
    #expect(classes.map(\.index) == [0, 1, 2])
  }

  @Test("If only a request loads, they say that the model is not loaded")
  func notLoaded() async throws {
    let lazy = LazyModel(name: "kinds", loading: .onRequest) { Base() }
    let expected = ModelNotLoadedError(model: "kinds")
    await #expect(throws: expected) { try await LazyTextRecognizer(lazy).texts(in: 1) }
    await #expect(throws: expected) {
      try await LazyImageEmbedder(lazy, dimension: 2).embeddings(of: [1])
    }
    try await LazyTextRecognizer(lazy).model.load()
    #expect(try await LazyTextRecognizer(lazy).texts(in: 1).isEmpty)
  }

  @Test("An embedder of another dimension than announced is refused")
  func otherDimension() async throws {
    let embedder = LazyImageEmbedder(LazyModel(name: "crops") { Base() }, dimension: 3)
    let expected = EmbeddingDimensionError(expected: 3, found: 2)
    await #expect(throws: expected) { try await embedder.embeddings(of: [1]) }
    #expect("\(expected)" == "the model's embeddings have 2 values, and 3 were announced")
  }
}
