import Foundation
import NearestNeighbors
import TestSupport
import Testing

@testable import SimilarityIndex

@Suite("Search")
struct SearchTests {
  static func index(
    _ sample: Sample, in folder: ScratchFolder, metric: VectorMetric = .cosine,
    precision: VectorPrecision = .float32, options: SimilarityOptions = .standard
  ) throws -> SimilarityWriter {
    let writer = try SimilarityWriter(
      creating: folder.index, dimension: sample.vectors[0].count, metric: metric,
      precision: precision, options: options)
    try writer.add(ids: sample.ids, values: sample.values, payloads: sample.payloads)
    try writer.commit()
    return writer
  }

  @Test("Search finds what brute force finds, by every metric", arguments: VectorMetric.allCases)
  func bruteForce(metric: VectorMetric) throws {
    let folder = try ScratchFolder()
    let sample = Sample(500, dimension: 12, seed: 31)
    let writer = try Self.index(sample, in: folder, metric: metric)
    let queries = Sample(40, dimension: 12, seed: 32).vectors
    for isCompacted in [false, true] {
      let reader = try SimilarityReader(folder: folder.index)
      #expect(!reader.isApproximate)
      for query in queries {
        let found = try reader.search(query, k: 7)
        let expected = nearest(sample.vectors, to: query, k: 7, by: metric)
        #expect(found.map(\.id) == expected.map { sample.ids[$0] })
        #expect(found.map(\.payload) == expected.map { sample.payloads[$0] })
        #expect(found.map(\.distance) == found.map(\.distance).sorted())
      }
      if !isCompacted { try writer.compact() }
    }
  }

  @Test("Search after many commits, replacements and removals is brute force over what is left")
  func history() throws {
    let folder = try ScratchFolder()
    let writer = try SimilarityWriter(creating: folder.index, dimension: IndexScript.dimension)
    var generator = SeededGenerator(seed: 5)
    var script = IndexScript()
    for commit in 2...120 {
      if IndexScript.isCompaction(commit) {
        try writer.compact()
      } else {
        try IndexScript.replay(commit) { id, entry in
          try writer.add(id: id, vector: entry.vector, payload: entry.payload)
        } remove: { id in
          try writer.remove(id: id)
        }
        try writer.commit()
      }
      #expect(writer.lastCommit == UInt64(commit))
      script.advance(to: commit)
      let entries = script.entries.sorted { $0.key.uuidString < $1.key.uuidString }
      let query = (0..<IndexScript.dimension).map { _ in generator.unitFloat() - 0.5 }
      let expected = nearest(entries.map(\.value.vector), to: query, k: 5, by: .cosine)
      let found = try SimilarityReader(folder: folder.index).search(query, k: 5)
      #expect(found.map(\.id) == expected.map { entries[$0].key })
      #expect(found.map(\.text) == expected.map { entries[$0].value.payload })
    }
  }

  @Test("Predicates on id and payload: the nearest of those that are wanted")
  func predicates() throws {
    let folder = try ScratchFolder()
    let sample = Sample(300, dimension: 6, seed: 41)
    _ = try Self.index(sample, in: folder)
    let reader = try SimilarityReader(folder: folder.index)
    let query = sample.vectors[17]
    let wanted = sample.ids.indices.filter { $0 % 7 == 3 }
    let expected = nearest(wanted.map { sample.vectors[$0] }, to: query, k: 5, by: .cosine)
      .map { sample.ids[wanted[$0]] }
    let names = Set(wanted.map { "item \($0)" })
    let ids = Set(wanted.map { sample.ids[$0] })
    #expect(
      try reader.search(query, k: 5) { names.contains(try $0.text() ?? "") }.map(\.id) == expected)
    #expect(try reader.search(query, k: 5) { ids.contains($0.id) }.map(\.id) == expected)
    #expect(try reader.search(query, k: 5) { _ in false }.isEmpty)
    #expect(try reader.search(query, k: 500) { ids.contains($0.id) }.count == wanted.count)
    struct Stop: Error {}
    #expect(throws: Stop.self) { try reader.search(query, k: 5) { _ in throw Stop() } }
  }

  @Test("Beyond the limit there is a graph: it finds what is near, also what came and went since")
  func graph() throws {
    let folder = try ScratchFolder()
    let sample = Sample(3000, dimension: 10, seed: 51)
    let options = SimilarityOptions(exactLimit: 1000, searchBreadth: 200)
    let writer = try Self.index(sample, in: folder, options: options)
    let reader = try SimilarityReader(folder: folder.index, options: options)
    #expect(reader.isApproximate)
    let graph = try #require(reader.statistics.graph)
    #expect(graph.rows == 3000 && graph.queries == 100 && graph.recall > 0.9 && graph.bytes > 128)
    // The same index without the graph.
    #expect(try !SimilarityReader(folder: folder.index).isApproximate)
    try reader.verify()

    func recall(_ reader: SimilarityReader) throws -> Double {
      let exact = try SimilarityReader(folder: folder.index, options: .exact)
      #expect(!exact.isApproximate)
      var found = 0
      for query in Sample(50, dimension: 10, seed: 52).vectors {
        let truth = Set(try exact.search(query, k: 10).map(\.id))
        let near = try reader.search(query, k: 10)
        #expect(near.count == 10)
        #expect(near.map(\.distance) == near.map(\.distance).sorted())
        found += near.count { truth.contains($0.id) }
      }
      return Double(found) / 500
    }
    #expect(try recall(reader) > 0.9)

    // Fewer new rows than make a new graph: they are looked at one by one.
    let later = Sample(200, dimension: 10, seed: 53)
    try writer.add(ids: later.ids, values: later.values, payloads: later.payloads)
    for id in sample.ids.prefix(500) { try writer.remove(id: id) }
    try writer.commit()
    let next = try SimilarityReader(folder: folder.index, options: options)
    #expect(next.isApproximate && next.statistics.graph?.rows == 3000 && next.count == 2700)
    #expect(try recall(next) > 0.9)
    #expect(try next.search(later.vectors[9], k: 1).map(\.id) == [later.ids[9]])
    #expect(try !next.search(sample.vectors[9], k: 20).contains { $0.id == sample.ids[9] })
    // A predicate that leaves little is served in full.
    let few = Set(sample.ids[600..<620])
    #expect(try next.search(sample.vectors[2000], k: 20) { few.contains($0.id) }.count == 20)

    try writer.compact()
    let compacted = try SimilarityReader(folder: folder.index, options: options)
    #expect(compacted.statistics.graph?.rows == 2700 && compacted.isApproximate)
    #expect(try recall(compacted) > 0.9)
    #expect(
      try folder.names() == ["entries", "graph-2", "lock", "payloads-2", "vectors-2"])
  }

  @Test("A graph that is damaged, cut or of another index is left alone")
  func damagedGraph() throws {
    let folder = try ScratchFolder()
    let sample = Sample(300, dimension: 4, seed: 61)
    let options = SimilarityOptions(exactLimit: 100)
    _ = try Self.index(sample, in: folder, options: options)
    let whole = try folder.read("graph-1")
    let exact = try SimilarityReader(folder: folder.index, options: .exact)
    let expected = try exact.search(sample.vectors[5], k: 10)
    var generator = SeededGenerator(seed: 62)
    for trial in 0..<200 {
      var bytes = whole
      if trial % 2 == 0 {
        bytes[Int(generator.next() % UInt64(bytes.count))] ^= 1 << UInt8(generator.next() % 8)
      } else {
        bytes.removeLast(1 + Int(generator.next() % UInt64(bytes.count)))
      }
      try folder.write("graph-1", bytes)
      let reader = try SimilarityReader(folder: folder.index, options: options)
      #expect(!reader.isApproximate)
      #expect(try reader.search(sample.vectors[5], k: 10) == expected)
    }
    // The next writer makes it anew.
    let writer = try SimilarityWriter(opening: folder.index, options: options)
    try writer.add(id: UUID(), vector: [1, 0, 0, 0])
    try writer.commit()
    #expect(try SimilarityReader(folder: folder.index, options: options).isApproximate)
  }
}
