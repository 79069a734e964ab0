import Foundation
import TestSupport
import Testing

@testable import CountHistory

@Suite("Processes that are killed or are many, and full disks")
struct DurabilityTests {
  /// Checks that a history is that of the script after `promised` changes, or one more that there was
  /// no time to tell of, and brings the script there.
  private func check(
    _ history: HistoryFile, _ script: inout HistoryScript, promised: Int
  ) async throws {
    let found = try await history.entries()
    #expect(script.count <= promised)
    while script.count < promised { script.advance() }
    if try found != expected(script) { script.advance() }
    #expect(try found == expected(script), "after \(promised) changes")
  }

  private func expected(_ script: HistoryScript) throws -> [HistoryEntry] {
    try script.entries.reversed().map { try HistoryEntry($0) }
  }

  @Test("Killed at 500 seeded moments: every change is found again, and nothing half")
  func killed() async throws {
    var generator = SeededGenerator(seed: 500)
    let folder = try ScratchFolder()
    var script = HistoryScript(capacity: HistoryScript.limit)
    var (begun, leftLogs, full) = (0, 0, 0)
    // The first half begins with a full history, however little a loaded machine does before a kill.
    let (filling, _) = try Writer.start(folder.history.url, done: 0, changes: 400)
    filling.waitUntilExit()
    while script.count < 400 { script.advance() }
    #expect(script.entries.count > 90)
    for moment in 0..<500 {
      let (process, output) = try Writer.start(
        folder.history.url, done: script.count, changes: 1_000_000)
      // It says when it begins, and may have said more by then.
      let beginning = output.availableData
      #expect(beginning.count > 0)
      usleep(useconds_t(generator.next() % 30_000))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      let text = String(decoding: beginning + output.readDataToEndOfFile(), as: UTF8.self)
      #expect(!text.contains("failed"), "\(text)")
      let promised = text.split(separator: "\n").compactMap { Int($0) }.last ?? script.count
      if try folder.names().contains("history.sqlite-wal") { leftLogs += 1 }
      try await check(folder.history, &script, promised: promised)
      if script.count > promised { begun += 1 }
      if script.entries.count == HistoryScript.limit { full += 1 }
      // Then it all begins anew, so that a small file is killed too.
      if moment % 250 == 249 {
        try FileManager.default.removeItem(at: folder.url)
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        script = HistoryScript(capacity: HistoryScript.limit)
      }
    }
    print("killed: \(leftLogs) logs left, \(begun) changes beyond those told, \(full) times full")
    // Else nothing was ever cut short, or no entry ever made room, and the test shows nothing.
    #expect(leftLogs > 50 && begun > 0 && full > 100)
  }

  @Test("Killed while the file is made: with the first entry in it, or with none")
  func killedAtOnce() async throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<60 {
      let folder = try ScratchFolder()
      let (process, output) = try Writer.start(folder.history.url, done: 0, changes: 1, "add", "1")
      #expect(output.availableData.count > 0)
      usleep(useconds_t(generator.next() % 4_000))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
      let numbers = try await folder.history.numbers()
      #expect(numbers == [0] || (numbers.isEmpty && !text.contains("1")))
      if numbers.isEmpty { try await folder.history.fill([0]) }
      #expect(try await folder.history.entry(HistoryScript.id(0)) == .sample(0))
    }
  }

  @Test("Two processes that add 1,000 entries each end with the newest 100, none of them damaged")
  func twoProcesses() async throws {
    let folder = try ScratchFolder()
    let writers = try (0..<2).map {
      try Writer.start(folder.history.url, done: $0, changes: 1000, "add", "2")
    }
    var reads = 0
    while writers.contains(where: \.process.isRunning) {
      let seen = try await folder.history.entries()
      #expect(try seen.allSatisfy { try $0 == .sample($0.count) } && seen.count <= 100)
      reads += 1
      try await Task.sleep(nanoseconds: 20_000_000)
    }
    for (process, output) in writers {
      process.waitUntilExit()
      let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
      #expect(text.hasSuffix("done\n"), "\(text.suffix(200))")
    }
    #expect(reads > 0)
    let expected = try (1900..<2000).reversed().map { try HistoryEntry.sample($0) }
    #expect(try await folder.history.entries() == expected)
    // What was written beside the file is gone with the last connection.
    #expect(try folder.names() == ["history.sqlite"])
  }

  @Test("Processes that make the file at the same time, and others that read it")
  func madeAtOnce() async throws {
    for _ in 0..<15 {
      let folder = try ScratchFolder()
      let writers = try (0..<4).map {
        try Writer.start(folder.history.url, done: $0, changes: 1, "add", "1")
      }
      while writers.contains(where: \.process.isRunning) {
        let seen = try await folder.history.entries()
        #expect(try seen.allSatisfy { try $0 == .sample($0.count) })
      }
      for (process, output) in writers {
        process.waitUntilExit()
        let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.hasSuffix("done\n"), "\(text)")
      }
      #expect(try await folder.history.numbers() == [3, 2, 1, 0])
    }
  }

  @Test("Many tasks of one process add at the same time, and none is lost")
  func manyTasks() async throws {
    let folder = try ScratchFolder()
    let history = folder.history
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<20 {
        group.addTask { try await history.fill((task * 5)..<(task * 5 + 5)) }
      }
      try await group.waitForAll()
    }
    #expect(try await history.numbers() == (0..<100).reversed())
  }

  @Test(
    "A full disk: what was committed stays, the rest is an error, and with room it goes on",
    arguments: [0, 100, 4_095, 4_097, 12_000, 20_000, 32_767, 33_000, 50_000, 200_000, 400_000])
  func fullDisk(bytes: Int) async throws {
    let folder = try ScratchFolder()
    let (process, output) = try Writer.start(
      folder.history.url, done: 0, changes: 100_000, "\(bytes)")
    let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 1, "\(text)")
    #expect(text.contains("there is no space left"), "\(text.suffix(300))")
    let promised = text.split(separator: "\n").compactMap { Int($0) }.last ?? 0
    #expect(promised > 0 || bytes < 100_000)
    var script = HistoryScript(capacity: HistoryScript.limit)
    while script.count < promised { script.advance() }
    // What failed did not happen, and cannot turn up later.
    #expect(try await folder.history.entries() == expected(script))
    let (next, rest) = try Writer.start(folder.history.url, done: promised, changes: 20)
    let more = String(decoding: rest.readDataToEndOfFile(), as: UTF8.self)
    next.waitUntilExit()
    #expect(more.hasSuffix("done\n"), "\(more.suffix(300))")
    for _ in 0..<20 { script.advance() }
    #expect(try await folder.history.entries() == expected(script))
  }

  @Test("Another program that holds the file: waiting ends, by patience or by cancelling")
  func locked() async throws {
    let folder = try ScratchFolder()
    try await folder.history.fill(0..<3)
    let other = try Database(folder.history.path, .shared)
    try other.run("BEGIN IMMEDIATE")
    let hasty = HistoryFile(folder.history.url, patience: 0.05)
    let entry = try HistoryEntry.sample(3)
    await #expect(throws: HistoryError.locked(path: hasty.path)) { try await hasty.add(entry) }
    await #expect(throws: HistoryError.locked(path: hasty.path)) { try await hasty.removeAll() }
    // Readers see what was there before.
    #expect(try await hasty.numbers() == [2, 1, 0])
    let waiting = Task { try await folder.history.add(entry) }
    try await Task.sleep(nanoseconds: 20_000_000)
    waiting.cancel()
    await #expect(throws: HistoryError.cancelled) { try await waiting.value }
    let patient = Task { try await folder.history.add(entry) }
    try await Task.sleep(nanoseconds: 20_000_000)
    try other.run("COMMIT")
    #expect(try await patient.value == [])
    #expect(try await hasty.numbers() == [3, 2, 1, 0])
  }

  @Test("A task that is cancelled already changes nothing")
  func cancelled() async throws {
    let folder = try ScratchFolder()
    let history = folder.history
    let entry = try HistoryEntry.sample(1)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await history.add(entry)
    }
    task.cancel()
    await #expect(throws: HistoryError.cancelled) { try await task.value }
    #expect(try folder.names().isEmpty)
  }
}
