import Foundation
import NearestNeighbors
import TestSupport
import Testing

@testable import SimilarityIndex

@Suite("Damaged files")
struct DamageTests {
  /// An index of several commits, with what is in it after each.
  struct Story {
    let folder: ScratchFolder
    var states: [Int: [UUID: IndexScript.Entry]] = [:]

    init() throws {
      folder = try ScratchFolder()
      let writer = try SimilarityWriter(
        creating: folder.index, dimension: IndexScript.dimension, metric: .squaredEuclidean)
      var script = IndexScript()
      states[1] = [:]
      for commit in 2...6 {
        try IndexScript.replay(commit) { id, entry in
          try writer.add(id: id, vector: entry.vector, payload: entry.payload)
        } remove: { id in
          try writer.remove(id: id)
        }
        try writer.commit()
        script.advance(to: commit)
        states[commit] = script.entries
      }
    }

    /// Looks at all of the index, and says whether that is the state after some commit.
    ///
    /// - Returns: that commit.
    /// - Throws: what reading throws.
    func check(_ index: URL) throws -> Int {
      let reader = try SimilarityReader(folder: index)
      try reader.verify()
      var found: [UUID: IndexScript.Entry] = [:]
      try reader.forEachEntry { entry in
        found[entry.id] = IndexScript.Entry(
          vector: try entry.vector(), payload: try entry.text() ?? "")
      }
      let commit = Int(reader.commit)
      #expect(found == states[commit])
      _ = try reader.search([Float](repeating: 1, count: IndexScript.dimension), k: 5)
      return commit
    }
  }

  static let names = ["entries", "vectors-1", "payloads-1"]

  @Test("A log cut at any byte holds a whole commit, and can be written to again")
  func cutLog() throws {
    let story = try Story()
    let whole = try story.folder.read("entries")
    var commits: Set<Int> = []
    for length in Array(stride(from: 0, to: whole.count, by: 7)) + [whole.count] {
      try story.folder.write("entries", Array(whole.prefix(length)))
      do {
        let commit = try story.check(story.folder.index)
        #expect(length >= IndexFormat.headerLength + IndexFormat.recordLength)
        #expect(length < whole.count || commit == 6)
        commits.insert(commit)
      } catch let error as SimilarityIndexError {
        #expect(length < IndexFormat.headerLength + IndexFormat.recordLength, "\(error)")
      }
    }
    #expect(commits == Set(1...6))
    // What follows the last whole commit is cut off by the next writer, in all files.
    try story.folder.write("entries", Array(whole.dropLast(1)))
    #expect(try SimilarityReader(folder: story.folder.index).statistics.uncommittedBytes > 0)
    let writer = try SimilarityWriter(opening: story.folder.index)
    #expect(try story.check(story.folder.index) == 5)
    let id = UUID()
    try writer.add(id: id, vector: [Float](repeating: 2, count: IndexScript.dimension))
    #expect(try writer.commit() == 6)
    let reader = try SimilarityReader(folder: story.folder.index)
    try reader.verify()
    #expect(reader.statistics.uncommittedBytes == 0)
    #expect(Set(try reader.all().keys) == Set(try #require(story.states[5]).keys).union([id]))
  }

  @Test("Rows or payloads that end too early are damage with a place", arguments: names.dropFirst())
  func cutOthers(name: String) throws {
    let story = try Story()
    let whole = try story.folder.read(name)
    for length in stride(from: 0, to: whole.count, by: 37) {
      try story.folder.write(name, Array(whole.prefix(length)))
      let error = #expect(throws: SimilarityIndexError.self) {
        try story.check(story.folder.index)
      }
      #expect(error?.description.contains(name) == true)
      if length >= 4096, case .damaged(_, let offset, _) = error { #expect(offset == length) }
      #expect(throws: SimilarityIndexError.self) {
        _ = try SimilarityWriter(opening: story.folder.index)
      }
    }
    try story.folder.write(name, whole + [1, 2, 3])
    #expect(try story.check(story.folder.index) == 6)
  }

  @Test(
    "5000 flipped bits: a typed error, or all that was committed; never anything else",
    arguments: names)
  func flippedBits(name: String) throws {
    let story = try Story()
    let whole = try story.folder.read(name)
    var generator = SeededGenerator(seed: 71)
    var errors = 0
    for trial in 0..<5000 {
      var changed: [Int: UInt8] = [:]
      for _ in 0..<(trial % 10 == 0 ? 20 : 1) {
        // Half of them where the structure is, and not in a page of zeros.
        let place = Int(generator.next() % UInt64(trial % 2 == 0 ? 128 : whole.count))
        changed[place] = whole[place] ^ 1 << UInt8(generator.next() % 8)
      }
      try story.folder.patch(name, changed)
      defer { try? story.folder.patch(name, changed.keys.reduce(into: [:]) { $0[$1] = whole[$1] }) }
      do {
        #expect(try story.check(story.folder.index) == 6)
      } catch is SimilarityIndexError {
        errors += 1
      }
    }
    // Each byte of a log counts. Other files have bytes that no entry needs any more.
    #expect(name == "entries" ? errors == 5000 : errors > 2500)
  }

  @Test("Files of random bytes, of nothing, and of one another are refused")
  func nonsense() throws {
    let story = try Story()
    var generator = SeededGenerator(seed: 72)
    for name in Self.names {
      let whole = try story.folder.read(name)
      let others = try Self.names.filter { $0 != name }.map { try story.folder.read($0) }
      let random = (0..<8192).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      for bytes in others + [random, [], [UInt8](repeating: 0, count: 8192)] {
        try story.folder.write(name, bytes)
        #expect(throws: SimilarityIndexError.self) { try story.check(story.folder.index) }
      }
      try story.folder.write(name, whole)
    }
    // Of another index, with the same layout.
    let other = try Story()
    for name in Self.names {
      let whole = try story.folder.read(name)
      try story.folder.write(name, try other.folder.read(name))
      #expect(throws: SimilarityIndexError.self) { try story.check(story.folder.index) }
      try story.folder.write(name, whole)
    }
    #expect(try story.check(story.folder.index) == 6)
  }

  @Test("A log whose checksums are right and whose contents are not is refused, without a crash")
  func forged() throws {
    let story = try Story()
    let whole = try story.folder.read("entries")
    let header = try whole.withBytes { bytes throws(SimilarityIndexError) in
      try IndexHeader(bytes, of: .entries, path: "entries")
    }
    var generator = SeededGenerator(seed: 73)
    let count = (whole.count - 128) / 64
    for _ in 0..<2000 {
      var bytes = whole
      let index = Int(generator.next() % UInt64(count))
      let start = 128 + 64 * index
      // Any field gets any number, and the record its checksum.
      let field = [0, 4, 8, 16, 24, 32, 40, 48][Int(generator.next() % 8)]
      let value = [0, 1, .max, .max >> 1, 1 << 62, generator.next() % 300][
        Int(generator.next() % 6)]
      bytes.withUnsafeMutableBytes { bytes in
        if field == 0 {
          bytes[start] = UInt8(truncatingIfNeeded: value)
        } else {
          bytes.store(value, at: start + field)
        }
        let check = XXHash64.digest(
          UnsafeRawBufferPointer(rebasing: bytes[start..<(start + 56)]),
          seed: header.salt &+ UInt64(index))
        bytes.store(check, at: start + 56)
      }
      try story.folder.write("entries", bytes)
      do {
        let commit = try story.check(story.folder.index)
        // The last commit has bytes that mean nothing.
        let isUnchanged = bytes == whole || index == count - 1
        #expect(commit == (isUnchanged && commit != 5 ? 6 : 5))
      } catch is SimilarityIndexError {
        continue
      }
    }
  }

  @Test("A file from the future is refused as such")
  func future() throws {
    for (place, name) in Self.names.enumerated() {
      let story = try Story()
      var bytes = try story.folder.read(name)
      let end = place == 1 ? 4096 - 8 : 128 - 8
      bytes.withUnsafeMutableBytes { bytes in
        bytes.store(UInt32(2), at: 8)
        bytes.store(
          XXHash64.digest(UnsafeRawBufferPointer(rebasing: bytes[..<end]), seed: 0), at: end)
      }
      try story.folder.write(name, bytes)
      let path = story.folder.file(name).path
      #expect(throws: SimilarityIndexError.fromTheFuture(path: path, version: 2)) {
        try story.check(story.folder.index)
      }
      #expect(
        SimilarityIndexError.fromTheFuture(path: path, version: 2).description
          == "\(path): this is version 2 of the format, and this program reads version 1; "
          + "a newer one is needed")
      #expect(throws: SimilarityIndexError.fromTheFuture(path: path, version: 2)) {
        _ = try SimilarityWriter(opening: story.folder.index)
      }
    }
  }

  @Test("Pipes, folders and links in the place of files are errors, and do not block")
  func impostors() throws {
    for name in Self.names {
      let story = try Story()
      let path = story.folder.file(name).path
      try FileManager.default.removeItem(atPath: path)
      #expect(throws: SimilarityIndexError.self) { try story.check(story.folder.index) }
      #expect(mkfifo(path, 0o600) == 0)
      #expect(throws: SimilarityIndexError.self) { try story.check(story.folder.index) }
      unlink(path)
      mkdir(path, 0o700)
      #expect(throws: SimilarityIndexError.self) { try story.check(story.folder.index) }
      rmdir(path)
      symlink("/dev/zero", path)
      #expect(throws: SimilarityIndexError.self) { try story.check(story.folder.index) }
    }
  }

  @Test("What can be read of a damaged index is saved whole")
  func salvage() throws {
    var generator = SeededGenerator(seed: 74)
    for trial in 0..<60 {
      let story = try Story()
      let truth = try #require(story.states[6])
      let name = Self.names[trial % 3]
      var bytes = try story.folder.read(name)
      let header = name == "vectors-1" ? 4096 : 128
      if trial % 4 == 3 {
        // Nothing is left of the header, and the others' will do.
        bytes[Int(generator.next() % 128)] ^= 4
      } else if trial % 4 == 2, name != "entries" {
        bytes.removeLast(Int(generator.next() % UInt64(bytes.count - header)))
      } else {
        for _ in 0..<5 {
          bytes[header + Int(generator.next() % UInt64(bytes.count - header))] ^= 8
        }
      }
      try story.folder.write(name, bytes)
      let target = story.folder.url.appendingPathComponent("saved")
      let salvage = try SimilaritySalvage(of: story.folder.index, into: target)
      let reader = try SimilarityReader(folder: target)
      try reader.verify()
      #expect(reader.count == salvage.saved)
      var strangers = 0
      try reader.forEachEntry { entry in
        let found = IndexScript.Entry(
          vector: try entry.vector(), payload: try entry.text() ?? "")
        // Where a removal or replacement is lost, what it removed is there again.
        if truth[entry.id] != found { strangers += 1 }
      }
      #expect(strangers <= salvage.damagedRecords)
      #expect(salvage.damagedRecords <= 5)
      let accounted = salvage.saved - strangers + salvage.lost + salvage.damagedRecords
      #expect(accounted >= truth.count)
      if trial % 4 == 3 { #expect(salvage.saved == truth.count && salvage.lost == 0) }
      #expect(throws: SimilarityIndexError.exists(path: target.path)) {
        _ = try SimilaritySalvage(of: story.folder.index, into: target)
      }
    }
    let folder = try ScratchFolder()
    #expect(throws: SimilarityIndexError.noIndex(path: folder.index.path)) {
      _ = try SimilaritySalvage(of: folder.index, into: folder.url.appendingPathComponent("b"))
    }
  }

  @Test("A damaged row or payload stops a search, and compaction, with its place")
  func damagedRow() throws {
    let folder = try ScratchFolder()
    let sample = Sample(20, dimension: 4, seed: 75)
    let writer = try SearchTests.index(sample, in: folder)
    var bytes = try folder.read("vectors-1")
    bytes[4096 + 7 * 16 + 2] ^= 1
    try folder.write("vectors-1", bytes)
    let reader = try SimilarityReader(folder: folder.index)
    let damage = SimilarityIndexError.damaged(
      path: folder.file("vectors-1").path, offset: 4096 + 7 * 16,
      reason: "the checksum of row 7 is wrong")
    #expect(throws: damage) { try reader.search([1, 0, 0, 0], k: 1) }
    #expect(throws: damage) { try reader.verify() }
    #expect(throws: damage) { try writer.compact() }
    #expect(throws: damage) { try reader.entry(sample.ids[7])?.vector() }
    #expect(try folder.names() == ["entries", "lock", "payloads-1", "vectors-1"])
    // A row that is no entry's is nobody's loss.
    try writer.remove(id: sample.ids[7])
    try writer.compact()
    #expect(try SimilarityReader(folder: folder.index).search([1, 0, 0, 0], k: 50).count == 19)
  }
}
