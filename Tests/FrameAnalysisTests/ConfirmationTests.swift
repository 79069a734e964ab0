import FrameAnalysis
import Geometry
import TestSupport
import Testing
import Tracking
import VisionProtocols

// H36: what is to be done once for each object, such as recording it.

@Suite("Objects that a frame confirms")
struct ConfirmationTests {
  @Test(
    "Each object is confirmed in one frame, in which it is there, however objects come and go",
    arguments: [1, 2, 3])
  func once(confirmingHits: Int) throws {
    var configuration = FrameConfiguration()
    configuration.tracking.confirmingHits = confirmingHits
    configuration.tracking.maximumMisses = 2
    var session = try FrameSession(configuration: configuration)
    var generator = SeededGenerator(seed: UInt64(confirmingHits))
    var confirmed: [Int] = []
    var last = AnalyzedFrame.empty(at: .zero)
    for number in 0..<400 {
      // Each of ten places is seen in two frames of three; the camera moves on now and then.
      let shift = 0.3 * Double(number / 80)
      let seen = (0..<10).filter { _ in generator.unit() < 0.67 }.map {
        object(x: 0.1 * Double($0) - shift.truncatingRemainder(dividingBy: 1), width: 0.04)
      }
      if number % 97 == 96 { session.clear() }
      last = session.analyze(try observed(Int64(150 * number), objects: seen))
      for id in last.newlyConfirmed {
        #expect(last.objects.contains { $0.id == id && $0.isConfirmed })
      }
      let known = Set(confirmed + last.newlyConfirmed)
      #expect(last.objects.allSatisfy { $0.isConfirmed == known.contains($0.id) })
      confirmed += last.newlyConfirmed
    }
    #expect(confirmed.count == Set(confirmed).count && confirmed.count == last.distinctObjects)
    #expect(confirmed.count > 40)
    session.reset()
    for time in 0..<Int64(confirmingHits) {
      last = session.analyze(try observed(150 * time, objects: [object()]))
    }
    #expect(last.newlyConfirmed == [1])
  }

  @Test("A frame knows its upright size; one that was not analysed has none")
  func size() async throws {
    let scanner = FrameScanner(analyzer: fakeAnalyzer())
    let upright = try #require(try await scanner.analysis(of: .book, at: .zero))
    #expect(upright.size == (try CoordinateSpace(width: 1000, height: 500)))
    let turned = try #require(
      try await scanner.analysis(
        of: .book, at: .milliseconds(150), orientation: .rotate90Clockwise))
    #expect(turned.size == (try CoordinateSpace(width: 500, height: 1000)))
    var session = FrameSession()
    session.isEnabled = false
    #expect(session.analyze(try observed(0, objects: [object()])).size == nil)
  }
}
