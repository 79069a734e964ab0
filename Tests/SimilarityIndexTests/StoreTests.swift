import Foundation
import NearestNeighbors
import TestSupport
import Testing

@testable import SimilarityIndex

@Suite("Entries are kept")
struct StoreTests {
  @Test("An empty index finds nothing")
  func empty() throws {
    let folder = try ScratchFolder()
    let writer = try SimilarityWriter(creating: folder.index, dimension: 3)
    #expect(writer.count == 0 && writer.lastCommit == 1)
    #expect(try writer.commit() == 1)
    let reader = try SimilarityReader(folder: folder.index)
    #expect(reader.count == 0 && reader.commit == 1)
    #expect(try reader.search([1, 0, 0], k: 5).isEmpty)
    #expect(try reader.entry(UUID()) == nil)
    try reader.verify()
    #expect(reader.statistics.deadShare == 0 && reader.statistics.entries == 0)
    try writer.compact()
    #expect(try SimilarityReader(folder: folder.index).count == 0)
  }

  @Test(
    "One entry is found, in any dimension, precision and metric",
    arguments: [1, 3, 4096], VectorPrecision.allCases)
  func one(dimension: Int, precision: VectorPrecision) throws {
    for metric in VectorMetric.allCases {
      let folder = try ScratchFolder()
      let sample = Sample(1, dimension: dimension, seed: 5)
      let writer = try SimilarityWriter(
        creating: folder.index, dimension: dimension, metric: metric, precision: precision)
      try writer.add(id: sample.ids[0], vector: sample.vectors[0], payload: "hello")
      try writer.commit()
      let reader = try SimilarityReader(folder: folder.index)
      #expect(reader.layout == writer.layout && reader.layout.metric == metric)
      let found = try reader.search(sample.vectors[0], k: 3)
      #expect(found.map(\.id) == sample.ids && found[0].text == "hello")
      let vector = try #require(try reader.entry(sample.ids[0])).vector()
      #expect(vector.count == dimension)
      if precision == .float32, metric != .cosine { #expect(vector == sample.vectors[0]) }
    }
  }

  @Test("Payloads of nothing, of any bytes, and of 10 MB")
  func payloads() throws {
    let folder = try ScratchFolder()
    var generator = SeededGenerator(seed: 3)
    let large = Data(
      (0..<1_250_000).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } })
    let payloads = [Data(), Data([0, 255, 10]), large, Data("höch\u{0}".utf8), Data()]
    let ids = payloads.map { _ in UUID() }
    let writer = try SimilarityWriter(creating: folder.index, dimension: 2)
    try writer.add(
      ids: ids, values: payloads.indices.flatMap { [1, Float($0)] }, payloads: payloads)
    try writer.commit()
    for _ in 0..<2 {
      let reader = try SimilarityReader(folder: folder.index)
      for (id, payload) in zip(ids, payloads) {
        let entry = try #require(try reader.entry(id))
        #expect(try entry.payload() == payload && entry.payloadByteCount == payload.count)
      }
      #expect(try reader.entry(ids[1])?.text() == nil)
      #expect(try reader.entry(ids[3])?.text() == "höch\u{0}")
      #expect(reader.statistics.payloadBytes == large.count + 9)
      try writer.compact()
    }
  }

  @Test("An id that is added again has its new vector and payload, in one batch too")
  func replaced() throws {
    let folder = try ScratchFolder()
    let writer = try SimilarityWriter(
      creating: folder.index, dimension: 2, metric: .squaredEuclidean)
    let (one, other) = (UUID(), UUID())
    try writer.add(
      ids: [one, other, one, one], values: [1, 1, 2, 2, 3, 3, 4, 4],
      payloads: ["a", "b", "c", "d"].map { Data($0.utf8) })
    #expect(writer.count == 2)
    try writer.commit()
    try writer.add(id: other, vector: [5, 5], payload: "e")
    try writer.commit()
    for _ in 0..<2 {
      let reader = try SimilarityReader(folder: folder.index)
      let all = try reader.all()
      #expect(all[one]?.vector == [4, 4] && all[one]?.payload == Data("d".utf8))
      #expect(all[other]?.vector == [5, 5] && all[other]?.payload == Data("e".utf8))
      #expect(try reader.search([1, 1], k: 10).map(\.id) == [one, other])
      try writer.compact()
    }
  }

  @Test("What is removed is found no more; removing it again is no error")
  func removed() throws {
    let folder = try ScratchFolder()
    let sample = Sample(50, dimension: 5, seed: 8)
    let writer = try SimilarityWriter(creating: folder.index, dimension: 5)
    try writer.add(ids: sample.ids, values: sample.values)
    try writer.commit()
    let before = try SimilarityReader(folder: folder.index)
    for id in sample.ids.prefix(30) { #expect(try writer.remove(id: id)) }
    #expect(try !writer.remove(id: sample.ids[0]))
    try writer.commit()
    let after = try SimilarityReader(folder: folder.index)
    #expect(try after.search(sample.vectors[0], k: 50).count == 20)
    #expect(try after.entry(sample.ids[0]) == nil)
    #expect(after.statistics.deadShare > 0.3)
    // A reader keeps what it opened.
    #expect(try before.search(sample.vectors[0], k: 1).map(\.id) == [sample.ids[0]])
    try writer.compact()
    let compacted = try SimilarityReader(folder: folder.index)
    #expect(compacted.statistics.deadShare == 0)
    #expect(compacted.statistics.bytes < after.statistics.bytes)
    #expect(
      try compacted.search(sample.vectors[0], k: 50) == after.search(sample.vectors[0], k: 50))
    #expect(try before.all().count == 50)
    #expect(try folder.names() == ["entries", "lock", "payloads-2", "vectors-2"])
    // And it can be written to as before.
    try writer.add(id: sample.ids[0], vector: sample.vectors[0])
    try writer.commit()
    #expect(try SimilarityReader(folder: folder.index).count == 21)
  }

  @Test("Vectors that cannot be kept change nothing and are named")
  func badVectors() throws {
    let folder = try ScratchFolder()
    let writer = try SimilarityWriter(creating: folder.index, dimension: 2)
    try writer.add(id: UUID(), vector: [1, 2])
    func refused(_ values: [Float], _ text: String) {
      let ids = (0..<(values.count / 2)).map { _ in UUID() }
      let error = #expect(throws: SimilarityIndexError.self) {
        try writer.add(ids: ids, values: values)
      }
      #expect(error?.description.contains(text) == true, "\(String(describing: error))")
    }
    refused([1, 1, .nan, 1], "vector 1: value 0")
    refused([1, .infinity], "vector 0: value 1")
    refused([1, 1, 1, 1, 0, 0], "vector 2: a vector is all zeros")
    refused([1, 1, 1], "vector 0: 3 values; this index has 2 a vector")
    refused([1, 1, 1, 1, 1], "2 ids and 5 values")
    let error = #expect(throws: SimilarityIndexError.self) {
      try writer.add(ids: [UUID()], values: [1, 1], payloads: [Data(), Data()])
    }
    #expect(error?.description.contains("1 ids and 2 payloads") == true)
    #expect(writer.count == 1)
    try writer.commit()
    let reader = try SimilarityReader(folder: folder.index)
    for query: [Float] in [[1], [], [0, 0], [.nan, 1], [1, 2, 3]] {
      #expect(throws: SimilarityIndexError.self) { try reader.search(query, k: 1) }
    }
    #expect(throws: SimilarityIndexError.self) { try reader.search([1, 1], k: -1) }
    #expect(try reader.search([1, 1], k: 0).isEmpty)
    for dimension in [0, -1, 65_537, .max] {
      #expect(throws: SimilarityIndexError.self) {
        _ = try SimilarityWriter(
          creating: folder.url.appendingPathComponent("b"), dimension: dimension)
      }
    }
  }

  @Test("Places where no index is or can be are errors that name them")
  func places() throws {
    let folder = try ScratchFolder()
    let missing = folder.url.appendingPathComponent("none")
    #expect(throws: SimilarityIndexError.noIndex(path: missing.path)) {
      _ = try SimilarityReader(folder: missing)
    }
    #expect(throws: SimilarityIndexError.noIndex(path: missing.path)) {
      _ = try SimilarityWriter(opening: missing)
    }
    let file = folder.url.appendingPathComponent("file")
    try Data("hello".utf8).write(to: file)
    for place in [file, folder.url] {
      #expect(throws: SimilarityIndexError.self) { _ = try SimilarityReader(folder: place) }
      #expect(throws: SimilarityIndexError.self) { _ = try SimilarityWriter(opening: place) }
      #expect(throws: SimilarityIndexError.exists(path: place.path)) {
        _ = try SimilarityWriter(creating: place, dimension: 2)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["file"])
    #expect(throws: SimilarityIndexError.self) {
      _ = try SimilarityWriter(creating: file.appendingPathComponent("below"), dimension: 2)
    }
    let writer = try SimilarityWriter(creating: folder.index, dimension: 2)
    writer.close()
    #expect(throws: SimilarityIndexError.exists(path: folder.index.path)) {
      _ = try SimilarityWriter(creating: folder.index, dimension: 2)
    }
  }

  @Test("Writers and readers may be shared by threads")
  func threads() async throws {
    let folder = try ScratchFolder()
    let sample = Sample(200, dimension: 6, seed: 4)
    let writer = try SimilarityWriter(creating: folder.index, dimension: 6)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for index in stride(from: task, to: 200, by: 4) {
            try writer.add(id: sample.ids[index], vector: sample.vectors[index])
            if index % 10 == 0 { try writer.commit() }
          }
        }
      }
      try await group.waitForAll()
    }
    try writer.commit()
    let reader = try SimilarityReader(folder: folder.index)
    #expect(reader.count == 200)
    let expected = try reader.search(sample.vectors[0], k: 10)
    try await withThrowingTaskGroup(of: [SimilarityMatch].self) { group in
      let fresh = try SimilarityReader(folder: folder.index)
      for _ in 0..<8 { group.addTask { try fresh.search(sample.vectors[0], k: 10) } }
      for try await found in group { #expect(found == expected) }
    }
  }
}
