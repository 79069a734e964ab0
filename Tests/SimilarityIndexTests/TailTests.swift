import Foundation
import TestSupport
import Testing

@testable import SimilarityIndex

@Suite("What follows the last undamaged commit")
struct TailTests {
  /// An index of several commits, and where its log ends with each.
  struct Log {
    let story: DamageTests.Story
    let whole: [UInt8]
    /// The end of the last commit but one.
    let earlier: Int
    /// The beginning of the last record, which is a commit.
    var last: Int { whole.count - 64 }

    init() throws {
      story = try DamageTests.Story()
      let bytes = try story.folder.read("entries")
      let commits = stride(from: 128, to: bytes.count, by: 64).filter { bytes[$0] == 3 }
      whole = bytes
      earlier = try #require(commits.dropLast().last) + 64
      #expect(commits.last == whole.count - 64 && commits.count == 6)
    }

    var index: URL { story.folder.index }

    func write(_ bytes: [UInt8]) throws { try story.folder.write("entries", bytes) }

    func damage(at offset: Int) -> SimilarityIndexError {
      .damaged(
        path: story.folder.file("entries").path, offset: offset,
        reason: "the checksum of record \((offset - 128) / 64) is wrong, "
          + "and no interrupted write leaves this")
    }

    /// Expects that nothing opens the index, and that it is left as it is.
    func expectDamage(at offset: Int, _ comment: Comment? = nil) throws {
      let before = try story.folder.read("entries")
      #expect(throws: damage(at: offset), comment) { _ = try SimilarityReader(folder: index) }
      #expect(throws: damage(at: offset), comment) { _ = try SimilarityWriter(opening: index) }
      #expect(try story.folder.read("entries") == before)
    }

    /// Saves what there is.
    ///
    /// - Returns: the result, and the commit whose entries were saved.
    func salvage() throws -> (SimilaritySalvage, commit: Int?) {
      let target = story.folder.url.appendingPathComponent("saved-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: target) }
      let salvage = try SimilaritySalvage(of: index, into: target)
      let reader = try SimilarityReader(folder: target)
      try reader.verify()
      #expect(reader.count == salvage.saved)
      var found: [UUID: IndexScript.Entry] = [:]
      try reader.forEachEntry { entry in
        found[entry.id] = IndexScript.Entry(
          vector: try entry.vector(), payload: try entry.text() ?? "")
      }
      return (salvage, story.states.first { $0.value == found }?.key)
    }

    /// How many entries the last commit added.
    var added: Int {
      let (old, new) = (story.states[5] ?? [:], story.states[6] ?? [:])
      let changed = Set(IndexScript.changes(of: 6).filter { $0.entry != nil }.map(\.id))
      #expect(new.keys.allSatisfy { changed.contains($0) || old[$0] == new[$0] })
      return new.keys.filter(changed.contains).count
    }
  }

  @Test("Each flipped bit of the last commit's record is damage, and no entry is lost by it")
  func lastCommit() throws {
    let log = try Log()
    #expect(log.added > 0)
    for offset in log.last..<log.whole.count {
      for bit in 0..<8 {
        var bytes = log.whole
        bytes[offset] ^= 1 << UInt8(bit)
        try log.write(bytes)
        try log.expectDamage(at: log.last, "bit \(bit) of byte \(offset - log.last)")
        // All bits of the kind, and one of each other byte.
        guard offset == log.last || bit == offset % 8 else { continue }
        let (salvage, commit) = try log.salvage()
        #expect(commit == 6, "bit \(bit) of byte \(offset - log.last)")
        #expect(salvage.lost == 0 && salvage.damagedRecords == 1)
        #expect(salvage.savedBehindLastCommit == log.added)
      }
    }
    // Undamaged, and with zeros behind it.
    for zeros in [0, 1, 64, 200] {
      try log.write(log.whole + [UInt8](repeating: 0, count: zeros))
      #expect(try log.story.check(log.index) == 6)
      let (salvage, commit) = try log.salvage()
      #expect(commit == 6 && salvage.savedBehindLastCommit == 0 && salvage.damagedRecords == 0)
    }
  }

  @Test("Cut at any byte behind a commit, or zeros from there on: that commit holds")
  func interrupted() throws {
    let log = try Log()
    for length in log.earlier..<log.whole.count {
      let cut = Array(log.whole[..<length])
      try log.write(cut)
      let reader = try SimilarityReader(folder: log.index)
      #expect(reader.commit == 5, "cut to \(length)")
      #expect(reader.statistics.uncommittedBytes == length - log.earlier)
      // A checksum that has begun was written as a whole.
      for zeros in [log.whole.count - length, 4096] where (length - 128) % 64 <= 56 {
        try log.write(cut + [UInt8](repeating: 0, count: zeros))
        let commit = try SimilarityReader(folder: log.index).commit
        #expect(commit == 5, "\(zeros) zeros from \(length)")
      }
      guard length % 23 == 0 else { continue }
      #expect(try log.story.check(log.index) == 5)
      let (salvage, commit) = try log.salvage()
      #expect(commit == 5 && salvage.savedBehindLastCommit == 0 && salvage.damagedRecords == 0)
      let writer = try SimilarityWriter(opening: log.index)
      #expect(writer.lastCommit == 5)
      writer.close()
      #expect(try log.story.folder.read("entries") == Array(log.whole[..<log.earlier]))
    }
  }

  @Test("Records that came to the disk out of order, without a commit, are no damage")
  func holes() throws {
    let log = try Log()
    var generator = SeededGenerator(seed: 76)
    for _ in 0..<50 {
      var bytes = Array(log.whole[..<log.last])
      for start in stride(from: log.earlier, to: log.last, by: 64) where generator.next() % 3 == 0 {
        bytes.replaceSubrange(start..<(start + 64), with: [UInt8](repeating: 0, count: 64))
      }
      try log.write(bytes)
      #expect(try log.story.check(log.index) == 5)
      #expect(try log.salvage().commit == 5)
    }
  }

  @Test("A flipped bit in changes that were never committed is damage, and they are not saved")
  func uncommitted() throws {
    let log = try Log()
    let cut = Array(log.whole[..<log.last])
    var generator = SeededGenerator(seed: 77)
    var kinds: Set<UInt8> = []
    for start in stride(from: log.earlier, to: log.last, by: 64) {
      // All bits of the kind, which make it the kind of a commit too.
      for bit in Array(0..<8) + (0..<8).map({ _ in 8 + Int(generator.next() % 504) }) {
        var bytes = cut
        kinds.insert(bytes[start])
        bytes[start + bit / 8] ^= 1 << UInt8(bit % 8)
        try log.write(bytes)
        try log.expectDamage(at: start, "bit \(bit)")
        let (salvage, commit) = try log.salvage()
        #expect(commit == 5 && salvage.savedBehindLastCommit == 0, "bit \(bit) at \(start)")
        #expect(salvage.damagedRecords == 1)
      }
    }
    #expect(kinds == [1, 2])
  }

  @Test("Entries are saved if several commits, or a whole sector with the last one, are damaged")
  func several() throws {
    let log = try Log()
    var generator = SeededGenerator(seed: 78)
    for trial in 0..<40 {
      var bytes = log.whole
      if trial % 2 == 0 {
        // Two commits, each in up to three bytes.
        for _ in 0..<3 {
          for start in [log.earlier - 64, log.last] {
            bytes[start + Int(generator.next() % 64)] ^= UInt8(1 + generator.next() % 255)
          }
        }
        try log.write(bytes)
        try log.expectDamage(at: log.earlier - 64)
      } else {
        // A kind that nothing has: with that of an addition it may be an uncommitted one.
        bytes[log.last] = 0xA7
        for offset in (log.last + 1)..<log.whole.count {
          bytes[offset] = UInt8(truncatingIfNeeded: generator.next())
        }
        try log.write(bytes)
        try log.expectDamage(at: log.last)
      }
      let (salvage, commit) = try log.salvage()
      #expect(commit == 6 && salvage.damagedRecords == (trial % 2 == 0 ? 2 : 1), "trial \(trial)")
      #expect(salvage.savedBehindLastCommit >= log.added)
    }
  }

  @Test("A compacted index has one commit, with any number: its damage loses no entry either")
  func compacted() throws {
    let story = try DamageTests.Story()
    let writer = try SimilarityWriter(opening: story.folder.index)
    for _ in 0..<200 {
      try writer.remove(id: UUID())
      try writer.add(id: IndexScript.id(1000), vector: [Float](repeating: 1, count: 8))
      try writer.commit()
    }
    try writer.remove(id: IndexScript.id(1000))
    try writer.compact()
    writer.close()
    let whole = try story.folder.read("entries")
    let count = try #require(story.states[6]).count
    #expect(whole.count == 128 + 64 * (count + 1) && count < 200)
    for bit in Array(0..<8) + stride(from: 8, to: 512, by: 29) {
      var bytes = whole
      bytes[whole.count - 64 + bit / 8] ^= 1 << UInt8(bit % 8)
      try story.folder.write("entries", bytes)
      let error = #expect(throws: SimilarityIndexError.self) {
        _ = try SimilarityReader(folder: story.folder.index)
      }
      #expect(error?.description.contains("damaged at byte \(whole.count - 64):") == true)
      let target = story.folder.url.appendingPathComponent("saved-\(bit)")
      let salvage = try SimilaritySalvage(of: story.folder.index, into: target)
      #expect(salvage.saved == count && salvage.savedBehindLastCommit == count, "bit \(bit)")
    }
  }

  @Test("The only commit with entries is damaged: a library says so, and so does an index")
  func library() throws {
    let folder = LikenessTests.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let ids = try LikenessTests.fill(folder)
    let library = try LikenessLibrary(folder: folder)
    let file = library.index.appendingPathComponent("entries")
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: file)
    let damage = SimilarityIndexError.damaged(
      path: file.path, offset: bytes.count - 64,
      reason: "the checksum of record 4 is wrong, and no interrupted write leaves this")
    #expect(throws: damage) { _ = try library.entries() }
    #expect(throws: damage) { _ = try library.reader() }
    #expect(throws: damage) { _ = try library.writer() }
    let saved = folder.appendingPathComponent("saved")
    let salvage = try SimilaritySalvage(of: library.index, into: saved)
    #expect(salvage.saved == 3 && salvage.savedBehindLastCommit == 3)
    #expect(Set(try SimilarityReader(folder: saved).all().keys) == Set(ids))
  }
}
