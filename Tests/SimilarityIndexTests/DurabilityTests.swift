import Foundation
import TestSupport
import Testing

@testable import SimilarityIndex

@Suite("Disks and processes that fail")
struct DurabilityTests {
  @Test("Killed at 200 seeded moments: every commit is found again, and nothing half")
  func killed() throws {
    var generator = SeededGenerator(seed: 21)
    let folder = try ScratchFolder()
    var script = IndexScript()
    var promised = 0
    var torn = 0
    var leftovers = 0
    for moment in 0..<200 {
      // Every other writer makes graphs too; every fifty moments the index is begun anew.
      let writer = try Writer.start(
        folder.index, commits: 1_000_000, exactLimit: moment % 2 == 0 ? 20 : 50_000)
      // It says when it begins, and may have said more by then.
      let beginning = writer.output.availableData
      #expect(beginning.count > 0)
      let rest = try #require(writer.kill(after: generator.next() % 30_000))
      let text = String(decoding: beginning, as: UTF8.self) + rest
      #expect(!text.contains("failed"), "\(text)")
      promised = max(promised, text.split(separator: "\n").compactMap { Int($0) }.last ?? 0)
      guard FileManager.default.fileExists(atPath: folder.file("entries").path) else {
        // Killed before there was an index; the next one makes it.
        #expect(promised == 0)
        continue
      }
      let commit = try Writer.check(folder.index, &script)
      // A commit may hold that it had no time to tell of.
      #expect((promised...(max(promised, 1) + 1)).contains(commit), "moment \(moment)")
      promised = commit
      if try SimilarityReader(folder: folder.index).statistics.uncommittedBytes > 0 { torn += 1 }
      if try folder.names().count > 5 { leftovers += 1 }
      if moment % 50 == 49 {
        try FileManager.default.removeItem(at: folder.index)
        (script, promised) = (IndexScript(), 0)
      }
    }
    // Else nothing was ever cut short, and the test shows nothing.
    #expect(torn + leftovers > 0)
  }

  @Test("A reader sees whole commits while another process writes and compacts")
  func readerDuringWrites() throws {
    let folder = try ScratchFolder()
    let writer = try Writer.start(folder.index, commits: 400, exactLimit: 60)
    #expect(writer.output.availableData.count > 0)
    var script = IndexScript()
    var seen: [Int] = []
    var kept: SimilarityReader?
    while writer.process.isRunning {
      guard FileManager.default.fileExists(atPath: folder.file("entries").path) else { continue }
      let commit = try Writer.check(folder.index, &script)
      #expect(commit >= seen.last ?? 0)
      seen.append(commit)
      if kept == nil { kept = try SimilarityReader(folder: folder.index) }
    }
    let text = writer.finish()
    #expect(text.hasSuffix("done\n"), "\(text.suffix(200))")
    #expect(try Writer.check(folder.index, &script) == 401)
    #expect(Set(seen).count > 3)
    // One that was opened early still has what it had, though its files are deleted.
    let early = try #require(kept)
    var then = IndexScript()
    then.advance(to: Int(early.commit))
    #expect(Set(try early.all().keys) == Set(then.entries.keys))
    try early.verify()
  }

  @Test("A second writer is refused while the first has the index, in this process and another")
  func lock() throws {
    let folder = try ScratchFolder()
    let writer = try SimilarityWriter(creating: folder.index, dimension: IndexScript.dimension)
    #expect(throws: SimilarityIndexError.locked(path: folder.index.path)) {
      _ = try SimilarityWriter(opening: folder.index)
    }
    let text = try Writer.start(folder.index, commits: 1).finish()
    #expect(text.contains("another process is writing to this index"), "\(text)")
    try writer.add(id: UUID(), vector: [Float](repeating: 1, count: IndexScript.dimension))
    writer.close()
    #expect(throws: SimilarityIndexError.closed(path: folder.index.path)) { try writer.commit() }
    #expect(writer.count == 0)
    let next = try SimilarityWriter(opening: folder.index)
    #expect(next.count == 0)
  }

  @Test(
    "A full disk: what was committed stays, the rest is dropped, nothing crashes",
    arguments: [100, 300, 4_095, 4_200, 5_000, 9_000, 20_000, 60_000, 200_000])
  func fullDisk(bytes: Int) throws {
    let folder = try ScratchFolder()
    let writer = try Writer.start(
      folder.index, commits: 100_000, exactLimit: 10, diskBytes: bytes)
    let text = writer.finish()
    #expect(
      writer.process.terminationReason == .exit && writer.process.terminationStatus == 1, "\(text)")
    #expect(text.contains("there is no space left"), "\(text.suffix(300))")
    let promised = text.split(separator: "\n").compactMap { Int($0) }.last ?? 0
    guard FileManager.default.fileExists(atPath: folder.file("entries").path) else {
      #expect(promised == 0 && bytes < 5000)
      // Nothing is left of an index that could not be made.
      #expect(!FileManager.default.fileExists(atPath: folder.index.path))
      return
    }
    var script = IndexScript()
    #expect(try Writer.check(folder.index, &script) == max(promised, 1))
    // With room again it goes on.
    let more = try Writer.start(folder.index, commits: 20).finish()
    #expect(more.hasSuffix("done\n"), "\(more.suffix(300))")
    #expect(try Writer.check(folder.index, &script) == max(promised, 1) + 20)
  }

  @Test("A writer drops all since the last commit where a payload finds no room, and goes on")
  func rollBack() throws {
    let folder = try ScratchFolder()
    let sample = Sample(20, dimension: 4, seed: 1)
    let writer = try SimilarityWriter(creating: folder.index, dimension: 4)
    try writer.add(ids: sample.ids, values: sample.values, payloads: sample.payloads)
    try writer.commit()
    try writer.remove(id: sample.ids[3])
    try writer.add(id: sample.ids[4], vector: [9, 9, 9, 9], payload: "changed")
    // Twice, and a new one: all have to be undone in the right order.
    try writer.add(id: sample.ids[4], vector: [8, 9, 9, 9], payload: "changed again")
    let new = UUID()
    try writer.add(id: new, vector: [1, 0, 0, 0], payload: Data(count: 3_000_000))
    try writer.remove(id: new)
    #expect(writer.count == 19)
    try writer.rollBack()
    #expect(writer.count == 20 && !writer.contains(new) && writer.contains(sample.ids[3]))
    #expect(try writer.commit() == 2)
    try writer.add(id: new, vector: [0, 1, 0, 0], payload: "kept")
    #expect(try writer.commit() == 3)
    let reader = try SimilarityReader(folder: folder.index)
    try reader.verify()
    let all = try reader.all()
    #expect(all.count == 21 && all[new]?.payload == Data("kept".utf8))
    for (index, id) in sample.ids.enumerated() {
      #expect(all[id]?.payload == sample.payloads[index])
    }
  }

  @Test("A folder that may not be written to is an error; reading it is not")
  func readOnly() throws {
    let folder = try ScratchFolder()
    let writer = try SimilarityWriter(creating: folder.index, dimension: 2)
    try writer.add(id: UUID(), vector: [1, 2])
    try writer.commit()
    writer.close()
    func permit(_ permissions: Int) throws {
      try FileManager.default.setAttributes(
        [.posixPermissions: permissions], ofItemAtPath: folder.index.path)
    }
    try permit(0o500)
    defer { try? permit(0o700) }
    #expect(try SimilarityReader(folder: folder.index).count == 1)
    // Whoever may write everywhere can write here too.
    guard access(folder.index.path, W_OK) != 0 else { return }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o400], ofItemAtPath: folder.file("lock").path)
    #expect(throws: SimilarityIndexError.self) { _ = try SimilarityWriter(opening: folder.index) }
  }
}
