import Foundation
import TestSupport
import Testing

@testable import Telemetry

@Suite("Reading")
struct ReaderTests {
  @Test("A folder that is not there, is no folder, or is empty")
  func folders() throws {
    let folder = try ScratchFolder()
    #expect(try folder.read().summary == TelemetryReader.Summary())
    let none = TelemetryReader(folder: folder.url.appendingPathComponent("none"))
    #expect(throws: TelemetryError.noFolder(path: none.folder.path)) {
      try none.forEachEvent { _, _ in }
    }
    try folder.write("file", [])
    let file = TelemetryReader(folder: folder.url.appendingPathComponent("file"))
    #expect(throws: TelemetryError.notAFolder(path: file.folder.path)) {
      try file.forEachEvent { _, _ in }
    }
  }

  @Test("Files of other names are none of ours")
  func names() throws {
    let folder = try ScratchFolder()
    let line = try TelemetryEvent.numbered(1).line
    for name in [
      "events.jsonl", "events-1-1.jsonl", "events-00000000-1.jsonl", "events-00000001-.jsonl",
      "events-00000001--1.jsonl", "events-00000001-1.json", "events-00000001-1.jsonl~",
      "events-00000001-01.jsonl", "events-99999999999999999999-1.jsonl", "xevents-00000001-1.jsonl",
      "events-+0000001-1.jsonl",
    ] {
      try folder.write(name, line)
    }
    #expect(try folder.read().events.isEmpty)
    for file in [EventFile(number: 1, begun: 0), EventFile(number: 123_456_789, begun: 1 << 50)] {
      #expect(EventFile(name: file.name) == file)
    }
    try folder.write("events-00000002-1.jsonl", try TelemetryEvent.numbered(2).line)
    try folder.write("events-00000010-0.jsonl", try TelemetryEvent.numbered(10).line)
    try folder.write("events-100000000-0.jsonl", try TelemetryEvent.numbered(100).line)
    #expect(try folder.read().events.map(\.number) == [2, 10, 100])
  }

  @Test("Whatever is between the events, they are read and it is counted")
  func rubbish() throws {
    var generator = SeededGenerator(seed: 20)
    for round in 0..<30 {
      let folder = try ScratchFolder()
      var bytes: [UInt8] = []
      var expected: [TelemetryEvent] = []
      var damaged = 0
      for _ in 0..<200 {
        if generator.unit() < 0.7 {
          expected.append(try .random(&generator))
          bytes += expected[expected.count - 1].line
          continue
        }
        // Now and then far longer than what is read at once.
        let length = Int(pow(10, generator.unit() * (round % 3 == 0 ? 5.3 : 3))) + 1
        bytes += (0..<length).map { _ in
          let byte = UInt8(truncatingIfNeeded: generator.next())
          return byte == EventLine.newline ? 0 : byte
        }
        bytes.append(EventLine.newline)
        damaged += 1
      }
      try folder.write("events-00000001-1.jsonl", bytes)
      let read = try folder.read()
      #expect(read.events == expected)
      #expect(read.summary.damagedLines == damaged && read.summary.bytes == bytes.count)
    }
  }

  @Test("Events on either side of every place where reading stops and goes on")
  func chunks() throws {
    let folder = try ScratchFolder()
    let events = try (0..<1500).map { try TelemetryEvent.numbered($0 * 1_000_003) }
    let lines = events.flatMap(\.line)
    for shift in stride(from: 0, to: 200, by: 7) {
      // Empty lines are passed over and are no damage.
      try folder.write(
        "events-00000001-1.jsonl", [UInt8](repeating: EventLine.newline, count: shift) + lines)
      let read = try folder.read()
      #expect(read.events == events && read.summary.damagedLines == 0)
    }
  }

  @Test("A line without an end, of any length, is no event")
  func unended() throws {
    let folder = try ScratchFolder()
    let line = try TelemetryEvent.numbered(5).line
    for rest in [[], Array(line.dropLast()), [UInt8](repeating: 0x7B, count: 300_000)] {
      try folder.write("events-00000001-1.jsonl", line + rest)
      let read = try folder.read()
      #expect(read.events.count == 1 && read.summary.damagedLines == (rest.isEmpty ? 0 : 1))
    }
  }

  @Test("A pipe or folder with an event file's name is an error and does not hang")
  func specialFiles() throws {
    let folder = try ScratchFolder()
    #expect(mkfifo(folder.path("events-00000001-1.jsonl"), 0o600) == 0)
    #expect(throws: TelemetryError.self) { try folder.read() }
    let second = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: second.path("events-00000001-1.jsonl"), withIntermediateDirectories: false)
    #expect(throws: TelemetryError.self) { try second.read() }
  }

  @Test("Reading while a log writes and rotates sees whole events in order")
  func whileWriting() async throws {
    let folder = try ScratchFolder()
    let log = try TelemetryLog(
      folder: folder.url, limits: TelemetryLimits(fileBytes: 5000, batchEvents: 8, delay: 0))
    let writer = Task {
      for number in 0..<4000 {
        log.record(try .numbered(number))
        if number % 8 == 0 { try await log.flush() }
      }
      try await log.close()
    }
    for _ in 0..<200 {
      var previous = -1
      try TelemetryReader(folder: folder.url).forEachEvent { event, _ in
        #expect(event.isAsNumbered)
        #expect(event.number > previous)
        previous = event.number
      }
    }
    try await writer.value
    #expect(log.status.written == 4000)
  }

  @Test("What the caller throws ends the reading")
  func stopping() throws {
    struct Enough: Error {}
    let folder = try ScratchFolder()
    try folder.write(
      "events-00000001-1.jsonl", try (0..<10).flatMap { try TelemetryEvent.numbered($0).line })
    var count = 0
    #expect(throws: Enough.self) {
      try TelemetryReader(folder: folder.url).forEachEvent { _, _ in
        count += 1
        if count == 4 { throw Enough() }
      }
    }
    #expect(count == 4)
  }
}
