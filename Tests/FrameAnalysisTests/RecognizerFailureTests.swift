import Foundation
import FrameAnalysis
import Geometry
import Testing
import Tracking
import VisionProtocols

// V45: one recognizer that fails does not cost the others' findings.

@Suite("Recognizers that fail")
struct RecognizerFailureTests {
  private let failing = Reader(failure: Failure(description: "no model"))

  /// Analyzers of which one recognizer fails each, and which one.
  private var broken: [(FrameAnalyzer<Picture>, RecognizerFailure.Recognizer)] {
    [
      (fakeAnalyzer().recognizingText(with: failing), .text),
      (fakeAnalyzer().readingBarcodes(with: failing), .barcodes),
      (fakeAnalyzer().detectingObjects(with: failing), .objects),
    ]
  }

  @Test("The others' findings are there, and the frame says whose are missing and why")
  func oneFails() async throws {
    for (analyzer, recognizer) in broken {
      let seen = try await analyzer.observations(in: .book, at: .zero)
      #expect(seen.texts.count == (recognizer == .text ? 0 : 1))
      #expect(seen.barcodes.count == (recognizer == .barcodes ? 0 : 1))
      #expect(seen.objects.count == (recognizer == .objects ? 0 : 1))
      let failure = try #require(seen.failures.first)
      #expect(seen.failures.count == 1 && failure.recognizer == recognizer)
      #expect(failure.reason == "no model" && failure.underlying is Failure)
      #expect(
        "\(failure)" == "the recognizer of \(recognizer.rawValue) failed: no model")

      let frame = try #require(
        try await FrameScanner(analyzer: analyzer).analysis(of: .book, at: .zero))
      #expect(frame.failures == seen.failures)
      #expect(frame.findings.count == 2)
    }
    #expect(try await fakeAnalyzer().observations(in: .book, at: .zero).failures.isEmpty)
  }

  @Test("If all fail, the frame has their errors and nothing else")
  func allFail() async throws {
    let scanner = FrameScanner(analyzer: fakeAnalyzer(failing))
    let frame = try #require(try await scanner.analysis(of: .book, at: .zero))
    #expect(frame.failures.map(\.recognizer) == [.text, .barcodes, .objects])
    #expect(frame.findings.isEmpty && frame.primary == nil && frame.guidance == nil)
    #expect(await scanner.statistics.failures == 3)
  }

  @Test("A recognizer that cancels its own work fails like any other")
  func ownCancellation() async throws {
    let seen = try await fakeAnalyzer()
      .recognizingText(with: Reader(failure: CancellationError()))
      .observations(in: .book, at: .zero)
    #expect(seen.failures.map(\.recognizer) == [.text])
    #expect(seen.barcodes.count == 1 && seen.objects.count == 1)
  }

  @Test("A cancelled task has no failures, whatever its recognizers throw then")
  func cancelled() async {
    let reader = Reader(before: {
      while !Task.isCancelled { await Task.yield() }
      throw Failure(description: "interrupted")
    })
    let analyzer = fakeAnalyzer(reader)
    let task = Task { try await analyzer.observations(in: .book, at: .zero) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("Objects keep their ids over frames in which their recognizer failed")
  func ids() throws {
    var session = FrameSession()
    let failure = RecognizerFailure(.objects, underlying: Failure(description: "busy"))
    func seen(_ frame: Int64, fails: Bool) throws -> FrameObservations {
      var seen = try observed(150 * frame, objects: fails ? [] : [object()])
      if fails { seen.failures = [failure] }
      return seen
    }
    for frame in 0..<2 { _ = session.analyze(try seen(Int64(frame), fails: false)) }
    // Far more frames than the tracker lets an object be missed.
    for frame in 2..<50 {
      let analyzed = session.analyze(try seen(Int64(frame), fails: true))
      #expect(analyzed.objects.isEmpty && analyzed.failures == [failure])
    }
    let back = session.analyze(try seen(50, fails: false))
    #expect(back.objects.map(\.id) == [1] && back.distinctObjects == 1 && back.failures.isEmpty)

    // One that is not confirmed yet would be forgotten after a single frame without it.
    session.reset()
    for frame in 0..<3 {
      _ = session.analyze(try seen(Int64(frame), fails: frame > 0))
    }
    let confirmed = session.analyze(try seen(3, fails: false))
    #expect(confirmed.objects.map(\.id) == [1] && confirmed.objects.map(\.isConfirmed) == [true])
  }

  @Test("Texts keep their numbers over frames in which their recognizer failed")
  func textIDs() throws {
    var session = FrameSession()
    for frame in 0..<4 {
      var seen = try observed(Int64(frame) * 150, texts: frame == 0 || frame == 3 ? [title] : [])
      if seen.texts.isEmpty {
        seen.failures = [RecognizerFailure(.text, underlying: Failure(description: "busy"))]
      }
      #expect(session.analyze(seen).textIDs == (seen.texts.isEmpty ? [] : [1]))
    }
  }

  @Test("A frame that shows nothing because of a failure does not say that there is no book")
  func noBook() throws {
    var session = FrameSession()
    for time in [0, 150] { _ = session.analyze(try Sight.spine.observations(at: Int64(time))) }
    var blind = try observed(300)
    blind.failures = [RecognizerFailure(.text, underlying: Failure(description: "busy"))]
    for time in stride(from: 300 as Int64, to: 9000, by: 150) {
      blind.time = .milliseconds(time)
      #expect(session.analyze(blind).guidance == .spineDetected)
    }
    // Ten seconds after the last frame that said something, nothing of it is left.
    blind.time = .milliseconds(10_150)
    #expect(session.analyze(blind).guidance == nil)
    // What is seen in spite of a failure counts.
    for time in [10_300, 10_450] as [Int64] {
      var seen = try Sight.small.observations(at: time)
      seen.failures = blind.failures
      let analyzed = session.analyze(seen)
      #expect(analyzed.guidance == (time == 10_450 ? .moveCloser : nil))
    }
  }

  @Test("A stored failure keeps recognizer and reason, and equals the one it was")
  func coding() throws {
    let failure = RecognizerFailure(.barcodes, underlying: Failure(description: "broken"))
    let data = try JSONEncoder().encode(failure)
    let stored = try JSONDecoder().decode(RecognizerFailure.self, from: data)
    #expect(stored == failure && stored.hashValue == failure.hashValue)
    #expect(stored.underlying == nil)
    #expect(stored != RecognizerFailure(.text, underlying: Failure(description: "broken")))
    #expect(stored != RecognizerFailure(.barcodes, underlying: Failure(description: "busy")))
  }
}
