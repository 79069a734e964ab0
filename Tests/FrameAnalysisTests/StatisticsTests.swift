import Foundation
import FrameAnalysis
import TestSupport
import Testing
import Tracking

// V15: dropped frames are told. V39: what frames and the process cost.

@Suite("Statistics of frames")
struct StatisticsTests {
  private struct Durations: Decodable {
    let count: Int
    let mean: Int64
    let p95: Int64
  }

  @Test("Every frame is counted once, by what became of it")
  func counts() throws {
    var session = FrameSession()
    var analyzed = 0
    for time in stride(from: 0 as Int64, to: 3000, by: 50) {
      guard session.admit(frameAt: .milliseconds(time)) == .analyze else { continue }
      analyzed += 1
      _ = session.analyze(try Sight.spine.observations(at: time))
    }
    for _ in 0..<7 { session.dropFrame() }
    session.thermalState = .critical
    #expect(session.admit(frameAt: .milliseconds(4000)) == .offBecauseOfHeat)
    session.thermalState = .nominal
    // Admitted, but its analysis never ended.
    #expect(session.admit(frameAt: .milliseconds(5000)) == .analyze)
    let statistics = session.statistics
    #expect(statistics.seen == 60 + 7 + 2)
    #expect(statistics.analyzed == analyzed && analyzed == 20)
    #expect(statistics.skipped == 40 + 1)
    #expect(statistics.dropped == 7)
    #expect(
      statistics.seen - statistics.analyzed - statistics.skipped - statistics.dropped == 1)
    #expect(statistics.meanAnalysis == nil && statistics.p95Analysis == nil)
    #expect(statistics.residentMemory == nil)
  }

  @Test("Mean and 95th percentile of the last 256 analyses are NumPy's, by nearest rank")
  func durations() throws {
    let rows = try golden([Durations].self, "durations")
    #expect(rows.count == 12)
    for row in rows {
      var session = FrameSession()
      var generator = SeededGenerator(seed: UInt64(row.count))
      for frame in 0..<row.count {
        _ = session.analyze(
          try observed(Int64(frame) * 150),
          took: FrameDuration(nanoseconds: Int64(generator.next() % 1_000_000_000)))
      }
      #expect(session.statistics.meanAnalysis == FrameDuration(nanoseconds: row.mean))
      #expect(session.statistics.p95Analysis == FrameDuration(nanoseconds: row.p95))
    }
  }

  @Test("Durations at the ends of their range do not overflow, and none is negative")
  func extremes() throws {
    var session = FrameSession()
    let longest = FrameDuration(nanoseconds: .max)
    for _ in 0..<3 { _ = session.analyze(try observed(0), took: longest) }
    #expect(session.statistics.meanAnalysis == longest)
    #expect(session.statistics.p95Analysis == longest)
    session.reset()
    _ = session.analyze(try observed(0), took: FrameDuration(nanoseconds: .min))
    #expect(session.statistics.meanAnalysis == .zero)
  }

  @Test("A scanner measures by its clock, from the frame to its result")
  func clock() async throws {
    let clock = StepClock(step: .milliseconds(40))
    let scanner = FrameScanner(analyzer: fakeAnalyzer(), clock: { clock.next() })
    for frame in 0..<4 {
      _ = try await scanner.analysis(of: .book, at: .milliseconds(Int64(frame) * 100))
    }
    let statistics = await scanner.statistics
    #expect(statistics.seen == 4 && statistics.analyzed == 2 && statistics.skipped == 2)
    #expect(statistics.meanAnalysis == .milliseconds(40))
    #expect(statistics.p95Analysis == .milliseconds(40))
  }

  @Test("Without a given clock, the machine's is used")
  func machineClock() async throws {
    let scanner = FrameScanner(
      analyzer: fakeAnalyzer(
        Reader(before: { try await Task.sleep(nanoseconds: 2_000_000) })))
    _ = try await scanner.analysis(of: .book, at: .zero)
    let mean = try #require(await scanner.statistics.meanAnalysis)
    #expect(mean >= .milliseconds(2) && mean < .milliseconds(600_000))
  }

  @Test("The memory is the kernel's number, and grows with what the process holds")
  func memory() async throws {
    let scanner = FrameScanner(analyzer: fakeAnalyzer())
    let size = 64 << 20
    var grew = false
    // Other tests of the process may give memory back meanwhile.
    for _ in 0..<20 where !grew {
      let before = try #require(await scanner.statistics.residentMemory)
      // More than any program needs to start, less than any machine has.
      #expect(before > 1 << 20 && before < 1 << 40)
      let block = [UInt8](repeating: 1, count: size)
      let during = try #require(await scanner.statistics.residentMemory)
      #expect(block[size - 1] == 1)
      grew = during > before + size / 2
    }
    #expect(grew)
  }

  @Test("Statistics can be stored")
  func coding() throws {
    var session = FrameSession()
    _ = session.analyze(try observed(0), took: .milliseconds(30))
    let data = try JSONEncoder().encode(session.statistics)
    #expect(try JSONDecoder().decode(FrameStatistics.self, from: data) == session.statistics)
  }

  @Test("Each dropped frame is told, once, and no other")
  func dropped() async throws {
    let scanner = FrameScanner(analyzer: fakeAnalyzer())
    let numbers = Numbers()
    let burst = Burst()
    let analyses = burst.frames.analyses(
      onDrop: { number in
        numbers.add(number)
        await scanner.dropFrame()
      },
      analyze: { number in
        await burst.analyzes(number)
        return try await scanner.analysis(of: .book, at: .milliseconds(Int64(number) * 150))
      })
    let task = Task {
      var count = 0
      for await result in analyses where try result.get() != nil { count += 1 }
      return count
    }
    await burst.release()
    #expect(try await task.value == 2)
    #expect(numbers.values == Array(1...49))
    let statistics = await scanner.statistics
    #expect(statistics.seen == 51 && statistics.dropped == 49 && statistics.analyzed == 2)
  }
}

/// A clock that goes on by the same step with every look at it.
private final class StepClock: @unchecked Sendable {
  private let lock = NSLock()
  private let step: FrameDuration
  private var time = FrameTime.zero

  init(step: FrameDuration) {
    self.step = step
  }

  func next() -> FrameTime {
    lock.withLock {
      time = time + step
      return time
    }
  }
}
