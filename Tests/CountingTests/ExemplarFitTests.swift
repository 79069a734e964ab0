import Geometry
import TestSupport
import Testing
import VisionProtocols

@testable import Counting

@Suite("What a drawn box is taken for")
struct ExemplarFitTests {
  private let fit = ExemplarFit(leastSure: 0.3)
  private let object = Box(x: 100, y: 100, width: 80, height: 80)

  private func drawn(_ scale: Float, dx: Float = 0, dy: Float = 0) -> Box {
    Box(centerX: 140 + dx * 80, centerY: 140 + dy * 80, width: scale * 80, height: scale * 80)
  }

  private func taken(_ box: Box, _ detections: [Detection]) throws -> ExemplarFinding {
    let exemplars = try Exemplars(
      CountingGuide(like: [box]), width: 400, height: 400, leastSure: 0.3)
    return try #require(exemplars.findings(among: detections).first)
  }

  @Test("a box far inside an object, or far around it, is taken for it if the detector is sure")
  func loose() throws {
    for (scale, dx) in [(0.4, 0.0), (0.4, 0.25), (0.35, 0.1), (2.5, 0.0), (2.5, 0.3), (2.9, 0.0)] {
      let box = drawn(Float(scale), dx: Float(dx))
      let sure = try taken(box, [detection(object, score: 0.3)])
      #expect(sure.basis == .detection && sure.taken == object, "\(scale)")
      let unsure = try taken(box, [detection(object, score: 0.29)])
      #expect(unsure.basis == .drawing && unsure.taken == box, "\(scale)")
    }
    // Too small, too large, or in a corner.
    for box in [drawn(0.3), drawn(3.1), drawn(0.4, dx: 0.3, dy: 0.3)] {
      #expect(try taken(box, [detection(object, score: 0.9)]).basis == .drawing, "\(box)")
    }
  }

  @Test(
    "of the objects around a box the smallest is taken, of those in it the largest in the middle")
  func nested() throws {
    let whole = Box(x: 60, y: 60, width: 160, height: 160)
    let inner = detection(object, score: 0.6)
    let small = Box(x: 126, y: 126, width: 28, height: 28)
    #expect(try taken(small, [detection(whole, score: 0.6), inner]).taken == object)
    let part = detection(Box(x: 120, y: 120, width: 60, height: 60), score: 0.6)
    #expect(try taken(drawn(2.2), [part, inner]).taken == object)
    let beside = detection(Box(x: 150, y: 100, width: 80, height: 80), score: 0.9)
    #expect(try taken(drawn(2.5), [beside, inner]).taken == object)
  }

  @Test("what overlaps the box well goes before what contains it")
  func overlapFirst() throws {
    let whole = detection(Box(x: 60, y: 60, width: 160, height: 160), score: 0.95)
    #expect(try taken(drawn(0.9), [whole, detection(object, score: 0.2)]).taken == object)
    #expect(fit.worth(of: whole, near: drawn(0.5)) == nil)
    #expect(fit.looseWorth(of: whole, near: drawn(0.7)) != nil)
  }

  @Test("only an overlap of 0.4 with a sure detection is drawn well")
  func wellDrawn() {
    #expect(fit.isWellDrawn(drawn(0.64), around: detection(object, score: 0.3)))
    #expect(!fit.isWellDrawn(drawn(0.63), around: detection(object, score: 0.9)))
    #expect(!fit.isWellDrawn(drawn(1), around: detection(object, score: 0.29)))
  }

  @Test("tilings for sides around one are all those between the ends")
  func tilings() {
    let search = ViewSearch(scales: [0.5, 1, 1.5, 2], targetSide: 80)
    #expect(search.suited(toAnyOf: 80, within: 1) == 2...2)
    #expect(search.suited(toAnyOf: 80, within: 3) == 1...4)
    #expect(search.suited(toAnyOf: 400, within: 2) == 1...1)
  }

  @Test("a box at the corner of an object is not counted as one more")
  func cornerOfAnObject() async throws {
    /// All of a square looks the same, however little of it a crop shows.
    struct Even: ImageEmbedder {
      let dimension = 2
      func embeddings(of images: [Field]) async throws -> EmbeddingMatrix {
        try EmbeddingMatrix(
          values: images.flatMap { image -> [Float] in
            let middle = Point(
              x: Double(image.frame.x) + Double(image.width) / 2,
              y: Double(image.frame.y) + Double(image.height) / 2)
            let isSquare = image.squares.contains {
              abs($0.box.center.x - middle.x) < 40 && abs($0.box.center.y - middle.y) < 40
            }
            return isSquare ? [1, 0] : [0, 1]
          }, dimension: dimension)
      }
    }
    var configuration = CountingConfiguration.adaptive
    configuration.adaptive?.tilesPerSide = 1
    let counter = ObjectCounter(
      detector: FieldDetector(), embedder: Even(), configuration: configuration,
      calibration: .bundledModels)
    let image = try Field(width: 720, height: 720, side: 80, gap: 20)
    let corner = Box(x: 116, y: 116, width: 43, height: 43)
    let found = try await counter.count(in: image, guide: CountingGuide(like: [corner]))
    #expect(found.findings?.exemplars.first?.basis == .drawing)
    #expect(found.count == image.squares.count)
    #expect(found.detections.allSatisfy { $0.detection.box != corner })
  }

  @Test("the interval of a guided count ends at what the detector gave, or at twice the count")
  func cap() async throws {
    let wild = CountCalibration.Fit(base: 9, weights: [], reach: 1, offset: 0, slope: 1)
    let counter = ObjectCounter(
      detector: FieldDetector(), embedder: FieldEmbedder(),
      calibration: CountCalibration(free: wild, guided: wild))
    let image = try Field(width: 720, height: 720, side: 80, gap: 20, kinds: 3)
    let box = try #require(image.squares.first { $0.kind == 1 }).box
    let guided = try await counter.count(in: image, guide: CountingGuide(like: [box]))
    #expect(guided.count == 14 && guided.detections.count == 49)
    #expect(guided.confidence?.least == 0 && guided.confidence?.greatest == 49)
    let both = CountingGuide(like: image.squares.prefix(3).map(\.box))
    #expect(try await counter.count(in: image, guide: both).confidence?.greatest == 98)
    // Without exemplars nothing is cut.
    #expect(try await counter.count(in: image).confidence?.greatest ?? 0 > 10_000)
  }
}
