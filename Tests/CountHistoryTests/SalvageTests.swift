import Foundation
import TestSupport
import Testing

@testable import CountHistory

@Suite("What can be read of a damaged file")
struct SalvageTests {
  @Test("A whole file is saved whole, its order too")
  func whole() async throws {
    let story = try await Story()
    let (saved, salvage) = try await story.salvage()
    #expect(saved == story.entries)
    #expect(salvage == HistorySalvage(saved: 30, losses: []))
  }

  @Test("Neither the header nor the tree of pages need be there")
  func noStructure() async throws {
    let story = try await Story()
    var bytes = story.bytes
    // All of the header, the table of tables, and the root of the table.
    bytes.replaceSubrange(0..<8192, with: Data(repeating: 0xA5, count: 8192))
    try story.folder.write(bytes)
    await #expect(throws: HistoryError.self) { try await story.folder.history.entries() }
    #expect(try await story.salvage().entries == story.entries)
    // A header that states another length of pages.
    for size in [[2, 0], [0x20, 0], [0, 1], [0xFF, 0xFF]] as [[UInt8]] {
      bytes = story.bytes
      bytes.replaceSubrange(16..<18, with: size)
      try story.folder.write(bytes)
      #expect(try await story.salvage().entries == story.entries)
    }
  }

  @Test("Entries may be numbered by any number that a row has")
  func numbers() async throws {
    let folder = try ScratchFolder()
    let sequences: [Int64] = [.min, .max, -1, 0, .min + 1]
    let entries = try sequences.indices.map { try HistoryEntry.sample($0) }
    _ = try await folder.history.change(makesFile: true) { database throws(HistoryError) in
      for (sequence, entry) in zip(sequences, entries) {
        try database.insert(StoredEntry(sequence: sequence, entry: entry))
      }
    }
    let target = HistoryFile(folder.file("saved"))
    #expect(try await folder.history.salvage(into: target).saved == entries.count)
    #expect(try await Set(target.entries()) == Set(entries))
  }

  @Test("A page that is gone costs its rows, and that is said")
  func lostPage() async throws {
    let story = try await Story()
    var said = 0
    for page in 2..<(story.bytes.count / 4096) {
      var bytes = story.bytes
      bytes.replaceSubrange((page * 4096)..<((page + 1) * 4096), with: Data(count: 4096))
      try story.folder.write(bytes)
      let (saved, salvage) = try await story.salvage()
      #expect(saved.count >= 18)
      #expect(saved.count == 30 || !salvage.losses.isEmpty, "page \(page + 1)")
      said += salvage.losses.isEmpty ? 0 : 1
    }
    #expect(said > 5)
  }

  @Test("The limit is saved too; if it cannot be read, there is room for all that was found")
  func limit() async throws {
    let folder = try ScratchFolder()
    try await folder.history.setLimit(1500)
    try await folder.history.fill(0..<20)
    let kept = HistoryFile(folder.file("kept"))
    #expect(try await folder.history.salvage(into: kept).limit == 1500)
    #expect(try await kept.capacity() == (1500, 0))
    try folder.edit("UPDATE limits SET capacity = 3")
    let wrong = HistoryFile(folder.file("wrong"))
    let salvage = try await folder.history.salvage(into: wrong)
    #expect(salvage.saved == 20 && salvage.limit == 1000)
    #expect(salvage.losses.contains { $0.hasSuffix("the checksum of the limit is wrong") })
  }

  @Test("Deleted entries do not come back")
  func deleted() async throws {
    let folder = try ScratchFolder()
    try await folder.history.fill(0..<100)
    for number in stride(from: 0, to: 100, by: 3) {
      try await folder.history.remove(HistoryScript.id(number))
    }
    let left = try await folder.history.entries()
    let target = HistoryFile(folder.file("saved"))
    #expect(try await folder.history.salvage(into: target).saved == left.count)
    #expect(try await target.entries() == left)
    try await folder.history.removeAll()
    let empty = HistoryFile(folder.file("empty"))
    #expect(try await folder.history.salvage(into: empty) == HistorySalvage())
    #expect(try await empty.entries().isEmpty)
  }

  @Test("Changes that are in the log only are saved with it, and without its damaged end")
  func log() async throws {
    let folder = try ScratchFolder()
    try await folder.history.fill(0..<10)
    // A connection that stays open keeps the others from moving the log into the file.
    let reader = try Database(folder.history.path, .shared)
    try reader.run("BEGIN")
    _ = try reader.entries()
    try await folder.history.fill(10..<15)
    try await folder.history.remove(HistoryScript.id(3))
    let entries = try await folder.history.entries()
    #expect(entries.count == 14)
    let copy = try ScratchFolder()
    let (file, log) = (try folder.read(), try folder.read("history.sqlite-wal"))
    try copy.write(file)
    try copy.write(log, "history.sqlite-wal")
    let saved = HistoryFile(copy.file("saved"))
    #expect(try await copy.history.salvage(into: saved) == HistorySalvage(saved: 14))
    #expect(try await saved.entries() == entries)
    // What SQLite makes of a log cut anywhere is what is saved of it.
    var counts: Set<Int> = []
    for length in stride(from: 0, through: log.count, by: 1717) {
      let cut = try ScratchFolder()
      try cut.write(file)
      try cut.write(log.prefix(length), "history.sqlite-wal")
      let saved = HistoryFile(cut.file("saved"))
      _ = try await cut.history.salvage(into: saved)
      let found = try await saved.entries()
      #expect(try await cut.history.entries() == found, "\(length)")
      counts.insert(found.count)
    }
    #expect(counts.isSuperset(of: [10, 11, 12, 13, 14, 15]))
  }

  @Test("Of a page that the log numbers far beyond the file, those before it are not looked for")
  func farPage() {
    let log = Self.log(ofPage: 4_000_000_000)
    let pages = DatabasePages(file: Data(count: 8192), log: log, size: 4096)
    #expect(pages.numbers == [1, 2, 4_000_000_000])
    #expect(pages.count == 4_000_000_000 && pages.promised == 4_000_000_000)
    #expect(pages.page(4_000_000_000) == [UInt8](repeating: 0, count: 4096))
    #expect(HistoryFile.found(in: Data(count: 8192), log: log).entries.isEmpty)
  }

  /// A log that commits one page, of zeros ("Database File Format", section 4).
  private static func log(ofPage number: UInt32) -> Data {
    var log = Data(count: 32 + 24 + 4096)
    func put(_ value: UInt32, at offset: Int) {
      withUnsafeBytes(of: value.bigEndian) { log.replaceSubrange(offset..<(offset + 4), with: $0) }
    }
    func word(at offset: Int) -> UInt32 {
      log[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
    var (first, second): (UInt32, UInt32) = (0, 0)
    func sum(_ range: Range<Int>) {
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        first &+= word(at: offset) &+ second
        second &+= word(at: offset + 4) &+ first
      }
    }
    // Checksums are of big-endian words; the salts are zeros.
    put(0x377F_0683, at: 0)
    put(3_007_000, at: 4)
    put(4096, at: 8)
    sum(0..<24)
    put(first, at: 24)
    put(second, at: 28)
    put(number, at: 32)
    put(number, at: 36)
    sum(32..<40)
    sum(56..<(56 + 4096))
    put(first, at: 48)
    put(second, at: 52)
    return log
  }

  @Test("A salvage never writes over anything, and needs something to look at")
  func refusals() async throws {
    let story = try await Story()
    let history = story.folder.history
    let other = HistoryFile(story.folder.file("other"))
    try await other.fill([1])
    for target in [history, other] {
      await #expect(throws: HistoryError.exists(path: target.path)) {
        try await history.salvage(into: target)
      }
    }
    #expect(try await other.numbers() == [1])
    let target = HistoryFile(story.folder.file("target"))
    try story.folder.write(Data("Dear Sir or Madam,\n".utf8), "text")
    for name in ["none", "text"] {
      await #expect(throws: HistoryError.self) {
        try await HistoryFile(story.folder.file(name)).salvage(into: target)
      }
    }
    await #expect(throws: HistoryError.self) {
      try await HistoryFile(story.folder.url).salvage(into: target)
    }
    #expect(try story.folder.names().contains("target") == false)
  }

  @Test("20,000 files of chance, of which some begin like pages: nothing is found, nothing traps")
  func chance() throws {
    var generator = SeededGenerator(seed: 3)
    for trial in 0..<20_000 {
      let count = Int(generator.next() % 3000)
      var bytes = Data((0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
      if trial % 2 == 0, count > 200 {
        bytes.replaceSubrange(16..<18, with: [2, 0])
        bytes[100] = [0x0D, 0x05][trial / 2 % 2]
        if count > 600 { bytes[512] = 0x0D }
        bytes[103] = 0
      }
      let log = bytes.prefix(Int(generator.next() % UInt64(count + 1)))
      let found = HistoryFile.found(in: bytes, log: log)
      #expect(found.entries.isEmpty)
    }
  }

  @Test("Numbers of one to nine bytes, as SQLite writes them")
  func variable() {
    for (bytes, value) in [
      ([0x00], 0), ([0x7F], 127), ([0x81, 0x00], 128), ([0xFF, 0x7F], 16_383),
      ([0x81, 0x80, 0x00], 16_384),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], -1),
      ([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01], 1),
    ] as [([UInt8], Int64)] {
      var cursor = RecordCursor(bytes)
      #expect(cursor.variable() == value)
      var short = RecordCursor(Array(bytes.dropLast()))
      #expect(short.variable() == nil)
    }
  }
}
