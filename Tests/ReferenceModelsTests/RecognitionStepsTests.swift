import Foundation
import Raster
import Recognition
import ReferenceModels
import SimilarityIndex
import Testing
import VisionProtocols

@Suite("A classifier and a library as steps of a recognition")
struct RecognitionStepsTests {
  /// A library of two colours, made with the bundled embedder.
  func searcher(_ folder: URL) async throws -> IndexLikenessSearcher<ImageEmbeddingModel> {
    let embedder = try BundledModels.embedder()
    let identity = EmbedderIdentity(
      name: "bundled", fingerprint: "bundled", dimension: embedder.dimension)
    let library = try LikenessLibrary(openingOrCreating: folder, embedder: identity)
    let writer = try library.writer()
    let things = [
      (name: "tomato", image: disc([220, 30, 20], on: [250, 250, 250])),
      (name: "sky", image: disc([20, 60, 230], on: [10, 10, 10])),
    ]
    for thing in things {
      let image = try #require(thing.image)
      let row = try await embedder.embeddings(of: [image])
      try writer.add(
        id: UUID(), vector: Array(row[row: 0]),
        payload: LikenessRecord(name: thing.name).payload)
    }
    try writer.commit()
    return try IndexLikenessSearcher(try #require(try library.reader()), embedder: embedder)
  }

  @Test("The classifier answers where it is sure enough, otherwise the library")
  func steps() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("steps-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let searcher = try await searcher(folder)
    let classifier = try ImageClassificationModel(contentsOf: tinyModel("classifier_softmax"))
    let image = try #require(disc([220, 30, 20], on: [250, 250, 250]))
    let best = try #require(
      try await classifier.classifications(of: image, maximumCount: 1).first)
    for (least, isClass) in [(0.0, true), (1.0, false)] {
      var configuration = RecognitionConfiguration()
      configuration.minimumClassConfidence = least
      let result = try await RecognitionRouter<Raster>(configuration: configuration)
        .classifying(with: classifier).searchingLikeness(with: searcher).recognition(of: image)
      switch try #require(result.object) {
      case .classification(let kind, let others):
        #expect(isClass && kind == best && others.count == 3)
      case .likeness(let thing, let others):
        #expect(!isClass && thing.name == "tomato" && thing.cosine > 0.999)
        #expect(others.allSatisfy { $0.cosine < thing.cosine })
      default: Issue.record("\(result)")
      }
    }
  }
}
