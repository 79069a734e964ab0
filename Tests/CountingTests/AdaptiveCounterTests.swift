import Counting
import Foundation
import Geometry
import Perception
import TestSupport
import Testing

/// A plane with squares on it, seen through a network of a given input: only what is large enough there
/// is found, the surer the nearer it is to 80 pixels.
private struct Field: CroppableImage {
  var frame: PixelRect
  var squares: [(box: Box, kind: Int)]

  var width: Int { frame.width }
  var height: Int { frame.height }

  init(width: Int, height: Int, squares: [(box: Box, kind: Int)]) throws {
    frame = try #require(PixelRect(x: 0, y: 0, width: width, height: height))
    self.squares = squares
  }

  func cropped(to rect: PixelRect) -> Field? {
    guard rect.maxX <= width, rect.maxY <= height,
      let part = PixelRect(
        x: frame.x + rect.x, y: frame.y + rect.y, width: rect.width, height: rect.height)
    else { return nil }
    var copy = self
    copy.frame = part
    return copy
  }

  /// The part of a box inside the frame, in the frame's pixels.
  func visible(_ box: Box) -> Box? {
    let (left, top) = (Float(frame.x), Float(frame.y))
    let part = Box(
      minX: max(box.minX - left, 0), minY: max(box.minY - top, 0),
      maxX: min(box.maxX - left, Float(width)), maxY: min(box.maxY - top, Float(height)))
    return part.width > 0 && part.height > 0 ? part : nil
  }
}

private struct FieldDetector: ObjectDetector {
  var side = 640.0

  func scale(imageWidth: Int, imageHeight: Int) -> Double {
    min(side / Double(imageWidth), side / Double(imageHeight))
  }

  func detections(in image: Field, minimumConfidence: Float) async throws -> [Detection] {
    let scale = scale(imageWidth: image.width, imageHeight: image.height)
    return image.squares.compactMap { square -> Detection? in
      guard let box = image.visible(square.box) else { return nil }
      let seen = Double(box.width) * scale
      guard seen >= 12 else { return nil }
      let score = Float(0.9 * exp(-abs(log(seen / 80))))
      return detection(box, score: score)
    }
  }
}

private struct FieldEmbedder: ImageEmbedder {
  let dimension = 3

  func embeddings(of images: [Field]) async throws -> EmbeddingMatrix {
    let rows = images.map { image -> [Float] in
      let center = Point(
        x: Double(image.frame.x) + Double(image.width) / 2,
        y: Double(image.frame.y) + Double(image.height) / 2)
      let nearest = image.squares.min {
        distance($0.box.center, center) < distance($1.box.center, center)
      }
      var row: [Float] = [0.05, 0.05, 0.05]
      row[nearest?.kind ?? 0] = 1
      return row
    }
    return try EmbeddingMatrix(values: rows.flatMap(\.self), dimension: dimension)
  }

  private func distance(_ a: Point, _ b: Point) -> Double {
    (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)
  }
}

@Suite("The adaptive count")
struct AdaptiveCounterTests {
  private let counter = ObjectCounter(detector: FieldDetector(), embedder: FieldEmbedder())

  /// `columns` x `rows` squares of `side` pixels, `gap` apart; kinds by column.
  private func field(
    width: Int, height: Int, side: Float, gap: Float, kinds: Int = 1
  ) throws -> Field {
    var squares: [(box: Box, kind: Int)] = []
    var y = gap
    while y + side <= Float(height) {
      var (x, column) = (gap, 0)
      while x + side <= Float(width) {
        squares.append((Box(x: x, y: y, width: side, height: side), column % kinds))
        x += side + gap
        column += 1
      }
      y += side + gap
    }
    return try Field(width: width, height: height, squares: squares)
  }

  @Test("it is what a counter does when nothing else is said")
  func isTheDefault() {
    #expect(counter.configuration == .adaptive && counter.configuration.adaptive != nil)
    #expect(CountingConfiguration.standard.adaptive == nil)
    #expect(CountingConfiguration() == .standard)
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
    #expect(fractions == fractions.sorted() && fractions.first == 0 && fractions.last == 1)
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

  @Test("an exemplar says which kind is counted, and is counted once")
  func exemplar() async throws {
    // Kinds 0, 1, 2, 0, 1, 2, 0 by column: 0 is the largest.
    let image = try field(width: 720, height: 720, side: 80, gap: 20, kinds: 3)
    let second = try #require(image.squares.first { $0.kind == 1 })
    let expected = image.squares.filter { $0.kind == 1 }.count
    let found = try await counter.count(in: image, guide: CountingGuide(like: [second.box]))
    #expect(found.count == expected)
    #expect(found.detections.first?.isMain == true)
    #expect(found.detections.count == image.squares.count)
    // A box drawn by hand is a little off.
    let drawn = Box(
      minX: second.box.minX - 6, minY: second.box.minY + 5, maxX: second.box.maxX + 4,
      maxY: second.box.maxY + 7)
    #expect(try await counter.count(in: image, guide: CountingGuide(like: [drawn])).count == expected)
  }

  @Test("an exemplar that is not of the usual size is looked for at its own")
  func rareSize() async throws {
    var image = try field(width: 1600, height: 1600, side: 80, gap: 20)
    image.squares = image.squares.filter { $0.box.minY < 1200 }
    let small = (0..<12).map {
      (box: Box(x: Float($0) * 100, y: 1400, width: 26, height: 26), kind: 1)
    }
    image.squares += small
    let found = try await counter.count(in: image, guide: CountingGuide(like: [small[3].box]))
    #expect(found.count == 12)
    #expect(found.findings?.tilesPerSide == 4)
    #expect(try await counter.count(in: image).count == image.squares.count - 12)
  }

  @Test("an exemplar that the detector does not see counts itself")
  func unseenExemplar() async throws {
    let image = try field(width: 720, height: 720, side: 80, gap: 20)
    let empty = Box(x: 300, y: 700, width: 15, height: 15)
    let found = try await counter.count(in: image, guide: CountingGuide(like: [empty]))
    #expect(found.count == 1 && found.detections[0].detection.box == empty)
  }

  @Test("an exemplar outside the image, or for the method of bands, is refused")
  func badExemplars() async throws {
    let image = try field(width: 720, height: 720, side: 80, gap: 20)
    for box in [
      Box(x: 800, y: 0, width: 9, height: 9), Box(x: 5, y: 5, width: -4, height: 4),
      Box(x: .nan, y: 5, width: 4, height: 4), Box(x: 5, y: 5, width: .infinity, height: 4),
      Box(x: 5.2, y: 5.2, width: 0.1, height: 0.1),
    ] {
      await #expect(throws: CountingError.self, "\(box)") {
        _ = try await counter.count(in: image, guide: CountingGuide(like: [box]))
      }
    }
    var bands = counter
    bands.configuration = .standard
    await #expect(throws: CountingError.exemplarNeedsAdaptive) {
      _ = try await bands.count(in: image, guide: CountingGuide(like: [image.squares[0].box]))
    }
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
