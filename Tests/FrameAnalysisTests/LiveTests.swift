import Foundation
import FrameAnalysis
import Geometry
import ISBN
import Testing
import Tracking
import VisionProtocols

/// A frame that knows what it shows, in pixels with the origin at the top left.
private struct Picture: SizedImage {
  var width = 1000
  var height = 500
  var texts: [RecognizedText] = []
  var barcodes: [RecognizedBarcode] = []
  var outlines: [DetectedOutline] = []
}

private struct Reader: TextRecognizer, BarcodeReader, OutlineDetector {
  var failure: (any Error)?
  /// Called before every answer.
  var before: @Sendable () async throws -> Void = {}

  private func answer<Value>(_ values: [Value]) async throws -> [Value] {
    try await before()
    if let failure { throw failure }
    return values
  }

  func texts(in image: Picture) async throws -> [RecognizedText] { try await answer(image.texts) }
  func barcodes(in image: Picture) async throws -> [RecognizedBarcode] {
    try await answer(image.barcodes)
  }
  func outlines(in image: Picture) async throws -> [DetectedOutline] {
    try await answer(image.outlines)
  }
}

private struct Failure: Error, CustomStringConvertible {
  let description: String
}

/// Lets nobody pass before all have come.
private actor Gathering {
  private var missing: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(of count: Int) {
    missing = count
  }

  func join() async {
    missing -= 1
    if missing <= 0 {
      for one in waiting { one.resume() }
      waiting = []
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }
}

@Suite("Recognizers on a frame")
struct LiveTests {
  private let picture = Picture(
    texts: [
      RecognizedText(
        outline: Quadrilateral(Box(x: 100, y: 50, width: 250, height: 100)), text: "Title",
        confidence: 0.9)
    ],
    barcodes: [
      RecognizedBarcode(
        payload: "9780306406157", symbology: .ean13,
        outline: Quadrilateral(Box(x: 500, y: 400, width: 125, height: 50)))
    ],
    outlines: [
      DetectedOutline(
        outline: Quadrilateral(Box(x: 0, y: 0, width: 100, height: 500)), confidence: 0.8,
        appearance: [1, 0])
    ])

  private func analyzer(_ reader: Reader = Reader()) -> FrameAnalyzer<Picture> {
    FrameAnalyzer<Picture>().recognizingText(with: reader).readingBarcodes(with: reader)
      .detectingObjects(with: reader)
  }

  @Test("Pixels become shares with the origin at the bottom left")
  func coordinates() async throws {
    let seen = try await analyzer().observations(in: picture, at: .milliseconds(7))
    #expect(seen.time == .milliseconds(7))
    #expect(seen.frame == (try CoordinateSpace(width: 1000, height: 500)))
    #expect(seen.texts.map(\.box) == [NormalizedBox(x: 0.1, y: 0.7, width: 0.25, height: 0.2)])
    #expect(seen.texts.first?.outline?.topLeft == Point(x: 0.1, y: 0.9))
    #expect(seen.barcodes.map(\.box) == [NormalizedBox(x: 0.5, y: 0.1, width: 0.125, height: 0.1)])
    #expect(seen.barcodes.first?.isbn?.description == "9780306406157")
    #expect(seen.objects.map(\.box) == [NormalizedBox(x: 0, y: 0, width: 0.1, height: 1)])
    #expect(seen.objects.first?.appearance == [1, 0])
  }

  @Test("All recognizers run at the same time")
  func concurrency() async throws {
    // Each waits for the other two: one after the other none would ever answer.
    let gathering = Gathering(of: 3)
    let reader = Reader(before: { await gathering.join() })
    let seen = try await analyzer(reader).observations(in: picture, at: .zero)
    #expect(seen.texts.count == 1 && seen.barcodes.count == 1 && seen.objects.count == 1)
  }

  @Test("What no recognizer is given for is not seen")
  func optional() async throws {
    let nothing = try await FrameAnalyzer<Picture>().observations(in: picture, at: .zero)
    #expect(nothing.texts.isEmpty && nothing.barcodes.isEmpty && nothing.objects.isEmpty)
    let barcodes = try await FrameAnalyzer<Picture>().readingBarcodes(with: Reader())
      .observations(in: picture, at: .zero)
    #expect(barcodes.texts.isEmpty && barcodes.barcodes.count == 1 && barcodes.objects.isEmpty)
  }

  @Test("A recognizer's error says whose it was")
  func errors() async {
    let failing = Reader(failure: Failure(description: "no model"))
    let rows: [(FrameAnalyzer<Picture>, String)] = [
      (analyzer(failing), "the recognizer of text failed: no model"),
      (
        analyzer().readingBarcodes(with: failing), "the recognizer of barcodes failed: no model"
      ),
      (
        analyzer().detectingObjects(with: failing), "the recognizer of objects failed: no model"
      ),
    ]
    for (analyzer, message) in rows {
      do {
        _ = try await analyzer.observations(in: picture, at: .zero)
        Issue.record("no error")
      } catch {
        #expect("\(error)" == message)
      }
    }
    do {
      _ = try await analyzer().observations(in: Picture(width: 0), at: .zero)
      Issue.record("no error")
    } catch {
      #expect("\(error)".hasPrefix("the frame is 0 x 500 pixels; both sides must be in 1..."))
    }
  }

  @Test("A cancelled task's error is that, and not a recognizer's")
  func cancellation() async {
    let picture = picture
    let analyzer = analyzer()
    let task = Task {
      // The task is cancelled before it begins to look.
      while !Task.isCancelled { await Task.yield() }
      return try await analyzer.observations(in: picture, at: .zero)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A scanner throttles, follows and remembers the ISBN")
  func scanner() async throws {
    let scanner = FrameScanner(analyzer: analyzer())
    let first = try #require(try await scanner.analysis(of: picture, at: .zero))
    #expect(first.objects.map(\.id) == [1])
    #expect(try await scanner.analysis(of: picture, at: .milliseconds(149)) == nil)
    let second = try #require(try await scanner.analysis(of: picture, at: .milliseconds(150)))
    #expect(second.objects.map(\.isConfirmed) == [true] && second.message == .spineDetected)
    #expect(await scanner.message(at: .milliseconds(3150)) == nil)
    await scanner.setThermalState(.critical)
    #expect(await scanner.isOffBecauseOfHeat)
    #expect(try await scanner.analysis(of: picture, at: .milliseconds(9000)) == nil)
    await scanner.setThermalState(.nominal)
    await scanner.resume()
    #expect(try await scanner.analysis(of: picture, at: .milliseconds(9001)) != nil)
    #expect(await scanner.takeISBN(merging: nil) == (try ISBN13("9780306406157")))
    #expect(await scanner.takeISBN(merging: nil) == nil)
  }
}
