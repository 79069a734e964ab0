import Counting
import Foundation
import Geometry
import ImageFiles
import Raster
import ReferenceModels
import TestSupport
import Testing
import VisionProtocols

/// The coins that come with the repository, counted with nothing but the package.
@Suite("Bundled models")
struct BundledModelsTests {
  @Test("the bundled models count coins")
  func coins() async throws {
    let url = Folders.package.appendingPathComponent("Fixtures/Images/coins.png")
    let image = try ImageFile.load(contentsOf: url)
    let counter = try ObjectCounter(
      detector: BundledModels.detector(), embedder: BundledModels.embedder(),
      configuration: .adaptive.suitedToBundledModels())
    let result = try await counter.count(in: image)
    #expect(result.count == 24)
    #expect(result.representative?.isMain == true)
  }

  @Test("a recount of coins is a new count, at every place of the sliders (P22)")
  func recount() async throws {
    let url = Folders.package.appendingPathComponent("Fixtures/Images/coins.png")
    let image = try ImageFile.load(contentsOf: url)
    var counter = try ObjectCounter(
      detector: BundledModels.detector(), embedder: BundledModels.embedder(),
      configuration: .adaptive.suitedToBundledModels(), calibration: .bundledModels)
    let traced = try await counter.tracedCount(in: image, recountableFrom: 0.1)
    var counts: Set<Int> = []
    for (confidence, sizeFactor, leastSilhouette) in [
      (0.1, nil, 0.45), (0.6, 1.1, 0.45), (0.3, 1.5, 0),
    ] as [(Double, Double?, Double)] {
      var configuration = counter.configuration
      configuration.confidence = confidence
      configuration.adaptive?.sizeFactor = sizeFactor
      configuration.adaptive?.otherSizes = nil
      configuration.adaptive?.leastSilhouette = leastSilhouette
      configuration.adaptive?.leastKindDistance = 0
      let again = try await counter.recount(traced, configuration: configuration)
      let before = counter.configuration
      counter.configuration = configuration
      let fresh = try await counter.tracedCount(in: image)
      counter.configuration = before
      #expect(again.trace == fresh.trace)
      #expect(again.result.detections == fresh.result.detections)
      #expect(again.result.steps == fresh.result.steps)
      #expect(again.result.findings == fresh.result.findings)
      #expect(again.result.confidence == fresh.result.confidence)
      counts.insert(again.result.count)
    }
    #expect(counts.count > 1, "the sliders change the count: \(counts)")
  }

  @Test("the bundled detector is found and has one class")
  func detector() throws {
    let detector = try BundledModels.detector()
    #expect(detector.head.classCount == 1)
    #expect(detector.head.inputWidth == 416 && detector.head.inputHeight == 416)
  }
}

/// Photos and models that lie beside the checkout, held to what the Python reference answers.
///
/// T1: every stage, photo by photo; the standard way with 58 photos.
@Suite("Photos against the Python reference")
struct CountingPhotosTests {
  typealias Rows = [String: [[Double]]]

  struct Count: Decodable {
    let count: Int
    let mainCluster: Int?
    let clusters: [Int: Int]
    let stages: [String: Int]
  }

  func photo(_ name: String) throws -> Raster? {
    try Requirements.shared("photos/\(name)").map { try ImageFile.load(contentsOf: $0) }
  }

  @Test("detections on every photo are the reference's", arguments: [416, 640])
  func detections(size: Int) async throws {
    guard let model = try Requirements.shared("models/yolox_nano_\(size).onnx") else { return }
    let detector = try YOLOXDetector(contentsOf: model)
    let goldens = try Folders.golden("ReferenceModels/detections_\(size).json", as: Rows.self)
    #expect(goldens.count == 15)
    for (name, expected) in goldens.sorted(by: { $0.key < $1.key }) {
      guard let image = try photo("count/\(name)") else { return }
      let found = try await DetectionStage().detections(in: image, with: detector).items
      #expect(found.count == expected.count, "\(name)")
      // A box's rounding grows with the photo: on the largest one, ONNX Runtime itself is 0.027 pixels
      // away from the same network computed in double precision.
      let tolerance = 0.05
      // Equal scores may come in either order.
      var left = found
      for row in expected {
        let place = left.firstIndex { matches($0, row, within: tolerance) }
        #expect(place != nil, "\(name): nothing like \(row)")
        if let place { left.remove(at: place) }
      }
    }
  }

  private func matches(
    _ found: Detection, _ row: [Double], within tolerance: Double
  ) -> Bool {
    let edges = [found.box.minX, found.box.minY, found.box.maxX, found.box.maxY]
    let scores = [found.score, found.objectness, found.classScore]
    return zip(edges, row[0..<4]).allSatisfy { abs(Double($0) - $1) < tolerance }
      && zip(scores, row[4..<7]).allSatisfy { abs(Double($0) - $1) < 1e-4 }
      && found.classID == Int(row[7])
  }

  static let ways: [(String, CountingConfiguration)] = {
    var published = CountingConfiguration.standard
    published.sizeSigma = 3
    published.aspect = .range(minimum: 0.45, maximum: 2.2)
    published.areaSigma = 2
    var open = CountingConfiguration.standard
    open.confidence = 0.02
    open.sizeSigma = nil
    open.aspect = .off
    open.areaSigma = nil
    return [
      ("standard", .standard), ("pythonReference", .pythonReference), ("published", published),
      ("open", open),
    ]
  }()

  @Test("counts, clusters and stages of every photo are the reference's", arguments: ways)
  func counts(way: String, configuration: CountingConfiguration) async throws {
    guard let detector = try Requirements.shared("models/yolox_nano_416.onnx"),
      let embedder = try Requirements.shared("models/mobilenetv3_small_embedder.onnx")
    else { return }
    let counter = try ObjectCounter(
      detector: YOLOXDetector(contentsOf: detector),
      embedder: ImageEmbeddingModel(contentsOf: embedder), configuration: configuration)
    let goldens = try Folders.golden(
      "ReferenceModels/counts.json", as: [String: [String: Count]].self)
    let photos = try #require(goldens[way]).sorted { $0.key < $1.key }
    #expect(photos.count == (way == "standard" ? 58 : 15))
    for (name, expected) in photos {
      guard let image = try photo(name) else { return }
      let result = try await counter.count(in: image)
      let stages = result.steps.filter { $0.step != .clustered }
        .map { ($0.step.rawValue, $0.itemsOut) }
      #expect(Dictionary(uniqueKeysWithValues: stages) == expected.stages, "\(name)")
      #expect(result.clusterSizes == expected.clusters, "\(name)")
      #expect(result.mainCluster == expected.mainCluster && result.count == expected.count)
    }
  }

  @Test("the tartlets: 97, 94, 84, 79 as published; 97, 91, 59, 56, 56 as standard")
  func tartlets() async throws {
    guard let detector = try Requirements.shared("models/yolox_nano_416.onnx"),
      let embedder = try Requirements.shared("models/mobilenetv3_small_embedder.onnx"),
      let image = try photo("count/tartlets.jpg")
    else { return }
    var counter = try ObjectCounter(
      detector: YOLOXDetector(contentsOf: detector),
      embedder: ImageEmbeddingModel(contentsOf: embedder), configuration: .standard)
    let standard = try await counter.count(in: image)
    #expect(standard.count == 56)
    #expect(standard.steps.map(\.itemsOut) == [97, 91, 59, 56, 56, 1, 56])
    counter.configuration = Self.ways[2].1
    let published = try await counter.count(in: image)
    #expect(published.steps.prefix(4).map(\.itemsOut) == [97, 94, 84, 79])
    #expect(published[.merged]?.itemsOut == 64)
  }
}
