import Foundation
import TestSupport
import Testing

@testable import CountHistory

/// A history of 30 entries, and what it holds.
struct Story {
  let folder: ScratchFolder
  let entries: [HistoryEntry]
  let bytes: Data

  init() async throws {
    folder = try ScratchFolder()
    for number in 0..<30 {
      // Mostly short ones, so that a flipped bit meets all parts of a row.
      let whole = try HistoryEntry.sample(number, isFavorite: number % 7 == 0)
      let thumbnail = number % 5 == 0 ? whole.thumbnail : whole.thumbnail?.prefix(300)
      try await folder.history.add(
        HistoryEntry(
          id: whole.id, time: whole.time, count: number, imageName: whole.imageName,
          thresholds: ["number": number], thumbnail: thumbnail.map { Data($0) },
          isFavorite: whole.isFavorite))
    }
    entries = try await folder.history.entries()
    bytes = try folder.read()
  }

  /// Salvages the file as it is now, checks that all saved is as it was written, and answers it.
  func salvage() async throws -> (entries: [HistoryEntry], salvage: HistorySalvage) {
    let target = HistoryFile(folder.file("saved-\(UUID().uuidString)"))
    let before = try folder.read()
    let salvage = try await folder.history.salvage(into: target)
    #expect(try folder.read() == before)
    let saved = try await target.entries()
    #expect(saved.count == salvage.saved)
    #expect(saved == entries.filter { Set(saved).contains($0) })
    #expect(salvage.losses.allSatisfy { !$0.contains("\n") && $0.count < 200 })
    try FileManager.default.removeItem(at: target.url)
    return (saved, salvage)
  }
}

@Suite("Damaged and foreign files")
struct DamageTests {
  @Test("What is no history is told from one that is damaged, and is left as it is")
  func impostors() async throws {
    let folder = try ScratchFolder()
    try folder.write(Data("Dear Sir or Madam,\n".utf8), "text")
    try folder.write(Data(count: 10_000), "zeros")
    try FileManager.default.createDirectory(
      at: folder.file("folder"), withIntermediateDirectories: true)
    #expect(mkfifo(folder.file("pipe").path, 0o600) == 0)
    try folder.write(Data(), "other")
    try folder.edit("CREATE TABLE entries (a)", "INSERT INTO entries VALUES (1)", name: "other")
    try folder.write(Data(), "vast")
    #expect(truncate(folder.file("vast").path, 1 << 40) == 0)
    let entry = try HistoryEntry.sample(1)
    for (name, reason) in [
      ("text", "not a SQLite database"), ("zeros", "not a SQLite database"),
      ("folder", "it is a folder, and a history is a file"), ("pipe", "it is not a file"),
      ("other", "it is the database of another program"), ("vast", "longer than any history"),
    ] {
      let history = HistoryFile(folder.file(name))
      let size = try FileManager.default.attributesOfItem(atPath: history.path)[.size] as? Int
      for call in [
        { try await _ = history.entries() }, { try await _ = history.add(entry) },
        { try await _ = history.remove(entry.id) }, { try await _ = history.removeAll() },
        { try await _ = history.setFavorite(true, entry.id) },
      ] as [@Sendable () async throws -> Void] {
        let error = await #expect(throws: HistoryError.self) { try await call() }
        #expect(error?.description.contains(reason) == true, "\(name) \(String(describing: error))")
        #expect(error?.description.contains("\n") == false)
      }
      let after = try FileManager.default.attributesOfItem(atPath: history.path)[.size] as? Int
      #expect(after == size)
    }
    for path in [folder.file("text").path + "/below", "/proc/nothing/history"] {
      let history = HistoryFile(URL(fileURLWithPath: path))
      await #expect(throws: HistoryError.self) { try await history.add(entry) }
    }
    // Nor does it wait for a pipe in place of a file that SQLite looks for beside the history.
    for ending in ["-journal", "-wal", "-shm"] {
      let history = HistoryFile(folder.file("beside"))
      try await history.add(entry)
      #expect(mkfifo(history.path + ending, 0o600) == 0)
      await #expect(throws: HistoryError.self) { try await history.entries() }
      await #expect(throws: HistoryError.self) { try await history.removeAll() }
      #expect(unlink(history.path + ending) == 0)
      #expect(try await history.numbers() == [1])
      try await history.removeAll()
    }
    // A link to nothing is followed, and made.
    try FileManager.default.createSymbolicLink(
      at: folder.file("link"), withDestinationURL: folder.file("linked"))
    try await HistoryFile(folder.file("link")).add(entry)
    #expect(try await HistoryFile(folder.file("linked")).numbers() == [1])
  }

  @Test("A file that may not be written is read, and changing it is an error")
  func readOnly() async throws {
    let folder = try ScratchFolder()
    let deep = folder.file("a ?#%é")
    let history = HistoryFile(deep.appendingPathComponent("history.sqlite"))
    try await history.fill(0..<3)
    func permit(_ permissions: Int, _ path: String) throws {
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }
    try permit(0o400, history.path)
    try permit(0o500, deep.path)
    defer { try? permit(0o700, deep.path) }
    #expect(try await history.numbers() == [2, 1, 0])
    // Whoever may write everywhere can write here too.
    guard access(deep.path, W_OK) != 0 else { return }
    let error = await #expect(throws: HistoryError.self) { try await history.fill([3]) }
    #expect(error?.description.contains("cannot be written") == true)
    #expect(try await history.numbers() == [2, 1, 0])
    try permit(0, history.path)
    let other = await #expect(throws: HistoryError.self) { try await history.entries() }
    #expect(other?.description.contains("cannot be read") == true)
  }

  @Test("Frozen files are read without anything beside them, whatever their names")
  func frozen() async throws {
    let folder = try ScratchFolder()
    let url = folder.file("a ?#%25é&immutable=0")
    let history = HistoryFile(url)
    try await history.fill(0..<3)
    let database = try Database(url.path, .frozen)
    #expect(try database.entries().map(\.entry.count) == [2, 1, 0])
    #expect(try folder.names().count == 1)
  }

  @Test("A file cut short at any page: an error, and what is left of it is saved")
  func truncated() async throws {
    let story = try await Story()
    var savedSome = 0
    for length in Array(stride(from: 1, to: story.bytes.count, by: 2048)) {
      try story.folder.write(story.bytes.prefix(length))
      await #expect(throws: HistoryError.self) { try await story.folder.history.entries() }
      await #expect(throws: HistoryError.self) { try await story.folder.history.fill([100]) }
      guard length >= 16 else { continue }
      let (saved, salvage) = try await story.salvage()
      if !saved.isEmpty { savedSome += 1 }
      #expect(saved.count < 30 || length > story.bytes.count - 4096)
      if length >= 100 { #expect(!salvage.losses.isEmpty) }
    }
    #expect(savedSome > 5)
  }

  @Test("5000 flipped bits: all is as it was, or an error; never a wrong entry or one less")
  func flippedBits() async throws {
    let story = try await Story()
    var generator = SeededGenerator(seed: 71)
    let whole = Set(story.entries)
    var (errors, same, saved, lost) = (0, 0, 0, 0)
    for trial in 0..<5000 {
      var bytes = story.bytes
      var places: [Int] = []
      for _ in 0..<(trial % 10 == 0 ? 20 : 1) {
        // Half of them where the structure is: the first page, and the beginnings of others.
        let page = Int(generator.next() % UInt64(bytes.count / 4096))
        places.append(
          trial % 2 == 0
            ? Int(generator.next() % 120) + (trial % 4 == 0 ? 0 : page * 4096)
            : Int(generator.next() % UInt64(bytes.count)))
        bytes[places.last ?? 0] ^= 1 << UInt8(generator.next() % 8)
      }
      // In place, as it takes a disk's time to write a file anew.
      try story.folder.patch(places, of: bytes)
      defer { try? story.folder.patch(places, of: story.bytes) }
      switch await story.folder.history.outcome() {
      case .success(let found):
        #expect(found == story.entries, "trial \(trial)")
        same += 1
      case .failure(let error):
        #expect(!error.description.contains("\n"), "\(error)")
        errors += 1
      }
      let found = HistoryFile.found(in: bytes, log: Data()).entries.map(\.entry)
      #expect(Set(found).isSubset(of: whole))
      guard trial % 10 != 0 else { continue }
      saved += found.count
      lost += 30 - found.count
      // The rows of one page are the most that one bit costs.
      #expect(found.count >= 12, "trial \(trial)")
    }
    print("flipped: \(errors) errors, \(same) as before; \(saved) saved, \(lost) lost")
    #expect(errors > 3000 && same > 50)
    #expect(Double(saved) > 0.97 * Double(saved + lost))
  }

  @Test("Changing a damaged file is an error that leaves it as it is")
  func changesOfDamaged() async throws {
    let story = try await Story()
    let pages = DatabasePages(file: story.bytes, log: Data(), size: 4096)
    let leaf = try #require((2..<pages.count).last { pages.kind(ofPage: $0) == .leaf })
    // The number of rows of a leaf, where its last row begins, and the list of free pages.
    for place in [(leaf - 1) * 4096 + 4, (leaf - 1) * 4096 + 9, 35] {
      var bytes = story.bytes
      bytes[place] ^= 1
      try story.folder.write(bytes)
      let history = story.folder.history
      await #expect(throws: HistoryError.self) { try await history.entries() }
      await #expect(throws: HistoryError.self) { try await history.fill([200]) }
      await #expect(throws: HistoryError.self) { try await history.removeAll() }
      #expect(try await story.salvage().entries.count >= 18)
      #expect(try story.folder.read() == bytes)
    }
  }

  @Test("An entry that is not what was written is neither made a favourite nor makes room")
  func wrongChecksum() async throws {
    let folder = try ScratchFolder()
    let history = folder.history
    try await history.setLimit(100)
    try await history.fill([0], isFavorite: true)
    try await history.fill(1..<100)
    try folder.edit("UPDATE entries SET favorite = 0 WHERE sequence = 1")
    for call in [
      { try await history.fill([100]) },
      { try await history.setFavorite(true, HistoryScript.id(0)) },
      { try await _ = history.entries() }, { try await _ = history.entry(HistoryScript.id(0)) },
    ] as [@Sendable () async throws -> Void] {
      let error = await #expect(throws: HistoryError.self) { try await call() }
      #expect(error?.description.contains("the checksum of entry") == true)
    }
    // What can be read can be read, and the bad one can be deleted.
    #expect(try await history.entry(HistoryScript.id(5)) == .sample(5))
    #expect(try await history.remove(HistoryScript.id(0)))
    #expect(try await history.entries().count == 99)
  }

  @Test(
    "A file that another program changed is damage, or its entries are those that were written",
    arguments: [
      "UPDATE entries SET count = 5 WHERE sequence = 3", "UPDATE entries SET name = 'x'",
      "UPDATE entries SET name = x'FF'", "UPDATE entries SET time = 'soon'",
      "UPDATE entries SET time = 1e300", "UPDATE entries SET count = -1",
      "UPDATE entries SET id = x'00'", "UPDATE entries SET thresholds = ''",
      "UPDATE entries SET thumbnail = zeroblob(10000000) WHERE sequence = 3",
      "UPDATE entries SET thumbnail = NULL", "UPDATE entries SET favorite = 2 WHERE sequence = 2",
      "UPDATE entries SET sequence = sequence + 100", "ALTER TABLE entries DROP COLUMN name",
      "ALTER TABLE entries RENAME COLUMN name TO other", "DROP TABLE entries",
      "ALTER TABLE entries RENAME TO others", "CREATE TABLE more (a)",
      "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END",
      "CREATE VIEW v AS SELECT 1", "PRAGMA user_version = 0", "PRAGMA user_version = -5",
      "PRAGMA application_id = 7",
      """
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      INSERT INTO entries (sequence, id, time, count, favorite, name, thresholds, checksum)
      SELECT i, id, time, count, favorite, name, thresholds, checksum
      FROM n, entries WHERE sequence = 1
      """,
      "DROP TABLE limits", "DELETE FROM limits", "UPDATE limits SET capacity = 1",
      "UPDATE limits SET capacity = 'many'", "UPDATE limits SET dropped = -1",
      "INSERT INTO limits SELECT 2, capacity, dropped, checksum FROM limits",
    ])
  func edited(statement: String) async throws {
    let folder = try ScratchFolder()
    try await folder.history.fill(0..<5)
    try folder.edit(statement)
    let error = await #expect(throws: HistoryError.self) {
      try await folder.history.entries()
    }
    #expect(error?.description.contains("\n") == false)
    let target = HistoryFile(folder.file("saved"))
    let salvage = try await folder.history.salvage(into: target)
    #expect(try await target.entries().allSatisfy { try $0 == .sample($0.count) })
    #expect(salvage.saved <= 5)
  }

  @Test("A copy in the journal of old is read and written as well")
  func otherJournal() async throws {
    let folder = try ScratchFolder()
    try await folder.history.fill(0..<3)
    try folder.edit("PRAGMA journal_mode = DELETE", "VACUUM")
    #expect(try await folder.history.numbers() == [2, 1, 0])
    try await folder.history.fill([3])
    #expect(try await folder.history.numbers() == [3, 2, 1, 0])
  }

  // MARK: Versions

  /// The schema with two steps more, of which the last can be one that fails.
  private func later(fails: Bool = false) -> HistorySchema {
    HistorySchema(
      steps: HistorySchema.current.steps + [
        ["UPDATE entries SET name = name"],
        fails ? ["UPDATE entries SET name = NULL", "UPDATE nothing SET a = 1"] : [],
      ])
  }

  @Test("A later version is refused, and left as it is")
  func future() async throws {
    let folder = try ScratchFolder()
    let later = HistoryFile(folder.history.url, schema: later())
    try await later.fill(0..<3)
    let before = try folder.read()
    let error = HistoryError.fromTheFuture(path: later.path, version: 4)
    #expect(error.description.contains("this is version 4 of the format, and this program reads"))
    await #expect(throws: error) { try await folder.history.entries() }
    await #expect(throws: error) { try await folder.history.fill([4]) }
    await #expect(throws: error) { try await folder.history.removeAll() }
    #expect(try folder.read() == before)
    #expect(try await later.numbers() == [2, 1, 0])
  }

  @Test("An earlier version is brought forward by who reads or writes first, whole or not at all")
  func migration() async throws {
    for reads in [true, false] {
      let folder = try ScratchFolder()
      try await folder.history.setLimit(100)
      try await folder.history.fill(0..<100)
      let entries = try await folder.history.entries()
      let failing = HistoryFile(folder.history.url, schema: later(fails: true))
      await #expect(throws: HistoryError.self) { try await failing.entries() }
      // The first of the steps was not kept either.
      #expect(try await folder.history.entries() == entries)
      let later = HistoryFile(folder.history.url, schema: later())
      if reads {
        #expect(try await later.entries() == entries)
      } else {
        try await later.fill([100])
        #expect(try await later.numbers() == (1...100).reversed())
      }
      await #expect(throws: HistoryError.fromTheFuture(path: later.path, version: 4)) {
        try await folder.history.entries()
      }
    }
  }

  /// The history of version 1, which this module wrote before there were limits and folders: its
  /// statements, and the values of its rows.
  private static let first = HistorySchema(steps: [HistorySchema.current.steps[0]])

  @Test("Version 1 comes forward with every entry as it was, and its salvage reads it as it stands")
  func versionOne() async throws {
    for way in ["read", "add", "salvage"] {
      let folder = try ScratchFolder()
      try folder.write(Data())
      let expected = try (0..<100).map { try HistoryEntry.sample($0, isFavorite: $0 % 9 == 0) }
      try Self.write(expected, to: folder)
      switch way {
      case "read": #expect(try await folder.history.entries() == expected.reversed())
      case "add":
        // 100 was the most, and is no more.
        #expect(try await folder.history.add(.sample(100)) == [])
        #expect(try await folder.history.entries().dropFirst() == expected.reversed()[...])
      default:
        let target = HistoryFile(folder.file("saved"))
        let salvage = try await folder.history.salvage(into: target)
        #expect(salvage == HistorySalvage(saved: 100))
        #expect(try await target.entries() == expected.reversed())
      }
      if way != "salvage" {
        #expect(try await folder.history.setFavorite(true, HistoryScript.id(1)))
        #expect(try await folder.history.entry(HistoryScript.id(1))?.isFavorite == true)
        #expect(try await folder.history.capacity() == (1000, 0))
      }
    }
  }

  private static func write(_ entries: [HistoryEntry], to folder: ScratchFolder) throws {
    let database = try Database(folder.history.path, .shared)
    try database.prepareToWrite()
    try first.upgrade(database)
    for (index, entry) in entries.enumerated() {
      let values = StoredEntry(sequence: Int64(index + 1), entry: entry).values.prefix(8)
      try database.run(
        """
        INSERT INTO entries (
          sequence, id, time, count, favorite, name, thresholds, thumbnail, checksum)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, [.integer(Int64(index + 1))] + values)
    }
  }
}
