import Counting
import Geometry
import TestSupport
import Testing
import VisionProtocols

@Suite("A count that a person guides")
struct GuidedCounterTests {
  private let counter = ObjectCounter(
    detector: FieldDetector(), embedder: FieldEmbedder(), calibration: .bundledModels)

  /// Kinds 0, 1, 2, 0, 1, 2, 0 by column: 0 is the largest.
  private func threeKinds() throws -> Field {
    try Field(width: 720, height: 720, side: 80, gap: 20, kinds: 3)
  }

  private func number(of kind: Int, in field: Field) -> Int {
    field.squares.count { $0.kind == kind }
  }

  @Test("an exemplar says which kind is counted, and is counted once")
  func exemplar() async throws {
    let image = try threeKinds()
    let second = try #require(image.squares.first { $0.kind == 1 })
    let found = try await counter.count(in: image, guide: CountingGuide(like: [second.box]))
    #expect(found.count == number(of: 1, in: image))
    #expect(found.detections.first?.isMain == true)
    #expect(found.detections.count == image.squares.count)
    let exemplar = try #require(found.findings?.exemplars.first)
    #expect(exemplar.basis == .detection && exemplar.taken == second.box && exemplar.isLike)
  }

  @Test(
    "a box drawn badly is moved to its object",
    arguments: [
      (0.4, 0.0), (0.4, 0.2), (0.55, 0.1), (0.6, 0.0), (0.75, 0.25), (1, 0.4), (1.3, 0.3),
      (1.6, 0.0), (2, 0.2), (2.5, 0.0),
    ])
  func drawnBadly(scale: Double, shift: Double) async throws {
    let image = try threeKinds()
    let box = try #require(image.squares.filter { $0.kind == 1 }.dropFirst(4).first).box
    let drawn = Box(
      centerX: Float(box.center.x + shift * 80), centerY: Float(box.center.y - shift * 40),
      width: Float(scale) * 80, height: Float(scale) * 80)
    let found = try await counter.count(in: image, guide: CountingGuide(like: [drawn]))
    #expect(found.count == number(of: 1, in: image))
    #expect(found.findings?.exemplars.first?.taken == box)
  }

  @Test("several exemplars count their kinds together")
  func several() async throws {
    let image = try threeKinds()
    let boxes = [1, 2].compactMap { kind in image.squares.first { $0.kind == kind }?.box }
    let found = try await counter.count(in: image, guide: CountingGuide(like: boxes))
    #expect(found.count == number(of: 1, in: image) + number(of: 2, in: image))
    #expect(Set(found.detections.filter(\.isMain).map(\.cluster)) == [found.mainCluster])
  }

  @Test("what is not to be counted is left out")
  func unlike() async throws {
    let image = try threeKinds()
    let (zero, one) = (
      try #require(image.squares.first { $0.kind == 0 }).box,
      try #require(image.squares.first { $0.kind == 1 }).box
    )
    // Without the largest kind, the next largest is counted.
    let next = try await counter.count(in: image, guide: CountingGuide(unlike: [zero]))
    #expect(next.count == max(number(of: 1, in: image), number(of: 2, in: image)))
    let both = try await counter.count(in: image, guide: CountingGuide(like: [one], unlike: [zero]))
    #expect(both.count == number(of: 1, in: image))
  }

  @Test("kinds may be a little nearer to each other if a box says what to count")
  func nearKinds() async throws {
    let image = try Field(width: 720, height: 720, side: 80, gap: 20, kinds: 2)
    let guide = CountingGuide(like: [try #require(image.squares.first).box])
    // The two kinds are 0.90 from each other.
    for (least, isSplit) in [(0.85, (true, true)), (0.93, (false, true)), (0.97, (false, false))] {
      var configuration = CountingConfiguration.adaptive
      configuration.adaptive?.leastKindDistance = least
      let counter = ObjectCounter(
        detector: FieldDetector(), embedder: FieldEmbedder(), configuration: configuration)
      let (free, guided) = (
        try await counter.count(in: image), try await counter.count(in: image, guide: guide)
      )
      let (first, all) = (number(of: 0, in: image), image.squares.count)
      #expect(free.count == (isSplit.0 ? first : all), "\(least)")
      #expect(guided.count == (isSplit.1 ? first : all), "\(least)")
    }
  }

  @Test("only what lies in the region is counted")
  func region() async throws {
    let image = try Field(width: 720, height: 720, side: 80, gap: 20)
    let left = try CountingRegion(of: Box(minX: 0, minY: 0, maxX: 200, maxY: 720))
    let found = try await counter.count(in: image, guide: CountingGuide(region: left))
    #expect(found.count == image.squares.count { $0.box.center.x < 200 })
    let corner = try CountingRegion(corners: [
      Point(x: 0, y: 0), Point(x: 720, y: 0), Point(x: 0, y: 720),
    ])
    let half = try await counter.count(in: image, guide: CountingGuide(region: corner))
    #expect(half.count == image.squares.count { corner.contains($0.box.center) })
    #expect(half.detections.allSatisfy { corner.contains($0.detection.box.center) })
  }

  @Test("a region without area is refused")
  func noRegion() {
    for corners in [
      [], [Point(x: 0, y: 0), Point(x: 1, y: 1)],
      [Point(x: 0, y: 0), Point(x: 5, y: 0), Point(x: 9, y: 0)],
      [Point(x: 0, y: 0), Point(x: .nan, y: 0), Point(x: 9, y: 9)],
      [Point(x: 0, y: 0), Point(x: .infinity, y: 0), Point(x: 9, y: 9)],
    ] {
      #expect(throws: CountingError.regionWithoutArea) { _ = try CountingRegion(corners: corners) }
    }
    for box in [
      Box(x: 5, y: 5, width: 0, height: 9), Box(x: 5, y: 5, width: -3, height: 9),
      Box(x: .nan, y: 5, width: 3, height: 9), Box(x: 5, y: 5, width: .infinity, height: 9),
    ] {
      #expect(throws: CountingError.regionWithoutArea) { _ = try CountingRegion(of: box) }
    }
  }

  @Test("an exemplar that is not of the usual size is looked for at its own")
  func rareSize() async throws {
    var image = try Field(width: 1600, height: 1600, side: 80, gap: 20)
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

  @Test("a box on nothing counts nothing, and says so")
  func onNothing() async throws {
    var image = try Field(width: 720, height: 720, side: 80, gap: 20)
    image.squares.removeAll { $0.box.minX < 300 }
    for empty in [
      Box(x: 20, y: 100, width: 90, height: 90), Box(x: 100, y: 500, width: 15, height: 15),
      Box(x: 10, y: 10, width: 240, height: 600),
    ] {
      let found = try await counter.count(in: image, guide: CountingGuide(like: [empty]))
      #expect(found.count == 0 && found.mainCluster == nil)
      #expect(found.findings?.exemplars.first?.basis == .drawing)
      #expect(found.hint == .nothingInExemplar || found.hint == .nothingLike)
    }
  }

  @Test("a box on ground counts nothing, though objects are rather like the ground")
  func ground() async throws {
    struct Pale: ImageEmbedder {
      let dimension = 4
      func embeddings(of images: [Field]) async throws -> EmbeddingMatrix {
        let rows = try await FieldEmbedder().embeddings(of: images)
        var values = rows.values
        for row in 0..<rows.count { values[4 * row + 2] += 1.5 }
        return try EmbeddingMatrix(values: values, dimension: 4)
      }
    }
    let pale = ObjectCounter(
      detector: FieldDetector(), embedder: Pale(), calibration: .bundledModels)
    let image = try Field(width: 720, height: 720, side: 80, gap: 160)
    let ground = Box(x: 20, y: 20, width: 60, height: 60)
    let found = try await pale.count(in: image, guide: CountingGuide(like: [ground]))
    #expect(found.count == 0 && found.hint == .nothingInExemplar)
    #expect(found.confidence?.least == 0)
    let square = CountingGuide(like: [image.squares[0].box])
    #expect(try await pale.count(in: image, guide: square).count == image.squares.count)
  }

  @Test("what the detector does not see is found by its looks")
  func unseen() async throws {
    struct Blind: ObjectDetector {
      func scale(imageWidth: Int, imageHeight: Int) -> Double { 1 }
      func detections(in image: Field, minimumConfidence: Float) async throws -> [Detection] { [] }
    }
    let blind = ObjectCounter(
      detector: Blind(), embedder: FieldEmbedder(), calibration: .bundledModels)
    var image = try Field(width: 720, height: 720, side: 60, gap: 90)
    image.squares.removeAll { $0.box.minX > 450 }
    let found = try await blind.count(
      in: image, guide: CountingGuide(like: [image.squares[0].box]))
    #expect(found.count == image.squares.count)
    #expect(found.findings?.exemplars.first?.basis == .drawing)
    // Nobody knows how right that is, and the interval says so.
    #expect(found.confidence?.least == 0)
  }

  @Test("an exemplar outside the image, or for the method of bands, is refused")
  func badExemplars() async throws {
    let image = try Field(width: 720, height: 720, side: 80, gap: 20)
    for box in [
      Box(x: 800, y: 0, width: 9, height: 9), Box(x: 5, y: 5, width: -4, height: 4),
      Box(x: .nan, y: 5, width: 4, height: 4), Box(x: 5, y: 5, width: .infinity, height: 4),
      Box(x: 5.2, y: 5.2, width: 0.1, height: 0.1),
    ] {
      await #expect(throws: CountingError.self, "\(box)") {
        _ = try await counter.count(in: image, guide: CountingGuide(like: [box]))
      }
      await #expect(throws: CountingError.self, "\(box)") {
        _ = try await counter.count(in: image, guide: CountingGuide(unlike: [box]))
      }
    }
    var bands = counter
    bands.configuration = .standard
    await #expect(throws: CountingError.exemplarNeedsAdaptive) {
      _ = try await bands.count(in: image, guide: CountingGuide(like: [image.squares[0].box]))
    }
  }

  // MARK: Templates

  private let models = CountTemplate.Models(detector: "d1", embedder: "e1")

  @Test("what one photo taught is counted in the next")
  func template() async throws {
    let taught = try threeKinds()
    let one = try #require(taught.squares.first { $0.kind == 1 }).box
    let template = try await counter.template(
      in: taught, guide: CountingGuide(like: [one]), models: models)
    #expect(template.like.count == number(of: 1, in: taught))
    #expect(abs(template.side - 80.0 / 720) < 1e-6 && abs(template.aspect - 1) < 1e-6)
    var other = try Field(width: 900, height: 700, side: 70, gap: 30, kinds: 3)
    let found = try await counter.count(in: other, guide: CountingGuide(template: template))
    #expect(found.count == number(of: 1, in: other))
    other.squares.removeAll { $0.kind == 1 }
    let none = try await counter.count(in: other, guide: CountingGuide(template: template))
    #expect(none.count == 0 && none.hint == .nothingLike)
  }

  @Test("a template of other models, or of an empty photo, is refused")
  func badTemplates() async throws {
    #expect(throws: CountingError.templateOfOtherModels("embedder")) {
      try models.requireSame(as: CountTemplate.Models(detector: "d1", embedder: "e2"))
    }
    #expect(throws: CountingError.templateOfOtherModels("detector")) {
      try models.requireSame(as: CountTemplate.Models(detector: "d2", embedder: "e1"))
    }
    let image = try threeKinds()
    let short = CountTemplate(models: models, like: [[1, 0]], side: 0.1, aspect: 1)
    await #expect(throws: CountingError.templateDimension(expected: 4, got: 2)) {
      _ = try await counter.count(in: image, guide: CountingGuide(template: short))
    }
    let empty = try Field(width: 300, height: 300, squares: [])
    await #expect(throws: CountingError.nothingToLearn) {
      _ = try await counter.template(in: empty, guide: CountingGuide(), models: models)
    }
  }
}
