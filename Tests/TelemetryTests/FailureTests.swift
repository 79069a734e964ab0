import Foundation
import TestSupport
import Testing

@testable import Telemetry

@Suite("Disks and processes that fail")
struct FailureTests {
  @Test("A folder that is removed stays removed, and events are dropped and counted")
  func removedFolder() async throws {
    let folder = try ScratchFolder()
    let log = try TelemetryLog(folder: folder.url)
    log.record(try .numbered(1))
    try await log.flush()
    try FileManager.default.removeItem(at: folder.url)
    log.record(try .numbered(2))
    await #expect(throws: TelemetryError.noFolder(path: folder.url.path)) { try await log.flush() }
    #expect(log.status.dropped == 1 && log.status.written == 1)
    #expect(log.status.lastFailure == .noFolder(path: folder.url.path))
    #expect(!FileManager.default.fileExists(atPath: folder.url.path))
    await #expect(throws: TelemetryError.self) { try await log.optOut() }
    // Made again, it is used again, by a log that asks anew.
    log.record(try .numbered(3))
    #expect(log.status.declined == 1)
    let next = try TelemetryLog(folder: folder.url)
    next.record(try .numbered(4))
    try await next.close()
    #expect(try folder.read().events == [try .numbered(4)])
  }

  @Test("What the background could not write is told to whoever asks next, once")
  func backgroundFailure() async throws {
    let folder = try ScratchFolder()
    let log = try TelemetryLog(
      folder: folder.url, limits: TelemetryLimits(batchEvents: 1, delay: 0))
    try FileManager.default.removeItem(at: folder.url)
    log.record(try .numbered(1))
    for _ in 0..<3000 where log.status.dropped == 0 {
      try await Task.sleep(nanoseconds: 10_000_000)
    }
    #expect(log.status.dropped == 1)
    #expect(throws: TelemetryError.self) { try log.flushAndWait() }
    try await log.flush()
  }

  @Test("A place where no folder can be is an error that names it")
  func places() throws {
    let folder = try ScratchFolder()
    try folder.write("file", [1])
    let file = URL(fileURLWithPath: folder.path("file"))
    #expect(throws: TelemetryError.notAFolder(path: file.path)) {
      _ = try TelemetryLog(folder: file)
    }
    #expect(throws: TelemetryError.self) {
      _ = try TelemetryLog(folder: file.appendingPathComponent("below"))
    }
    #if os(Linux)
      #expect(throws: TelemetryError.self) {
        _ = try TelemetryLog(folder: URL(fileURLWithPath: "/proc/tally-telemetry"))
      }
    #endif
  }

  @Test("A folder that may not be written to is an error, and one that turns so drops events")
  func readOnlyFolder() async throws {
    let folder = try ScratchFolder()
    let log = try TelemetryLog(folder: folder.url)
    func permit(_ permissions: Int) throws {
      try FileManager.default.setAttributes(
        [.posixPermissions: permissions], ofItemAtPath: folder.url.path)
    }
    try permit(0o500)
    defer { try? permit(0o700) }
    // Whoever may write everywhere can write here too.
    guard access(folder.url.path, W_OK) != 0 else { return }
    log.record(try .numbered(1))
    await #expect(throws: TelemetryError.self) { try await log.flush() }
    #expect(log.status.dropped == 1)
    await #expect(throws: TelemetryError.self) { try await log.optOut() }
    try permit(0o000)
    #expect(throws: TelemetryError.self) { _ = try TelemetryLog(folder: folder.url) }
    #expect(throws: TelemetryError.self) { try folder.read() }
  }

  @Test("What is called as an event file and is none is an error, not a loss of that thing")
  func impostors() async throws {
    let folder = try ScratchFolder()
    let name = "events-00000001-0.jsonl"
    try folder.write("target", Array("kept".utf8))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name), withDestinationPath: folder.path("target"))
    let log = try TelemetryLog(folder: folder.url) { Date(timeIntervalSince1970: 1) }
    log.record(try .numbered(1))
    await #expect(throws: TelemetryError.self) { try await log.flush() }
    #expect(log.status.dropped == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("target"))).count == 4)
    #expect(throws: TelemetryError.self) { try folder.read() }

    let last = try ScratchFolder()
    try last.write("events-2147483647-0.jsonl", Array(repeating: 0x41, count: 2000))
    let full = try TelemetryLog(
      folder: last.url, limits: TelemetryLimits(fileBytes: 1000)
    ) { Date(timeIntervalSince1970: 1) }
    full.record(try .numbered(1))
    await #expect(throws: TelemetryError.self) { try await full.flush() }
    #expect(try last.files().count == 1)
  }

  @Test("Where a file may not grow, whole events stay, the others are counted, nothing crashes")
  func fullDisk() throws {
    let folder = try ScratchFolder()
    let writer = try Writer.start(
      folder, first: 0, count: 1000, batch: 50, fileBytes: 10_000_000, diskBytes: 16 * 1024)
    let text = writer.finish()
    #expect(
      writer.process.terminationReason == .exit && writer.process.terminationStatus == 0, "\(text)")
    let read = try folder.read()
    #expect(read.summary.damagedLines == 0 && read.summary.bytes <= 16 * 1024)
    #expect(read.events.allSatisfy { $0.isAsNumbered })
    // 100 events are about 15 kB; single ones may still have found room.
    #expect(read.events.prefix(100).map(\.number) == Array(0..<100))
    let written = read.events.count
    #expect(
      text.contains("recorded 1000 written \(written) dropped \(1000 - written) declined 0"),
      "\(text)")
    #expect(text.contains("there is no space left"), "\(text)")
  }

  @Test("A file cut at any byte keeps its whole events, and what follows stands alone")
  func cutFiles() async throws {
    let lines = try (0..<3).map { try TelemetryEvent.numbered($0).line }
    let whole = lines.flatMap { $0 }
    for length in 0...whole.count {
      let folder = try ScratchFolder()
      try folder.write("events-00000001-1000.jsonl", whole.prefix(length))
      let log = try TelemetryLog(folder: folder.url) { Date(timeIntervalSince1970: 1) }
      log.record(try .numbered(77))
      try log.flushAndWait()
      let read = try folder.read()
      let ends = [0, lines[0].count, lines[0].count + lines[1].count, whole.count]
      // A line that lacks nothing but its end is whole once the next writer has ended it.
      let kept = ends.dropFirst().count { $0 - 1 <= length }
      #expect(read.events.map(\.number) == Array(0..<kept) + [77], "cut at \(length)")
      let isTorn = !ends.contains(length) && !ends.contains(length + 1)
      #expect(read.summary.damagedLines == (isTorn ? 1 : 0), "cut at \(length)")
    }
  }

  @Test("Several processes write into one folder: every event is there once")
  func processes() throws {
    let folder = try ScratchFolder()
    let writers = try (0..<4).map {
      try Writer.start(
        folder, first: $0 * 5000, count: 5000, batch: 37, fileBytes: 1_000_000_000)
    }
    for writer in writers {
      let text = writer.finish()
      #expect(text.contains("recorded 5000 written 5000 dropped 0"), "\(text)")
    }
    let read = try folder.read()
    #expect(read.events.map(\.number).sorted() == Array(0..<20_000))
    #expect(read.summary.damagedLines == 0 && read.summary.files == 1)
  }

  @Test("Killed at 200 seeded moments: no torn line is read back as an event")
  func killed() throws {
    var generator = SeededGenerator(seed: 12)
    let folder = try ScratchFolder()
    let limitless = 50_000_000
    var next = 0
    var seen = 0
    for moment in 0..<200 {
      // Batches from one page to many, and now and then files that are soon full.
      let batch = [20, 300, 2000, 4000][moment % 4]
      let fileBytes = moment % 5 == 4 ? 1_000_000 : 10_000_000
      let writer = try Writer.start(
        folder, first: next, count: limitless, batch: batch, fileBytes: fileBytes)
      // It says when it begins to write.
      #expect(writer.output.availableData.count > 0)
      _ = try #require(writer.kill(after: generator.next() % 20_000))

      // Every line that is read back is an event that was recorded, and each is there once.
      var previous = -1
      var strangers = 0
      let summary = try TelemetryReader(folder: folder.url).forEachEvent { event, _ in
        if !event.isAsNumbered || event.number <= previous { strangers += 1 }
        previous = event.number
      }
      #expect(strangers == 0, "moment \(moment)")
      seen += summary.events
      next = previous + limitless / 100
      #expect(summary.files <= 4 && summary.bytes <= 40_000_000)
      // So that reading stays quick.
      if moment % 4 == 3 {
        for file in try folder.files() { try FileManager.default.removeItem(at: file) }
      }
    }
    #expect(seen > 200)
  }
}
