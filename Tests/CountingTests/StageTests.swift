import Counting
import Geometry
import TallyTestSupport
import TestSupport
import Testing
import VisionProtocols

@Suite("Detection stage")
struct DetectionStageTests {
  @Test("of two that overlap the better stays, whatever their classes")
  func suppression() throws {
    let better = Detection(
      box: Box(x: 1, y: 0, width: 10, height: 10), score: 0.9, objectness: 0.9, classScore: 1,
      classID: 3)
    let worse = detection(Box(x: 0, y: 0, width: 10, height: 10), score: 0.2)
    let apart = detection(Box(x: 50, y: 0, width: 10, height: 10), score: 0.1)
    let output = try DetectionStage().suppressed([apart, worse, better])
    #expect(output.items == [better, apart])
    #expect(output.itemsIn == 3 && output.itemsOut == 2)
  }

  @Test("of rotated boxes it is their own overlap that counts")
  func rotated() throws {
    // Two long things side by side along a diagonal: the boxes around them overlap by two thirds.
    func ship(_ x: Double, _ score: Float) -> Detection {
      let quad = RotatedBox(
        center: Point(x: x, y: 50), width: 60, height: 6, angle: .pi / 4
      ).quadrilateral
      return Detection(
        box: quad.boundingBox, score: score, objectness: score, classScore: 1, classID: 0,
        outline: .rotatedBox(quad))
    }
    let ships = [ship(50, 0.9), ship(60, 0.8), ship(50.5, 0.7)]
    #expect(ships[0].box.iou(ships[1].box) > 0.4)
    let stage = DetectionStage(maximumIoU: 0.4)
    #expect(try stage.suppressed(ships).items == [ships[0], ships[1]])
    var plain = ships
    plain[2].outline = nil
    #expect(try stage.suppressed(plain).itemsOut == 1)
    #expect(throws: (any Error).self) { try DetectionStage(maximumIoU: .nan).suppressed(ships) }
  }

  @Test("an overlap of exactly the limit is no duplicate")
  func exactLimit() throws {
    // 10 x 10 against its own upper half: the intersection over union is exactly one half.
    let whole = detection(Box(x: 0, y: 0, width: 10, height: 10), score: 0.9)
    let half = detection(Box(x: 0, y: 0, width: 10, height: 5), score: 0.8)
    #expect(try DetectionStage(maximumIoU: 0.5).suppressed([whole, half]).itemsOut == 2)
    #expect(try DetectionStage(maximumIoU: 0.499).suppressed([whole, half]).itemsOut == 1)
  }

  @Test("a score of exactly the confidence stays, one below goes")
  func confidence() throws {
    let found = [0.25, 0.2499].enumerated().map { index, score in
      detection(Box(x: Float(index) * 50, y: 0, width: 9, height: 9), score: Float(score))
    }
    #expect(try DetectionStage(minimumConfidence: 0.25).suppressed(found).items == [found[0]])
  }

  @Test("boxes and scores that are not finite are dropped")
  func notFinite() throws {
    let good = detection(Box(x: 0, y: 0, width: 9, height: 9))
    let bad = [
      detection(Box(minX: .nan, minY: 0, maxX: 9, maxY: 9)),
      detection(Box(minX: 0, minY: 0, maxX: .infinity, maxY: 9)),
      detection(Box(x: 30, y: 0, width: 9, height: 9), score: .nan),
      detection(Box(x: 60, y: 0, width: 9, height: 9), score: .infinity),
    ]
    let output = try DetectionStage().suppressed(bad + [good])
    #expect(output.items == [good])
    #expect(output.itemsIn == 5)
  }
}

@Suite("Embedding stage")
struct EmbeddingStageTests {
  let scene = Scene.row(Array(repeating: 1, count: 7))

  var crops: [Crop] {
    CropStage(areaSigma: nil)
      .crops(of: scene.things.map { detection($0.box) }, width: scene.width, height: scene.height)
      .items
  }

  @Test("crops go to the embedder in batches, in order", arguments: [1, 2, 3, 7, 100])
  func batches(size: Int) async throws {
    let log = BatchLog()
    let done = BatchLog()
    let output = try await EmbeddingStage(batchSize: size).embeddings(
      of: crops, in: scene, with: SceneEmbedder(log: log)
    ) { _ = done.append($0) }
    #expect(output.items.count == 7 && output.itemsIn == 7 && output.itemsOut == 7)
    #expect(output.items.values == scene.things.flatMap(\.embedding))
    #expect(log.sizes.reduce(0, +) == 7 && log.sizes.allSatisfy { $0 <= size })
    #expect(log.sizes.count == (7 + size - 1) / size)
    #expect(done.sizes.last == 7)
  }

  @Test("no crop: no call, no row")
  func none() async throws {
    let log = BatchLog()
    let output = try await EmbeddingStage().embeddings(
      of: [], in: scene, with: SceneEmbedder(log: log))
    #expect(output.items.count == 0 && log.sizes.isEmpty)
  }

  @Test("an embedder that breaks its contract is named as such")
  func brokenContract() async {
    let stage = EmbeddingStage(batchSize: 4)
    await #expect(throws: CountingError.embeddingCount(expected: 4, got: 2)) {
      _ = try await stage.embeddings(
        of: crops, in: scene, with: FixedEmbedder(values: [1, 2, 3, 4], dimension: 2))
    }
    await #expect(throws: CountingError.embeddingCount(expected: 4, got: 0)) {
      _ = try await stage.embeddings(
        of: crops, in: scene, with: FixedEmbedder(values: [], dimension: 2))
    }
    await #expect(throws: CountingError.zeroEmbedding(crop: 2)) {
      _ = try await stage.embeddings(
        of: crops, in: scene, with: FixedEmbedder(values: [1, 2, 3, 4, 0, 0, 1, 1], dimension: 2))
    }
    await #expect(throws: CountingError.nonFiniteEmbedding(crop: 1)) {
      _ = try await stage.embeddings(
        of: crops, in: scene,
        with: FixedEmbedder(values: [1, 2, .nan, 0, 0, 0, 1, 1], dimension: 2))
    }
    await #expect(throws: CountingError.nonFiniteEmbedding(crop: 3)) {
      _ = try await stage.embeddings(
        of: crops, in: scene,
        with: FixedEmbedder(values: [1, 2, 1, 0, 1, 0, 1, .infinity], dimension: 2))
    }
  }

  @Test("the crop's number counts over all batches")
  func numberAcrossBatches() async {
    var scene = scene
    scene.things[5].embedding = [0, 0, 0, 0]
    await #expect(throws: CountingError.zeroEmbedding(crop: 5)) {
      _ = try await EmbeddingStage(batchSize: 2)
        .embeddings(of: crops, in: scene, with: SceneEmbedder())
    }
  }

  @Test("rows must be of one length in all batches")
  func unequalRows() async {
    struct Growing: ImageEmbedder {
      let log = BatchLog()
      let dimension = 1
      func embeddings(of images: [Scene]) async throws -> EmbeddingMatrix {
        let dimension = log.append(images.count)
        return try EmbeddingMatrix(
          values: Array(repeating: 1, count: dimension * images.count), dimension: dimension)
      }
    }
    await #expect(throws: CountingError.embeddingDimension(expected: 1, got: 2)) {
      _ = try await EmbeddingStage(batchSize: 4).embeddings(of: crops, in: scene, with: Growing())
    }
  }

  @Test("a crop the image refuses is an error")
  func refused() async throws {
    let rect = try #require(PixelRect(x: 9000, y: 0, width: 5, height: 5))
    let crop = Crop(detection: detection(Box(x: 0, y: 0, width: 1, height: 1)), rect: rect)
    await #expect(
      throws: CountingError.cropRefused(rect, width: scene.width, height: scene.height)
    ) {
      _ = try await EmbeddingStage().embeddings(of: [crop], in: scene, with: SceneEmbedder())
    }
  }

  @Test("a batch size below 1 counts as 1")
  func batchSizeOfZero() async throws {
    var stage = EmbeddingStage(batchSize: -3)
    stage.batchSize = 0
    let output = try await stage.embeddings(of: crops, in: scene, with: SceneEmbedder())
    #expect(output.itemsOut == 7)
  }
}

@Suite("Clustering and merging stages")
struct ClusteringAndMergingTests {
  @Test("no embedding makes no cluster, and one makes one")
  func few() async throws {
    let refusing = FakeClusterer([7, 7, 7])
    let none = try EmbeddingMatrix(values: [], dimension: 3)
    #expect(try await ClusteringStage().labels(of: none, with: refusing).items == [])
    let one = try EmbeddingMatrix(values: [1, 2, 3], dimension: 3)
    let output = try await ClusteringStage().labels(of: one, with: refusing)
    #expect(output.items == [0] && output.itemsIn == 1 && output.itemsOut == 1)
  }

  @Test("a clusterer that breaks its contract is named as such")
  func brokenContract() async throws {
    let rows = try EmbeddingMatrix(values: [1, 0, 0, 1], dimension: 2)
    await #expect(throws: CountingError.labelCount(expected: 2, got: 3)) {
      _ = try await ClusteringStage().labels(of: rows, with: FakeClusterer([0, 0, 0]))
    }
    await #expect(throws: CountingError.negativeLabel(-1, crop: 1)) {
      _ = try await ClusteringStage().labels(of: rows, with: FakeClusterer([0, -1]))
    }
  }

  @Test("average linkage groups by mean cosine")
  func averageLinkage() async throws {
    let rows = try EmbeddingMatrix(values: [1, 0, 0.9, 0.1, 0, 1, 0.1, 0.9], dimension: 2)
    let labels = try await AverageLinkageClusterer().labels(of: rows, similarity: 0.8)
    #expect(labels[0] == labels[1] && labels[2] == labels[3] && labels[0] != labels[2])
    let joined = try await AverageLinkageClusterer().labels(of: rows, similarity: -1)
    #expect(Set(joined) == [0])
  }

  @Test(
    "the largest cluster is the main one, the lowest label of those that tie",
    arguments: [
      ([], nil), ([4], 4), ([0, 1, 1], 1), ([2, 1, 1, 2], 1), ([3, 3, 0, 0, 1], 0),
      ([Int.max, Int.max, 0], Int.max),
    ] as [([Int], Int?)])
  func mainCluster(labels: [Int], main: Int?) {
    let sizes = ClusterSizes(labels: labels)
    #expect(sizes.main == main)
    #expect(sizes.count == labels.filter { $0 == main }.count)
    #expect(sizes.sizes.values.reduce(0, +) == labels.count)
  }

  @Test("by score the better box stays; main cluster first its box stays")
  func priority() throws {
    let other = ClusteredDetection(
      detection: detection(Box(x: 0, y: 0, width: 10, height: 10), score: 0.9), cluster: 1)
    let main = ClusteredDetection(
      detection: detection(Box(x: 1, y: 0, width: 10, height: 10), score: 0.3), cluster: 0)
    let apart = ClusteredDetection(
      detection: detection(Box(x: 90, y: 0, width: 10, height: 10), score: 0.5), cluster: 0)
    let all = [other, main, apart]
    #expect(try MergeStage(priority: .score).merged(all, main: 0).items == [other, apart])
    let output = try MergeStage(priority: .main).merged(all, main: 0)
    #expect(output.items == [main, apart])
    #expect(output.itemsIn == 3 && output.itemsOut == 2)
  }

  @Test("main cluster first keeps the others in their order, not by score")
  func stableOthers() throws {
    let first = ClusteredDetection(
      detection: detection(Box(x: 0, y: 0, width: 10, height: 10), score: 0.1), cluster: 2)
    let second = ClusteredDetection(
      detection: detection(Box(x: 0, y: 1, width: 10, height: 10), score: 0.8), cluster: 1)
    #expect(try MergeStage(priority: .main).merged([first, second], main: 0).items == [first])
    #expect(try MergeStage(priority: .score).merged([first, second], main: 0).items == [second])
  }

  @Test("merging agrees with its definition on random boxes", arguments: 0..<30)
  func bruteForce(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let all = (0..<Int.random(in: 0...50, using: &random)).map { _ in
      ClusteredDetection(
        detection: detection(
          Box(
            x: .random(in: 0...40, using: &random), y: .random(in: 0...40, using: &random),
            width: .random(in: 5...25, using: &random), height: .random(in: 5...25, using: &random)),
          score: Float(Int.random(in: 1...9, using: &random)) / 10),
        cluster: .random(in: 0...2, using: &random))
    }
    let limit = Double.random(in: 0...1, using: &random)
    for priority in MergePriority.allCases {
      let merged = try MergeStage(maximumIoU: limit, priority: priority).merged(all, main: 1).items
      let order: [ClusteredDetection] =
        switch priority {
        case .score:
          (1...9).reversed().flatMap { tenths in
            all.filter { $0.detection.score == Float(tenths) / 10 }
          }
        case .main: all.filter { $0.cluster == 1 } + all.filter { $0.cluster != 1 }
        }
      var expected: [ClusteredDetection] = []
      for item in order where !expected.contains(where: { Double(overlap($0, item)) > limit }) {
        expected.append(item)
      }
      #expect(merged == expected)
    }
  }

  private func overlap(_ a: ClusteredDetection, _ b: ClusteredDetection) -> Float {
    let (a, b) = (a.detection.box, b.detection.box)
    let width = max(0, min(a.maxX, b.maxX) - max(a.minX, b.minX))
    let height = max(0, min(a.maxY, b.maxY) - max(a.minY, b.minY))
    return width * height / (a.area + b.area - width * height)
  }
}
