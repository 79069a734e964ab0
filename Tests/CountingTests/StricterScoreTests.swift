import Counting
import Geometry
import TestSupport
import Testing
import VisionProtocols

@Suite("A count with stricter scores than the calibration's")
struct StricterScoreTests {
  /// Sure of some squares, less sure of others.
  struct GradedDetector: ObjectDetector {
    let isFaint: @Sendable (Box) -> Bool
    func scale(imageWidth: Int, imageHeight: Int) -> Double { 1 }
    func detections(in image: Field, minimumConfidence: Float) async throws -> [Detection] {
      image.squares.map { detection($0.box, score: isFaint($0.box) ? 0.5 : 0.9) }
        .filter { $0.score >= minimumConfidence }
    }
  }

  private let fit = CountCalibration.Fit(base: 0.05, weights: [], reach: 1, offset: -1, slope: 1)
  private let isLow: @Sendable (Box) -> Bool = { $0.minY > 400 }

  private func configuration(_ confidence: Double) -> CountingConfiguration {
    var configuration = CountingConfiguration.adaptive
    configuration.confidence = confidence
    configuration.adaptive?.tilesPerSide = 1
    return configuration
  }

  private func counter(
    _ confidence: Double, isKnown: Bool = true, isFaint: @escaping @Sendable (Box) -> Bool
  ) -> ObjectCounter<GradedDetector, FieldEmbedder> {
    ObjectCounter(
      detector: GradedDetector(isFaint: isFaint), embedder: FieldEmbedder(),
      configuration: configuration(confidence),
      calibration: CountCalibration(
        free: fit, guided: fit, configuration: isKnown ? configuration(0.3) : nil))
  }

  @Test("the interval holds what was cut, and the chance is half")
  func cut() async throws {
    let image = try Field(width: 720, height: 720, side: 80, gap: 20)
    let low = image.squares.count { isLow($0.box) }
    #expect(image.squares.count == 49 && low == 21)
    let strict = try await counter(0.6, isFaint: isLow).count(in: image)
    let unknown = try await counter(0.6, isKnown: false, isFaint: isLow).count(in: image)
    let all = try await counter(0.3, isFaint: isLow).count(in: image)
    #expect(strict.count == 28 && unknown.count == 28 && all.count == 49)
    #expect(strict.steps == unknown.steps && strict.detections == unknown.detections)
    let (own, before, fitted) = (
      try #require(strict.confidence), try #require(unknown.confidence),
      try #require(all.confidence)
    )
    #expect(before.greatest < 49)
    #expect(own.greatest == fitted.greatest && own.least == before.least)
    #expect(abs(own.value - before.value / 2) < 1e-12)
  }

  @Test("nothing changes with the calibration's scores or lower ones")
  func asFitted() async throws {
    let image = try Field(width: 720, height: 720, side: 80, gap: 20)
    for confidence in [0.3, 0.1] {
      let known = try await counter(confidence, isFaint: isLow).count(in: image)
      let unknown = try await counter(confidence, isKnown: false, isFaint: isLow).count(in: image)
      #expect(known.confidence == unknown.confidence && known.count == unknown.count)
      #expect(known.findings == unknown.findings && known.steps == unknown.steps)
    }
  }

  @Test("what is of another size or look was not cut by its score alone")
  func others() async throws {
    var image = try Field(width: 720, height: 720, side: 80, gap: 20)
    for place in image.squares.indices where isLow(image.squares[place].box) {
      image.squares[place].kind = 1
    }
    let unknown = try await counter(0.6, isKnown: false, isFaint: isLow).count(in: image)
    #expect(
      try await counter(0.6, isFaint: isLow).count(in: image).confidence == unknown.confidence)

    var sizes = try Field(width: 720, height: 720, side: 80, gap: 20)
    for place in sizes.squares.indices where isLow(sizes.squares[place].box) {
      let box = sizes.squares[place].box
      sizes.squares[place].box = Box(x: box.minX, y: box.minY, width: 30, height: 30)
    }
    let larger = try await counter(0.6, isKnown: false, isFaint: isLow).count(in: sizes)
    #expect(try await counter(0.6, isFaint: isLow).count(in: sizes).confidence == larger.confidence)
  }

  @Test("a higher share of the score counts as stricter too")
  func share() async throws {
    let image = try Field(width: 720, height: 720, side: 80, gap: 20)
    var strict = counter(0.3, isFaint: isLow)
    strict.configuration.adaptive?.scoreShare = 0.9
    strict.configuration.adaptive?.otherSizes = nil
    let found = try await strict.count(in: image)
    #expect(found.count == 28 && found.confidence?.greatest ?? 0 >= 49)
  }

  @Test("an exemplar's count does the same")
  func guided() async throws {
    let image = try Field(width: 720, height: 720, side: 80, gap: 20)
    let guide = CountingGuide(like: [image.squares[3].box])
    // Detections down to half the least score are used if a box shows what to look for.
    let found = try await counter(0.89, isFaint: { isLow($0) }).count(in: image, guide: guide)
    #expect(found.count >= 28 && found.confidence?.greatest ?? 0 >= 49)
    // The box lies on an object that is surer than the calibration asks for.
    #expect(found.confidence?.least ?? 0 > 20)
    let strictest = try await counter(0.9, isFaint: { _ in true }).count(in: image, guide: guide)
    #expect(strictest.count == 49 && strictest.confidence?.least ?? 0 > 40)
  }

  @Test("a recount with a higher score is the new count, and one of few kept scores still counts")
  func recount() async throws {
    let image = try Field(width: 720, height: 720, side: 80, gap: 20)
    let usual = counter(0.3, isFaint: isLow)
    let traced = try await usual.tracedCount(in: image)
    let again = try await usual.recount(traced, configuration: configuration(0.6))
    let fresh = try await counter(0.6, isFaint: isLow).tracedCount(in: image)
    #expect(again.result.count == 28 && again.result.confidence == fresh.result.confidence)
    let few = try await counter(0.6, isKnown: false, isFaint: isLow).tracedCount(in: image)
    let unknown = try await usual.recount(few, configuration: configuration(0.7))
    #expect(unknown.result.count == 28 && unknown.result.confidence == few.result.confidence)
  }
}
