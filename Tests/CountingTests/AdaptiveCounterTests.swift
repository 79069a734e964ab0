import Counting
import Foundation
import Geometry
import TallyTestSupport
import TestSupport
import Testing
import VisionProtocols

@Suite("The adaptive count")
struct AdaptiveCounterTests {
  private let counter = ObjectCounter(detector: FieldDetector(), embedder: FieldEmbedder())

  private func field(
    width: Int, height: Int, side: Float, gap: Float, kinds: Int = 1
  ) throws -> Field {
    try Field(width: width, height: height, side: side, gap: gap, kinds: kinds)
  }

  @Test("it is what a counter does when nothing else is said")
  func isTheDefault() {
    #expect(counter.configuration == .adaptive && counter.configuration.adaptive != nil)
    #expect(CountingConfiguration.standard.adaptive == nil)
    #expect(CountingConfiguration() == .standard)
  }

  @Test("a clusterer that the counter is given decides the kinds")
  func clusterer() async throws {
    let image = try field(width: 640, height: 640, side: 80, gap: 20)
    let all = image.squares.count
    #expect(try await counter.count(in: image).clusterSizes.count == 1)
    // Every third one is of the other kind.
    let labels = (0..<all).map { $0 % 3 == 0 ? 7 : 2 }
    let divided = ObjectCounter(
      detector: FieldDetector(), embedder: FieldEmbedder(),
      clusterer: FakeClusterer(labels))
    let result = try await divided.count(in: image)
    #expect(result.count == labels.count { $0 == 2 } && result.clusterSizes.count == 2)
    let broken = ObjectCounter(
      detector: FieldDetector(), embedder: FieldEmbedder(),
      clusterer: FakeClusterer([0]))
    await #expect(throws: CountingError.labelCount(expected: all, got: 1)) {
      try await broken.count(in: image)
    }
  }

  @Test("large objects are counted in one look")
  func oneLook() async throws {
    let image = try field(width: 640, height: 640, side: 80, gap: 20)
    let result = try await counter.count(in: image)
    #expect(result.count == image.squares.count)
    let findings = try #require(result.findings)
    #expect(findings.triedTilesPerSide == [1] && findings.tilesPerSide == 1)
    #expect(abs(try #require(findings.typical).side - 80) < 0.1)
    #expect(
      result.steps.map(\.step) == [
        .detected, .size, .aspect, .contained, .scored, .embedded, .clustered,
      ])
  }

  @Test("small objects are looked at more closely, and each counts once")
  func tiles() async throws {
    // 60 pixels of 2000 are 19 in a network of 640: four tiles of 615 a side show them at 62.
    let image = try field(width: 2000, height: 2000, side: 60, gap: 40)
    let result = try await counter.count(in: image)
    #expect(result.findings?.tilesPerSide == 4)
    #expect(result.count == image.squares.count)
    var whole = counter
    whole.configuration.adaptive?.tilesPerSide = 1
    let once = try await whole.count(in: image)
    #expect(once.findings?.triedTilesPerSide == [1])
    #expect(once.count == image.squares.count)
    let (close, far) = (result.detections[0].detection.score, once.detections[0].detection.score)
    #expect(close > far)
  }

  @Test("a detector that looks at every pixel is asked once")
  func noScale() async throws {
    let counter = ObjectCounter(detector: SceneDetector(), embedder: SceneEmbedder())
    let result = try await counter.count(in: .row(Array(repeating: 0, count: 7), side: 24))
    #expect(result.count == 7)
    #expect(result.findings?.triedTilesPerSide == [1])
  }

  @Test("kinds are told apart")
  func kinds() async throws {
    let image = try field(width: 700, height: 700, side: 80, gap: 20, kinds: 3)
    let result = try await counter.count(in: image)
    let counts = Dictionary(grouping: image.squares, by: \.kind).mapValues(\.count)
    #expect(result.clusterSizes.values.sorted() == counts.values.sorted())
    #expect(result.count == counts.values.max())
    #expect(result.mainCluster == 0)
    #expect(result.detections.filter(\.isMain).count == result.count)
    #expect(try #require(result.findings?.silhouette) > 0.9)
  }

  @Test("nothing in the image is a count of 0 with a hint")
  func nothing() async throws {
    let result = try await counter.count(in: Field(width: 64, height: 48, squares: []))
    #expect(result.count == 0 && result.mainCluster == nil && result.detections.isEmpty)
    #expect(result.hint == .nothingDetected)
    #expect(result.findings?.typical == nil)
  }

  @Test("an image of one pixel, or of one row, is counted")
  func tinyImages() async throws {
    for (width, height) in [(1, 1), (1, 500), (3, 2)] {
      let box = Box(x: 0, y: 0, width: Float(width), height: Float(height))
      let image = try Field(width: width, height: height, squares: [(box, 0)])
      let result = try await counter.count(in: image)
      #expect(result.count <= 1)
    }
  }

  @Test("observers see what is left after each step, in order")
  func survivors() async throws {
    let image = try field(width: 2000, height: 2000, side: 60, gap: 40)
    let log = SurvivorLog()
    let result = try await counter.count(in: image, survivors: { log.append($0, $1.count) })
    #expect(log.all.map(\.0) == result.steps.map(\.step))
    #expect(log.all.dropLast().map(\.1) == result.steps.dropLast().map(\.itemsOut))
    #expect(log.all.last?.1 == result.detections.count)
  }

  @Test("progress goes forward and ends at 1, tiles or not")
  func progress() async throws {
    let log = ProgressLog()
    _ = try await counter.count(
      in: field(width: 2000, height: 1500, side: 60, gap: 40), progress: { log.append($0) })
    let fractions = log.all.map(\.fraction)
    #expect(fractions == fractions.sorted())
    #expect(fractions.first == 0)
    #expect(fractions.last == 1)
    #expect(log.all.map(\.stage).filter { $0 == .detecting }.count > 9)
  }

  @Test("cancelling stops between tiles")
  func cancelled() async throws {
    let image = try field(width: 2000, height: 2000, side: 60, gap: 40)
    let task = Task { [counter] in
      while !Task.isCancelled { await Task.yield() }
      return try await counter.count(in: image)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  @Test("settings that are off or strange do not end the process")
  func settings() async throws {
    let image = try field(width: 900, height: 700, side: 40, gap: 30, kinds: 2)
    var off = AdaptiveConfiguration()
    (off.sizeFactor, off.aspectFactor, off.perspectiveGain) = (nil, nil, nil)
    (off.containment, off.scoreShare, off.leastSilhouette) = (nil, nil, nil)
    (off.keepsCutObjects, off.partShare) = (false, nil)
    var counter = counter
    counter.configuration.adaptive = off
    #expect(try await counter.count(in: image).count == image.squares.count)
    off.tilesPerSide = 8
    off.targetSide = 1024
    counter.configuration.adaptive = off
    _ = try await counter.count(in: image)
    off.tilesPerSide = 9
    counter.configuration.adaptive = off
    await #expect(
      throws: CountingConfigurationError.outOfRange(
        field: "adaptive.tilesPerSide", value: 9, minimum: 1, maximum: 8)
    ) { _ = try await counter.count(in: image) }
  }
}

/// The steps a count reported, with the number of detections left.
private final class SurvivorLog: @unchecked Sendable {  // every access holds the lock
  private let lock = NSLock()
  private var entries: [(CountingStep, Int)] = []

  func append(_ step: CountingStep, _ count: Int) {
    lock.withLock { entries.append((step, count)) }
  }

  var all: [(CountingStep, Int)] { lock.withLock { entries } }
}
