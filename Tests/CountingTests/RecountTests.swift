import Foundation
import Geometry
import TestSupport
import Testing
import VisionProtocols

@testable import Counting

/// Sliders count again from what the models said, without the models (P22).
@Suite("Recounting")
struct RecountTests {
  /// Calls of detector and embedder.
  final class Calls: @unchecked Sendable {  // every access holds the lock
    private let lock = NSLock()
    private var number = 0
    func add() { lock.withLock { number += 1 } }
    var count: Int { lock.withLock { number } }
  }

  struct CalledDetector<Base: ObjectDetector>: ObjectDetector {
    var base: Base
    let calls: Calls
    func scale(imageWidth: Int, imageHeight: Int) -> Double {
      base.scale(imageWidth: imageWidth, imageHeight: imageHeight)
    }
    func detections(in image: Base.Image, minimumConfidence: Float) async throws -> [Detection] {
      calls.add()
      return try await base.detections(in: image, minimumConfidence: minimumConfidence).filter {
        $0.score >= minimumConfidence
      }
    }
  }

  struct CalledEmbedder<Base: ImageEmbedder>: ImageEmbedder {
    var base: Base
    let calls: Calls
    var dimension: Int { base.dimension }
    func embeddings(of images: [Base.Image]) async throws -> EmbeddingMatrix {
      calls.add()
      return try await base.embeddings(of: images)
    }
  }

  typealias FieldCounter = ObjectCounter<
    CalledDetector<FieldDetector>, CalledEmbedder<FieldEmbedder>
  >

  private func fieldCounter(_ calls: Calls, _ configuration: CountingConfiguration) -> FieldCounter
  {
    ObjectCounter(
      detector: CalledDetector(base: FieldDetector(), calls: calls),
      embedder: CalledEmbedder(base: FieldEmbedder(), calls: calls), configuration: configuration)
  }

  /// Squares of three kinds, of sizes that differ at random.
  private func field(seed: UInt64 = 5) throws -> Field {
    var random = SeededGenerator(seed: seed)
    var squares: [(box: Box, kind: Int)] = []
    for row in 0..<6 {
      for column in 0..<6 {
        let side = Float.random(in: 50...130, using: &random)
        squares.append(
          (
            Box(x: Float(column) * 150 + 10, y: Float(row) * 150 + 10, width: side, height: side),
            column % 2
          ))
      }
    }
    return try Field(width: 920, height: 920, squares: squares)
  }

  private static func isEqual(_ again: TracedCount, _ fresh: TracedCount) -> Bool {
    timeless(again.result) == timeless(fresh.result) && again.trace == fresh.trace
  }

  private static func timeless(_ result: CountingResult) -> CountingResult {
    CountingResult(
      count: result.count, mainCluster: result.mainCluster, clusterSizes: result.clusterSizes,
      detections: result.detections, steps: result.steps, seconds: CountingSeconds(),
      hint: result.hint, findings: result.findings, confidence: result.confidence,
      kindsAt: result.kindsAt, width: result.width, height: result.height)
  }

  @Test("an adaptive count is that of a new look, at every place of the sliders")
  func adaptive() async throws {
    let (image, calls) = (try field(), Calls())
    let counter = fieldCounter(calls, .adaptive)
    let traced = try await counter.tracedCount(in: image, recountableFrom: 0.01)
    #expect(try await Self.timeless(counter.count(in: image)) == Self.timeless(traced.result))
    var counts: Set<Int> = []
    for confidence in [0.01, 0.6, 0.8] {
      for sizeFactor in [nil, 1.2] as [Double?] {
        for leastSilhouette in [nil, 0.2] as [Double?] {
          for containment in [0.1, 0.9] {
            var configuration = CountingConfiguration.adaptive
            configuration.confidence = confidence
            configuration.adaptive?.sizeFactor = sizeFactor
            configuration.adaptive?.leastSilhouette = leastSilhouette
            configuration.adaptive?.containment = containment
            let before = calls.count
            let again = try await counter.recount(traced, configuration: configuration)
            #expect(calls.count == before)
            let fresh = try await fieldCounter(Calls(), configuration).tracedCount(in: image)
            #expect(Self.isEqual(again, fresh), "\(configuration)")
            counts.insert(again.result.count)
          }
        }
      }
    }
    #expect(counts.count > 3, "the sliders change the count: \(counts)")
  }

  @Test("a count by bands is that of a new look, at every place of the sliders")
  func bands() async throws {
    let (image, calls) = (try field(seed: 9), Calls())
    let counter = fieldCounter(calls, .standard)
    let traced = try await counter.tracedCount(in: image, recountableFrom: 0.001)
    var counts: Set<Int> = []
    for confidence in [0.001, 0.4, 0.7] {
      for sizeSigma in [nil, 0.5, 1, 3] as [Double?] {
        for similarity in [0.6, 0.8, 0.95] {
          for mergeIoU in [0.1, 0.9] {
            var configuration = CountingConfiguration.standard
            configuration.confidence = confidence
            configuration.sizeSigma = sizeSigma
            configuration.areaSigma = nil
            configuration.similarity = similarity
            configuration.mergeIoU = mergeIoU
            let before = calls.count
            let again = try await counter.recount(traced, configuration: configuration)
            #expect(calls.count == before)
            let fresh = try await fieldCounter(Calls(), configuration).tracedCount(in: image)
            #expect(Self.isEqual(again, fresh), "\(configuration)")
            counts.insert(again.result.count)
          }
        }
      }
    }
    #expect(counts.count > 3, "the sliders change the count: \(counts)")
  }

  @Test("another region and other exemplars are counted from the same look")
  func guides() async throws {
    let (image, calls) = (try field(), Calls())
    // Exemplars may ask for other tiles, which would need a new look.
    var configuration = CountingConfiguration.adaptive
    configuration.adaptive?.tilesPerSide = 1
    let counter = fieldCounter(calls, configuration)
    let traced = try await counter.tracedCount(in: image, recountableFrom: 0.01)
    let half = try CountingRegion(of: Box(x: 0, y: 0, width: 500, height: 920))
    let (first, second) = (image.squares[0].box, image.squares[1].box)
    for guide in [
      CountingGuide(region: half), CountingGuide(like: [first]),
      CountingGuide(like: [second], unlike: [first], region: nil),
    ] {
      let before = calls.count
      let again = try await counter.recount(
        traced, configuration: configuration, guide: guide)
      #expect(calls.count == before)
      let fresh = try await counter.tracedCount(in: image, guide: guide)
      #expect(Self.isEqual(again, fresh), "\(guide)")
      #expect(again.result.count < image.squares.count && again.result.count > 0)
      // Without a guide it is that of the count.
      let same = try await counter.recount(again, configuration: configuration)
      #expect(Self.isEqual(same, again))
    }
  }

  @Test("what was not kept is refused, and the field is named")
  func refused() async throws {
    let image = try field()
    var configuration = CountingConfiguration.adaptive
    configuration.confidence = 0.3
    configuration.adaptive?.tilesPerSide = 1
    let counter = fieldCounter(Calls(), configuration)
    let traced = try await counter.tracedCount(in: image)
    #expect(traced.look?.leastScore == 0.3)

    var lower = configuration
    lower.confidence = 0.1
    await #expect(throws: RecountError.score(0.1, kept: 0.3, fields: ["confidence"])) {
      try await counter.recount(traced, configuration: lower)
    }
    var closer = configuration
    closer.adaptive?.tilesPerSide = 3
    closer.adaptive?.targetSide = 200
    do {
      _ = try await counter.recount(traced, configuration: closer)
      Issue.record("tiles were not seen")
    } catch let error as RecountError {
      guard case .tile(let rect, _) = error else { throw error }
      #expect(rect.width < image.width)
      #expect(error.fields == ["adaptive.tilesPerSide", "adaptive.targetSide"])
    }
    var wider = configuration
    wider.adaptive?.sizeFactor = nil
    do {
      _ = try await counter.recount(traced, configuration: wider)
      Issue.record("crops were not seen")
    } catch let error as RecountError {
      guard case .crop = error else { throw error }
      #expect(error.fields == ["adaptive.sizeFactor"])
      #expect("\(error)".contains("adaptive.sizeFactor"))
    }
    let left = try CountingRegion(of: Box(x: 0, y: 0, width: 300, height: 920))
    let part = try await counter.tracedCount(in: image, guide: CountingGuide(region: left))
    let more = try CountingRegion(of: Box(x: 0, y: 0, width: 900, height: 920))
    do {
      _ = try await counter.recount(
        part, configuration: configuration, guide: CountingGuide(region: more))
      Issue.record("crops outside the region were not seen")
    } catch let error as RecountError {
      #expect(error.fields == ["guide"])
    }
    var wrong = configuration
    wrong.nmsIoU = .nan
    await #expect(throws: CountingConfigurationError.self) {
      try await counter.recount(traced, configuration: wrong)
    }
  }

  @Test("a counter with other models is refused, and so is a count that keeps nothing")
  func otherModels() async throws {
    let image = try field()
    let counter = ObjectCounter(detector: FieldDetector(), embedder: FieldEmbedder())
    let traced = try await counter.tracedCount(in: image)
    let otherDetector = ObjectCounter(detector: FieldDetector(side: 320), embedder: FieldEmbedder())
    await #expect(throws: RecountError.otherDetector) {
      try await otherDetector.recount(traced, configuration: .adaptive)
    }
    struct WideEmbedder: ImageEmbedder {
      let dimension = 9
      func embeddings(of images: [Field]) async throws -> EmbeddingMatrix {
        try EmbeddingMatrix(values: [], dimension: 9)
      }
    }
    let otherEmbedder = ObjectCounter(detector: FieldDetector(), embedder: WideEmbedder())
    await #expect(throws: RecountError.otherEmbedder(dimension: 9, kept: 4)) {
      try await otherEmbedder.recount(traced, configuration: .adaptive)
    }
    let bare = TracedCount(result: traced.result, trace: traced.trace)
    await #expect(throws: RecountError.nothingKept) {
      try await counter.recount(bare, configuration: .adaptive)
    }
    await #expect(throws: CountingConfigurationError.self) {
      try await counter.tracedCount(in: image, recountableFrom: 0)
    }
  }
}
