import Foundation
import TestSupport
import Testing

@testable import Telemetry

@Suite("The log")
struct LogTests {
  /// Waits until something is so, as long as it may take on a busy machine.
  private func wait(until isSo: () -> Bool) async throws {
    for _ in 0..<3000 where !isSo() { try await Task.sleep(nanoseconds: 10_000_000) }
    #expect(isSo())
  }

  @Test("What is recorded is read back, in order")
  func roundTrip() async throws {
    let folder = try ScratchFolder()
    var generator = SeededGenerator(seed: 10)
    let events = try (0..<1000).map { _ in try TelemetryEvent.random(&generator) }
    let log = try TelemetryLog(
      folder: folder.url, limits: TelemetryLimits(batchEvents: 7, waitingEvents: 2000))
    for event in events { log.record(event) }
    try await log.close()
    let read = try folder.read()
    #expect(read.events == events)
    #expect(read.summary.files == 1 && read.summary.damagedLines == 0)
    #expect(log.status.recorded == 1000 && log.status.written == 1000)
    #expect(log.status.dropped == 0 && log.status.waiting == 0 && log.status.lastFailure == nil)
  }

  @Test("A full batch is written without being asked for, and so is a lone event after the delay")
  func batches() async throws {
    let folder = try ScratchFolder()
    let patient = try TelemetryLog(
      folder: folder.url, limits: TelemetryLimits(batchEvents: 10, delay: 3600))
    for number in 0..<25 { patient.record(try .numbered(number)) }
    try await wait { patient.status.written >= 10 }
    let quick = try TelemetryLog(
      folder: folder.url, limits: TelemetryLimits(batchEvents: 1000, delay: 0.01))
    quick.record(try .numbered(100))
    try await wait { quick.status.written == 1 }
    #expect(try folder.read().events.contains(try .numbered(100)))
    try await patient.close()
    #expect(Set(try folder.read().events).count == 26)
  }

  @Test("Recording does not wait for a disk that does not answer; what is too much is counted")
  func busyDisk() async throws {
    let folder = try ScratchFolder()
    let log = try TelemetryLog(
      folder: folder.url, limits: TelemetryLimits(batchEvents: 10, waitingEvents: 40))
    do {
      let held = try EventFolder(lockingFolderAt: folder.url.path, patience: 0)
      for number in 0..<200 { log.record(try .numbered(number)) }
      let status = log.status
      // At most one batch has left the waiting ones.
      #expect(status.written == 0 && (40...80).contains(status.waiting))
      #expect(status.dropped == 200 - status.waiting && status.recorded == 200)
      let isOptedOut = held.isOptedOut
      #expect(!isOptedOut)
    }
    try await log.close()
    let status = log.status
    #expect(try folder.read().events.count == status.written)
    #expect(status.written + status.dropped == 200 && status.written >= 40)
  }

  @Test("A lock that is held too long is an error that says so, and the batch is counted")
  func heldLock() async throws {
    let folder = try ScratchFolder()
    let held = try EventFolder(lockingFolderAt: folder.url.path, patience: 0)
    #expect(throws: TelemetryError.locked(path: folder.url.path)) {
      _ = try EventFolder(lockingFolderAt: folder.url.path, patience: 0.02)
    }
    let isOptedOut = held.isOptedOut
    #expect(!isOptedOut)
  }

  // MARK: Rotation

  @Test(
    "No file grows beyond its limit, no more files than the limit stay, and the newest events do")
  func rotationBySize() async throws {
    let folder = try ScratchFolder()
    let limits = try TelemetryLimits(fileBytes: 3000, files: 3, batchEvents: 17)
    let log = try TelemetryLog(folder: folder.url, limits: limits)
    var generator = SeededGenerator(seed: 11)
    var number = 0
    for _ in 0..<60 {
      for _ in 0..<Int(generator.next() % 50) {
        log.record(try .numbered(number))
        number += 1
      }
      try await log.flush()
      let files = try folder.files()
      #expect(files.count <= 3)
      let sizes = try files.map { try Data(contentsOf: $0).count }
      #expect(sizes.allSatisfy { $0 <= 3000 })
      #expect(sizes.reduce(0, +) <= limits.totalBytes)
      let read = try folder.read()
      #expect(read.summary.damagedLines == 0)
      #expect(read.events.map(\.number) == Array((number - read.events.count)..<number))
      // A closed file is full: the next line had no room.
      #expect(sizes.dropLast().allSatisfy { $0 > 3000 - EventLine.longest })
    }
    #expect(number > 500 && log.status.written == number)
  }

  @Test("A file is written to for seven days by the given clock, and no longer")
  func rotationByAge() async throws {
    let folder = try ScratchFolder()
    let clock = Clock(1_700_000_000)
    let log = try TelemetryLog(folder: folder.url) { clock.now }
    func record(_ number: Int, after seconds: Double, files: Int) async throws {
      clock.advance(seconds)
      log.record(try .numbered(number))
      try await log.flush()
      #expect(try folder.files().count == files, "event \(number)")
    }
    let day = 86_400.0
    try await record(0, after: 0, files: 1)
    try await record(1, after: 6.99 * day, files: 1)
    try await record(2, after: 0.01 * day, files: 2)
    try await record(3, after: 7 * day, files: 3)
    try await record(4, after: 7 * day, files: 4)
    #expect(try folder.read().events.map(\.number) == [0, 1, 2, 3, 4])
    // The fifth file is one too many.
    try await record(5, after: 7 * day, files: 4)
    #expect(try folder.read().events.map(\.number) == [2, 3, 4, 5])
    // A clock set back begins a new file too, behind the others.
    try await record(6, after: -400 * day, files: 4)
    try await record(7, after: day, files: 4)
    #expect(try folder.read().events.map(\.number) == [3, 4, 5, 6, 7])
  }

  @Test("What is older than four files' time is deleted when a log is opened")
  func retention() async throws {
    let folder = try ScratchFolder()
    let clock = Clock(1_700_000_000)
    let log = try TelemetryLog(folder: folder.url) { clock.now }
    log.record(try .numbered(1))
    try await log.close()
    clock.advance(28 * 86_400)
    _ = try TelemetryLog(folder: folder.url) { clock.now }
    #expect(try folder.read().events.count == 1)
    clock.advance(1)
    _ = try TelemetryLog(folder: folder.url) { clock.now }
    #expect(try folder.files().isEmpty)
    #expect(TelemetryLimits.standard.retention == 28 * 86_400)
    #expect(TelemetryLimits.standard.fileAge == 7 * 86_400)
    #expect(TelemetryLimits.standard.fileBytes == 10_000_000)
    #expect(TelemetryLimits.standard.totalBytes == 40_000_000)
  }

  @Test("Clocks that show nonsense change nothing but the names")
  func nonsenseClocks() async throws {
    for seconds in [Double.nan, .infinity, -.infinity, -1e300, 1e300, 0] {
      let folder = try ScratchFolder()
      let log = try TelemetryLog(folder: folder.url) { Date(timeIntervalSince1970: seconds) }
      log.record(try .numbered(3))
      try await log.close()
      #expect(try folder.read().events == [try .numbered(3)])
    }
  }

  @Test("A log opened again goes on in the same file")
  func reopening() async throws {
    let folder = try ScratchFolder()
    for number in 0..<5 {
      let log = try TelemetryLog(folder: folder.url) { Date(timeIntervalSince1970: 1000) }
      log.record(try .numbered(number))
      try await log.close()
    }
    #expect(try folder.files().count == 1)
    #expect(try folder.read().events.map(\.number) == [0, 1, 2, 3, 4])
  }

  // MARK: Opting out

  @Test("Opting out deletes everything, holds for other logs and later ones, and can be taken back")
  func optOut() async throws {
    let folder = try ScratchFolder()
    let limits = try TelemetryLimits(fileBytes: 1000, batchEvents: 5, delay: 3600)
    let log = try TelemetryLog(folder: folder.url, limits: limits)
    let other = try TelemetryLog(folder: folder.url, limits: limits)
    for number in 0..<22 { log.record(try .numbered(number)) }
    try await log.flush()
    #expect(try folder.files().count > 1)
    log.record(try .numbered(22))
    other.record(try .numbered(23))
    try await log.optOut()
    #expect(try folder.files().isEmpty && log.status.isOptedOut)
    #expect(log.status.declined == 1 && log.status.waiting == 0)

    log.record(try .numbered(24))
    try await log.flush()
    // The other log finds out when it writes.
    try await other.flush()
    #expect(other.status.isOptedOut && other.status.declined == 1 && other.status.written == 0)
    other.record(try .numbered(25))
    try await other.close()
    #expect(try folder.files().isEmpty && other.status.declined == 2)

    let later = try TelemetryLog(folder: folder.url)
    #expect(later.status.isOptedOut)
    later.record(try .numbered(26))
    try await later.flush()
    #expect(try folder.files().isEmpty && later.status.declined == 1)
    try await later.optIn()
    #expect(!later.status.isOptedOut)
    later.record(try .numbered(27))
    try await later.close()
    #expect(try folder.read().events == [try .numbered(27)])
  }

  @Test("Events left by a process killed while it opted out are deleted by the next")
  func halfOptedOut() async throws {
    let folder = try ScratchFolder()
    let log = try TelemetryLog(folder: folder.url)
    log.record(try .numbered(1))
    try await log.close()
    try folder.write("opted-out", [])
    _ = try TelemetryLog(folder: folder.url)
    #expect(try folder.files().isEmpty)
  }

  @Test("Opting out while many record leaves nothing behind")
  func optOutWhileRecording() async throws {
    let folder = try ScratchFolder()
    let log = try TelemetryLog(
      folder: folder.url, limits: TelemetryLimits(batchEvents: 3, delay: 0))
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<500 {
            if let event = try? TelemetryEvent.numbered(task * 500 + number) { log.record(event) }
            if task == 0, number == 100 { try? await log.optOut() }
          }
        }
      }
    }
    try await log.flush()
    #expect(try folder.files().isEmpty)
    let status = log.status
    #expect(status.recorded == 2000 && status.isOptedOut)
    #expect(status.written + status.declined + status.dropped == 2000)
  }

  // MARK: Many at a time

  @Test("Many tasks on several logs in one folder: every event is there once")
  func concurrency() async throws {
    let folder = try ScratchFolder()
    let limits = try TelemetryLimits(
      fileBytes: 20_000, files: 1000, batchEvents: 16, delay: 0.001, waitingEvents: 100_000)
    let logs = try (0..<3).map { _ in try TelemetryLog(folder: folder.url, limits: limits) }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<400 {
            if let event = try? TelemetryEvent.numbered(task * 400 + number) {
              logs[number % 3].record(event)
            }
          }
        }
      }
    }
    for log in logs { try await log.close() }
    let read = try folder.read()
    #expect(read.events.map(\.number).sorted() == Array(0..<3200))
    #expect(read.summary.damagedLines == 0 && read.summary.files > 10)
  }

  @Test("A closed log drops and counts, and closing again does nothing")
  func closed() async throws {
    let folder = try ScratchFolder()
    let log = try TelemetryLog(folder: folder.url)
    try await log.close()
    log.record(try .numbered(1))
    try await log.close()
    await #expect(throws: TelemetryError.closed) { try await log.flush() }
    #expect(throws: TelemetryError.closed) { try log.flushAndWait() }
    #expect(log.status.dropped == 1 && log.status.recorded == 1)
    #expect(try folder.files().isEmpty)
  }

  @Test("Events of a log that nobody holds any more are written all the same")
  func released() async throws {
    let folder = try ScratchFolder()
    do {
      let log = try TelemetryLog(folder: folder.url, limits: TelemetryLimits(delay: 0.01))
      log.record(try .numbered(1))
    }
    try await wait { (try? folder.read().events.count) == 1 }
  }

  @Test("Limits outside their ranges are refused")
  func limits() throws {
    #expect(throws: TelemetryError.self) { try TelemetryLimits(fileBytes: 999) }
    #expect(throws: TelemetryError.self) { try TelemetryLimits(fileBytes: .max) }
    for value in [0, -1, .nan, .infinity] {
      #expect(throws: TelemetryError.self) { try TelemetryLimits(fileAge: value) }
    }
    for value in [-1, .nan, 3601] {
      #expect(throws: TelemetryError.self) { try TelemetryLimits(delay: value) }
    }
    for value in [0, -1, .max] {
      #expect(throws: TelemetryError.self) { try TelemetryLimits(files: value) }
      #expect(throws: TelemetryError.self) { try TelemetryLimits(batchEvents: value) }
    }
    #expect(throws: TelemetryError.self) {
      try TelemetryLimits(batchEvents: 100, waitingEvents: 99)
    }
  }
}
