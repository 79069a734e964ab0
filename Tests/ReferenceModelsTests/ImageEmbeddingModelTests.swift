import Foundation
import ONNXRunner
import Raster
import ReferenceModels
import TestSupport
import Testing
import VisionProtocols

@Suite("Image embedding model")
struct ImageEmbeddingModelTests {
  /// What the tiny models answer for a plain image: its normalized colour, at length 1.
  func expected(_ colour: [UInt8], _ preprocessing: CropPreprocessing) -> [Float] {
    let rule = preprocessing.normalization
    let values = (0..<3).map {
      (Float(colour[$0]) / rule.divisor - rule.mean[$0]) / rule.deviation[$0]
    }
    let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return values.map { $0 / length }
  }

  func isClose(_ a: some Sequence<Float>, _ b: [Float], within tolerance: Float) -> Bool {
    zip(a, b).allSatisfy { abs($0 - $1) < tolerance }
  }

  static let colours: [[UInt8]] = [
    [255, 0, 0], [10, 200, 30], [90, 90, 91], [0, 0, 0], [1, 2, 250],
  ]

  @Test(
    "every form of the model answers a row per image, whatever the batch",
    arguments: ["embedder", "embedder_flat", "embedder_pairs", "embedder_half", "embedder_open"])
  func rows(name: String) async throws {
    let model = try ImageEmbeddingModel(contentsOf: tinyModel(name))
    #expect(model.dimension == 3)
    #expect(model.preprocessing.size == (name == "embedder_open" ? 224 : 8))
    let images = try Self.colours.map { try plain($0, width: 20, height: 10) }
    let rows = try await model.embeddings(of: images)
    #expect(rows.count == images.count && rows.dimension == 3)
    let tolerance: Float = name == "embedder_half" ? 2e-3 : 1e-5
    for (index, colour) in Self.colours.enumerated() {
      let row = expected(colour, .imageNet)
      #expect(isClose(rows[row: index], row, within: tolerance))
      let alone = try await model.embeddings(of: [images[index]])
      #expect(isClose(alone[row: 0], row, within: tolerance))
    }
    #expect(try await model.embeddings(of: []).count == 0)
  }

  @Test(
    "the model says how images are prepared, unless one says so oneself",
    arguments: [
      ("embedder", CropPreprocessing.imageNet), ("embedder_attention", .clip),
      ("embedder_named", .imageNet),
    ])
  func preprocessing(name: String, rule: CropPreprocessing) throws {
    let model = try ImageEmbeddingModel(contentsOf: tinyModel(name))
    #expect(model.preprocessing.normalization == rule.normalization)
    #expect(model.preprocessing.resampling == .bicubic && model.preprocessing.size == 8)
    var own = CropPreprocessing.clip
    own.size = 8
    own.resampling = .bilinearAntialiased
    #expect(
      try ImageEmbeddingModel(contentsOf: tinyModel(name), preprocessing: own).preprocessing == own)
  }

  @Test("a size that is not the model's is refused")
  func wrongSize() throws {
    let error = #expect(throws: ReferenceModelError.self) {
      _ = try ImageEmbeddingModel(contentsOf: tinyModel("embedder"), preprocessing: .clip)
    }
    guard case .inputSize("224", _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    var none = CropPreprocessing.clip
    for size in [0, -5, 16385, .max] {
      none.size = size
      #expect(throws: ReferenceModelError.self) {
        _ = try ImageEmbeddingModel(contentsOf: tinyModel("embedder_open"), preprocessing: none)
      }
    }
  }

  @Test("rows without a direction are refused by their number")
  func noDirection() async throws {
    let images = try [
      plain([200, 3, 3], width: 4, height: 4), plain([0, 9, 0], width: 4, height: 4),
    ]
    let zero = try ImageEmbeddingModel(contentsOf: tinyModel("embedder_zero"))
    await #expect(throws: EmbeddingMatrixError.zeroRow(index: 0)) {
      _ = try await zero.embeddings(of: images)
    }
    let infinite = try ImageEmbeddingModel(contentsOf: tinyModel("embedder_infinite"))
    await #expect(throws: EmbeddingMatrixError.nonFiniteRow(index: 0)) {
      _ = try await infinite.embeddings(of: images)
    }
  }

  @Test("a model that is no embedder is refused with its shapes")
  func notEmbedder() throws {
    let error = #expect(throws: ReferenceModelError.self) {
      _ = try ImageEmbeddingModel(contentsOf: tinyModel("detector"))
    }
    guard case .notEmbedder(_, let found)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(found.contains("images") && error?.description.contains("[N, D]") == true)
  }

  @Test("many tasks may use one model at once")
  func concurrent() async throws {
    let model = try ImageEmbeddingModel(contentsOf: tinyModel("embedder"))
    let images = try Self.colours.map { try plain($0, width: 20, height: 10) }
    let alone = try await model.embeddings(of: images)
    let all = try await withThrowingTaskGroup(of: EmbeddingMatrix.self) { group in
      for _ in 0..<16 { group.addTask { try await model.embeddings(of: images) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(all.count == 16 && all.allSatisfy { $0 == alone })
  }
}
