import Foundation
import NearestNeighbors
import TestSupport
import Testing

@testable import SimilarityIndex

/// Indexes that a program in another language wrote by the page on the format.
@Suite("The format")
struct GoldenTests {
  struct Answers: Decodable, Sendable {
    let indexes: [Index]
    let hashes: [Hash]
  }

  struct Index: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let dimension: Int
    let metric: String
    let precision: String
    let commit: UInt64
    let tornBytes: Int
    let entries: [Entry]

    var testDescription: String { name }

    struct Entry: Decodable, Sendable {
      let id: UUID
      let payload: String
      let vector: [Float]
    }
  }

  struct Hash: Decodable, Sendable {
    let length: Int
    let seed: String
    let hash: String
  }

  static func answers() throws -> Answers { try Folders.golden("SimilarityIndex/answers.json") }

  @Test("Indexes that Python wrote are read, and written on", arguments: try answers().indexes)
  func read(index: Index) throws {
    let folder = try ScratchFolder()
    try FileManager.default.copyItem(
      at: Folders.goldens.appendingPathComponent("SimilarityIndex/\(index.name).index"),
      to: folder.index)
    for isCompacted in [false, true] {
      let reader = try SimilarityReader(folder: folder.index)
      #expect(reader.layout.dimension == index.dimension && reader.count == index.entries.count)
      #expect(reader.layout.metric.rawValue == index.metric)
      #expect(reader.layout.precision.rawValue == index.precision)
      try reader.verify()
      let all = try reader.all()
      for entry in index.entries {
        #expect(all[entry.id]?.vector == entry.vector)
        let payload = all[entry.id]?.payload.map { byte in
          (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        #expect(payload?.joined() == entry.payload)
      }
      guard !isCompacted else { continue }
      #expect(reader.commit == index.commit)
      #expect(reader.statistics.uncommittedBytes == index.tornBytes)
      let writer = try SimilarityWriter(opening: folder.index)
      #expect(writer.lastCommit == index.commit)
      try writer.compact()
    }
  }

  @Test("XXH64 is Python's xxhash")
  func hashes() throws {
    for golden in try Self.answers().hashes {
      let bytes = (0..<golden.length).map { UInt8(truncatingIfNeeded: $0 * 7) }
      let seed = try #require(UInt64(golden.seed))
      // At any alignment.
      for shift in 0..<3 {
        let shifted = [UInt8](repeating: 9, count: shift) + bytes
        let hash = shifted.withUnsafeBytes {
          XXHash64.digest(UnsafeRawBufferPointer(rebasing: $0[shift...]), seed: seed)
        }
        #expect(String(hash) == golden.hash, "\(golden.length) bytes")
      }
    }
  }

  @Test("The layout of files is the one that is written down")
  func layout() throws {
    let folder = try ScratchFolder()
    let writer = try SimilarityWriter(
      creating: folder.index, dimension: 2, metric: .squaredEuclidean)
    let id = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    try writer.add(id: id, vector: [1, -2], payload: "hi")
    try writer.commit()
    try writer.remove(id: id)
    try writer.commit()
    let entries = try folder.read("entries")
    #expect(entries.count == 128 + 5 * 64)
    #expect(Array(entries[..<8]) == Array("TallyEnt".utf8))
    #expect(Array(entries[8..<24]) == [1, 0, 0, 0, 128, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    #expect(Array(entries[32..<44]) == [2, 0, 0, 0, 2, 0, 0, 0, 8, 0, 0, 0])
    // A commit of nothing, then the entry, a commit, its removal, a commit.
    let kinds: [UInt8] = stride(from: 128, to: entries.count, by: 64).map { entries[$0] }
    #expect(kinds == [3, 1, 3, 2, 3])
    let idBytes: [UInt8] = (0..<16).map { UInt8($0 * 0x11) }
    #expect(Array(entries[200..<216]) == idBytes)
    #expect(Array(entries[196..<200]) == [2, 0, 0, 0])
    let vectors = try folder.read("vectors-1")
    #expect(vectors.count == 4096 + 8 && Array(vectors[..<8]) == Array("TallyVec".utf8))
    #expect(Array(vectors[4096...]) == [0, 0, 128, 63, 0, 0, 0, 192])
    let payloads = try folder.read("payloads-1")
    #expect(Array(payloads[..<8]) == Array("TallyPay".utf8))
    #expect(Array(payloads[128...]) == Array("hi".utf8))
    #expect(try folder.names() == ["entries", "lock", "payloads-1", "vectors-1"])
  }
}
