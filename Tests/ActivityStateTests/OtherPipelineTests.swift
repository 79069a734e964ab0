import ActivityState
import FrameAnalysis
import Geometry
import Recognition
import Testing
import Tracking
import VisionProtocols

/// Row V20 of the requirements: what a view shows of a scan and of a recognition.
@Suite("Scans and recognitions")
struct OtherPipelineTests {
  /// A picture of a book that has no pixels.
  struct Picture: SizedImage {
    let width = 100
    let height = 100
  }

  struct BookDetector: OutlineDetector {
    func outlines(in image: Picture) async throws -> [DetectedOutline] {
      let quad = Quadrilateral(
        topLeft: Point(x: 40, y: 10), topRight: Point(x: 60, y: 10),
        bottomRight: Point(x: 60, y: 90), bottomLeft: Point(x: 40, y: 90))
      return [DetectedOutline(outline: quad, confidence: 0.95)]
    }
  }

  /// Knows an apple, but only hangs at its first call.
  struct AppleClassifier: ImageClassifier {
    let calls = Tally()
    let begun = Signal()

    func classifications(
      of image: Picture, maximumCount: Int
    ) async throws -> [Classification] {
      if calls.add(1) == 1 {
        begun.fire()
        try await Task.sleep(nanoseconds: 60_000_000_000)
      }
      return [Classification(label: "apple", index: 0, confidence: 0.99)]
    }
  }

  @Test("A scan shows its frames, waits between them while paused, and ends with its statistics")
  func scan() async {
    let scan = Activity<AnalyzedFrame, FrameStatistics>()
    let scanner = FrameScanner(
      analyzer: FrameAnalyzer<Picture>().detectingObjects(with: BookDetector()))
    let (third, go) = (Signal(), Signal())
    scan.start { [gate = scan.gate] progress in
      for index in 0..<6 {
        if index == 3 {
          third.fire()
          await go.wait()
        }
        try await gate.pass()
        let time = FrameTime.milliseconds(Int64(index) * 150)
        if let frame = try await scanner.analysis(of: Picture(), at: time) { progress(frame) }
      }
      return await scanner.statistics
    }
    await third.wait()
    scan.pause()
    go.fire()
    for _ in 0..<100 { await Task.yield() }
    let paused = scan.snapshot
    #expect(paused.canResume && paused.progress?.time == .milliseconds(300))
    #expect(paused.progress?.objects.first?.isConfirmed == true)
    scan.resume()
    let end = await scan.settled()
    #expect(end.value?.analyzed == 6 && end.progress?.time == .milliseconds(750))
    #expect(end.progress?.distinctObjects == 1)
  }

  @Test("A recognition that hangs is cancelled at once, and another attempt finds the object")
  func recognition() async throws {
    let classifier = AppleClassifier()
    var configuration = RecognitionConfiguration()
    // On a slow machine, the budget must not end what the test ends.
    configuration.classificationBudget = .milliseconds(60_000)
    let recognizer = ObjectRecognizer(
      router: try RecognitionRouter<Picture>(configuration: configuration)
        .classifying(with: classifier))
    let recognition = Activity<Never, RecognitionResult>()
    recognition.start { _ in try await recognizer.recognize(Picture()) }
    await classifier.begun.wait()
    recognition.cancel()
    #expect(recognition.snapshot.name == "cancelled")
    recognition.retry()
    let end = await recognition.settled()
    #expect(end.value?.method == .classification && end.run == 2)
    #expect(await recognizer.totals.successes == 1)
  }
}
