import Counting
import Foundation
import Geometry
import Recognition
import TallyTestSupport
import Testing
import Tracking
import VisionProtocols

/// The doubles that apps test with (P18).
@Suite("Doubles for tests")
struct DoubleTests {
  struct Broken: Error, Equatable {}

  private let photo = TestImage("tray", width: 400, height: 300)

  private func squares(_ count: Int) -> [Detection] {
    (0..<count).map {
      Detection(
        box: Box(x: Float($0 % 6) * 60 + 5, y: Float($0 / 6) * 60 + 5, width: 40, height: 40),
        score: 0.9 - Float($0) / 100, objectness: 0.9, classScore: 1, classID: 0)
    }
  }

  private func counter(
    _ count: Int
  ) -> ObjectCounter<FakeDetector<TestImage>, FakeEmbedder<TestImage>> {
    ObjectCounter(
      detector: FakeDetector(squares(count)),
      // Columns are of two kinds in turn.
      embedder: FakeEmbedder(dimension: 2) { $0.rect.x / 60 % 3 == 0 ? [1, 0] : [0, 1] })
  }

  @Test("a counter counts with them, and its calls are known")
  func counts() async throws {
    let (photo, counter) = (try #require(photo), counter(12))
    let result = try await counter.count(in: photo)
    #expect(result.count == 8 && result.clusterSizes.count == 2)
    #expect(counter.detector.calls.inputs == [photo])
    #expect(counter.embedder.calls.inputs.flatMap(\.self).count == 12)
    #expect(counter.embedder.calls.inputs.flatMap(\.self).allSatisfy { $0.name == "tray" })
    #expect(counter.embedder.calls.count == 3, "by batches of 4")
    let some = try await counter.detector.detections(in: photo, minimumConfidence: 0.855)
    #expect(some.count == 5)
  }

  @Test("they fail as often as they are told to")
  func failures() async throws {
    let (photo, counter) = (try #require(photo), counter(12))
    counter.detector.calls.fail(with: Broken(), calls: 2)
    for _ in 0..<2 {
      await #expect(throws: Broken.self) { try await counter.count(in: photo) }
    }
    #expect(try await counter.count(in: photo).count == 8)
    counter.embedder.calls.fail(with: Broken())
    await #expect(throws: Broken.self) { try await counter.count(in: photo) }
    await #expect(throws: Broken.self) { try await counter.count(in: photo) }
    counter.embedder.calls.succeed()
    #expect(try await counter.count(in: photo).count == 8)
    #expect(counter.detector.calls.count == 6)
  }

  @Test("they wait until they are released, or their task is cancelled")
  func waiting() async throws {
    let (photo, counter) = (try #require(photo), counter(12))
    counter.detector.calls.hold()
    let first = Task { try await counter.count(in: photo).count }
    let second = Task { try await counter.count(in: photo).count }
    try await counter.detector.calls.wait(for: 2)
    #expect(counter.embedder.calls.count == 0)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    counter.detector.calls.release()
    #expect(try await second.value == 8)
    let third = Task {
      while !Task.isCancelled { await Task.yield() }
      try await counter.detector.calls.wait(for: 99)
    }
    third.cancel()
    await #expect(throws: CancellationError.self) { try await third.value }
  }

  @Test("there is one for each seam")
  func seams() async throws {
    let photo = try #require(photo)
    let quad = Quadrilateral(squares(1)[0].box)
    let text = RecognizedText(outline: quad, text: "MOBY DICK", confidence: 0.9)
    let texts: any TextRecognizer<TestImage> = FakeTextRecognizer<TestImage>([text])
    #expect(try await texts.texts(in: photo) == [text])
    #expect(try await texts.texts(in: photo, along: [quad]) == [text])
    let code = RecognizedBarcode(
      payload: "9780306406157", symbology: .ean13, outline: quad, confidence: 1)
    let codes: any BarcodeReader<TestImage> = FakeBarcodeReader { $0 == photo ? [code] : [] }
    #expect(try await codes.barcodes(in: photo) == [code])
    let outline = DetectedOutline(outline: quad, confidence: 0.5)
    let outlines: any OutlineDetector<TestImage> = FakeOutlineDetector<TestImage>([outline])
    #expect(try await outlines.outlines(in: photo) == [outline])
    let classes = ["cup", "bowl"].enumerated().map {
      Classification(label: $1, index: $0, confidence: 0.5)
    }
    let classifier: any ImageClassifier<TestImage> = FakeClassifier<TestImage>(classes)
    #expect(try await classifier.classifications(of: photo, maximumCount: 1) == [classes[0]])
    let match = LikenessMatch(id: UUID(), cosine: 0.9)
    let searcher: any LikenessSearcher<TestImage> = FakeLikenessSearcher<TestImage>([match])
    #expect(try await searcher.likenesses(of: photo, maximumCount: 5) == [match])
    let meter: any LightMeter<TestImage> = FakeLightMeter<TestImage>(0.4)
    #expect(try await meter.meanLuma(of: photo) == 0.4)
    let clusterer = FakeClusterer([0, 0, 1])
    let rows = try EmbeddingMatrix(values: [1, 0, 1, 0, 0, 1], dimension: 2)
    #expect(try await clusterer.labels(of: rows, similarity: 0.5) == [0, 0, 1])
    #expect(clusterer.calls.inputs == [rows])
  }

  @Test("an image knows its place in the whole one")
  func images() throws {
    let photo = try #require(photo)
    let part = try #require(
      PixelRect(x: 100, y: 50, width: 80, height: 60).flatMap { photo.cropped(to: $0) })
    let inner = try #require(
      PixelRect(x: 10, y: 20, width: 70, height: 40).flatMap { part.cropped(to: $0) })
    #expect(inner.rect == PixelRect(x: 110, y: 70, width: 70, height: 40))
    let outside = try #require(PixelRect(x: 11, y: 20, width: 70, height: 40))
    #expect(part.cropped(to: outside) == nil)
    #expect(TestImage(width: 0, height: 3) == nil)
  }

  @Test("a clock moves when a test moves it")
  func clock() async throws {
    let clock = TestClock(at: .milliseconds(100))
    let date = clock.date
    let sleeper = Task { try await clock.sleep(until: .milliseconds(400)) }
    let sluggard = Task { try await clock.sleep(until: .milliseconds(900)) }
    try await clock.waitForSleepers(2)
    clock.advance(by: .milliseconds(299))
    #expect(clock.now() == .milliseconds(399))
    clock.advance(by: .milliseconds(-50))
    clock.advance(by: .milliseconds(1))
    try await sleeper.value
    #expect(abs(clock.date.timeIntervalSince(date) - 0.3) < 1e-6)
    sluggard.cancel()
    await #expect(throws: CancellationError.self) { try await sluggard.value }
    try await clock.sleep(until: .zero)
  }

  @Test("a camera gives the frames of a test, then ends")
  func camera() async throws {
    let camera = TestCamera([3, 1, 4], interval: .milliseconds(40))
    var seen: [Int] = []
    var times: [FrameTime] = []
    for await frame in camera {
      seen.append(frame.image)
      times.append(frame.time)
    }
    #expect(seen == [3, 1, 4])
    #expect(times == [.zero, .milliseconds(40), .milliseconds(80)])
    let live = TestCamera<String>()
    live.take("a", at: .milliseconds(7))
    live.finish()
    var frames = live.makeAsyncIterator()
    #expect(await frames.next()?.time == .milliseconds(7))
    #expect(await frames.next() == nil)
  }
}
