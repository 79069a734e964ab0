import Foundation
import FrameAnalysis
import Geometry
import ISBN
import Testing
import Tracking
import VisionProtocols

@Suite("Recognizers on a frame")
struct LiveTests {
  private let picture = Picture.book

  @Test("Pixels become shares with the origin at the bottom left")
  func coordinates() async throws {
    let seen = try await fakeAnalyzer().observations(in: picture, at: .milliseconds(7))
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
    let seen = try await fakeAnalyzer(reader).observations(in: picture, at: .zero)
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

  @Test("A frame without a size is an error")
  func noSize() async {
    await #expect(throws: FrameAnalysisError.noSize(width: 0, height: 500)) {
      try await fakeAnalyzer().observations(in: Picture(width: 0), at: .zero)
    }
    #expect(
      "\(FrameAnalysisError.noSize(width: 0, height: 500))"
        .hasPrefix("the frame is 0 x 500 pixels; both sides must be in 1..."))
  }

  @Test("A cancelled task's error is that, and not a recognizer's")
  func cancellation() async {
    let picture = picture
    let analyzer = fakeAnalyzer()
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
    let scanner = FrameScanner(analyzer: fakeAnalyzer())
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
    #expect(await scanner.preScanned.isbn == (try ISBN13("9780306406157")))
    #expect(await scanner.takeISBN(merging: nil) == (try ISBN13("9780306406157")))
    #expect(await scanner.preScanned.isbn == nil)
    #expect(await scanner.takeISBN(merging: nil) == nil)
  }
}
