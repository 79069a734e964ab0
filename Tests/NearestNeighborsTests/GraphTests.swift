import LinearAlgebra
import TestSupport
import Testing

@testable import NearestNeighbors

@Suite("HNSW graph")
struct GraphTests {
  @Test("finds nearly all true neighbours, in every precision and metric")
  func recall() throws {
    for layout in VectorLayout.all(dimension: 24) {
      let rows = try SeededRows(layout, count: 4000, seed: 1)
      let graph = try HNSWGraph(
        layout: layout, settings: HNSWSettings(), rows: rows.bytes, count: 4000)
      try graph.checkInvariants()
      let queries = SeededRows.vectors(count: 4100, dimension: 24, seed: 1).suffix(100)
      let search = FlatSearch(layout: layout)
      var sum = 0.0
      for query in queries {
        let truth = try search.nearest(to: query, k: 10, rows: rows.bytes, count: 4000)
        let found = try graph.nearest(to: query, k: 10, ef: 60, rows: rows.bytes)
        #expect(found.count == 10)
        sum += found.recall(of: truth.map(\.row))
      }
      #expect(sum / 100 >= 0.98, "\(layout): \(sum / 100)")
    }
  }

  @Test("with all rows in view the answer is exact, distances to the bit")
  func exactAtFullBreadth() throws {
    for layout in VectorLayout.all(dimension: 12) {
      let rows = try SeededRows(layout, count: 500, seed: 2)
      let graph = try HNSWGraph(
        layout: layout, settings: HNSWSettings(links: 2, breadth: 4), rows: rows.bytes, count: 500)
      try graph.checkInvariants()
      for query in rows.vectors.prefix(20) {
        let truth = try FlatSearch(layout: layout).nearest(
          to: query, k: 500, rows: rows.bytes, count: 500)
        #expect(try graph.nearest(to: query, k: 500, ef: 1, rows: rows.bytes) == truth)
      }
    }
  }

  @Test("links are the same on any number of threads")
  func threads() throws {
    let layout = try VectorLayout(dimension: 16, precision: .int8)
    let rows = try SeededRows(layout, count: 3000, seed: 3)
    let settings = try HNSWSettings(links: 8, breadth: 40, seed: 5)
    let graphs = try [1, 2, 3, 16].map {
      try HNSWGraph(
        layout: layout, settings: settings, rows: rows.bytes, count: 3000, threads: $0
      ).serialized()
    }
    #expect(graphs.dropFirst().allSatisfy { $0 == graphs[0] })
    let other = try HNSWGraph(
      layout: layout, settings: HNSWSettings(links: 8, breadth: 40, seed: 6), rows: rows.bytes,
      count: 3000)
    #expect(other.serialized() != graphs[0])
  }

  @Test("many queries get what each gets by itself")
  func queries() throws {
    let layout = try VectorLayout(dimension: 16)
    let rows = try SeededRows(layout, count: 1000, seed: 3)
    let graph = try HNSWGraph(
      layout: layout, settings: HNSWSettings(), rows: rows.bytes, count: 1000)
    let queries = SeededRows.vectors(count: 50, dimension: 16, seed: 4)
    let single = try queries.map { try graph.nearest(to: $0, k: 4, ef: 20, rows: rows.bytes) }
    for threads in [1, 2, 7] {
      let found = try graph.nearest(
        to: try Matrix(rows: queries), k: 4, ef: 20, rows: rows.bytes, threads: threads)
      #expect(found == single)
    }
  }

  @Test("ten thousand equal rows can all be reached", arguments: [2, 16])
  func duplicates(links: Int) throws {
    let layout = try VectorLayout(dimension: 8)
    let vectors = SeededRows.vectors(count: 200, dimension: 8, seed: 5)
    let rows = try SeededRows(
      layout, vectors: [[Float]](repeating: vectors[0], count: 10_000) + vectors)
    let graph = try HNSWGraph(
      layout: layout, settings: HNSWSettings(links: links, breadth: 32), rows: rows.bytes,
      count: rows.count)
    try graph.checkInvariants()
    let all = try graph.nearest(to: vectors[0], k: 10_200, ef: 0, rows: rows.bytes)
    #expect(Set(all.map(\.row)) == Set(0..<10_200))
    // The row that is not like the others is found from among them, given the breadth.
    let other = try graph.nearest(to: vectors[7], k: 1, ef: 10_200, rows: rows.bytes)
    #expect(other.map(\.row) == [10_007])
  }

  @Test("filters: none, one, a few, all")
  func filters() throws {
    let layout = try VectorLayout(dimension: 10)
    let rows = try SeededRows(layout, count: 1500, seed: 6)
    let graph = try HNSWGraph(
      layout: layout, settings: HNSWSettings(), rows: rows.bytes, count: 1500)
    let query = rows.vectors[3]
    let none = try graph.nearest(to: query, k: 5, ef: 9, rows: rows.bytes) { _ in false }
    #expect(none.isEmpty)
    let one = try graph.nearest(to: query, k: 5, ef: 9, rows: rows.bytes) { $0 == 1234 }
    #expect(one.map(\.row) == [1234])
    let few = try graph.nearest(to: query, k: 10, ef: 40, rows: rows.bytes) { $0 % 50 == 0 }
    #expect(few.allSatisfy { $0.row % 50 == 0 })
    let truth = rows.nearest(to: query, k: 10) { $0 % 50 == 0 }
    #expect(few.recall(of: truth.map(\.row)) >= 0.9)
    let first = try graph.nearest(to: query, k: 1, ef: 9, rows: rows.bytes) { _ in true }
    #expect(first.map(\.row) == [3])
  }

  @Test("one dimension, one row, two rows, none")
  func small() throws {
    for layout in VectorLayout.all(dimension: 1) {
      let rows = try SeededRows(layout, vectors: [[2], [3]])
      var graph = HNSWGraph(layout: layout, settings: try HNSWSettings())
      #expect(try graph.nearest(to: [1], k: 3, ef: 5, rows: rows.bytes).isEmpty)
      #expect(graph.count == 0 && graph.rowCapacity == 0)
      try graph.insert(1, rows: rows.bytes)
      #expect(try graph.nearest(to: [1], k: 3, ef: 5, rows: rows.bytes).map(\.row) == [1])
      #expect(graph.contains(1) && !graph.contains(0) && graph.rowCapacity == 2)
      try graph.insert(0, rows: rows.bytes)
      try graph.checkInvariants()
      #expect(try graph.nearest(to: [1], k: 3, ef: 5, rows: rows.bytes).count == 2)
      #expect(try graph.nearest(to: [1], k: 0, ef: 5, rows: rows.bytes).isEmpty)
    }
  }

  @Test("what cannot be done is refused by name, and changes nothing")
  func errors() throws {
    let layout = try VectorLayout(dimension: 4)
    let rows = try SeededRows(layout, count: 20, seed: 7)
    var graph = try HNSWGraph(layout: layout, settings: HNSWSettings(), rows: rows.bytes, count: 20)
    let before = graph.serialized()
    #expect(throws: NeighborSearchError.alreadyInserted(row: 4)) {
      try graph.insert(4, rows: rows.bytes)
    }
    #expect(throws: NeighborSearchError.alreadyInserted(row: 21)) {
      try graph.insert([21, 20, 21], rows: rows.bytes)
    }
    #expect(throws: NeighborSearchError.invalidRow(-1)) { try graph.insert(-1, rows: rows.bytes) }
    #expect(throws: NeighborSearchError.invalidRow(Int(Int32.max))) {
      try graph.insert(Int(Int32.max), rows: rows.bytes)
    }
    #expect(throws: NeighborSearchError.memoryTooShort(expected: 336, found: 320)) {
      try graph.insert(20, rows: rows.bytes)
    }
    for row in [-1, 20, .max] {
      #expect(throws: NeighborSearchError.notInserted(row: row)) { try graph.remove(row) }
      #expect(throws: NeighborSearchError.notInserted(row: row)) {
        try graph.update(row, rows: rows.bytes)
      }
    }
    let short = UnsafeRawBufferPointer(rebasing: rows.bytes[..<100])
    #expect(throws: NeighborSearchError.memoryTooShort(expected: 320, found: 100)) {
      try graph.nearest(to: [1, 2, 3, 4], k: 1, ef: 1, rows: short)
    }
    #expect(throws: NeighborSearchError.invalidNeighborCount(-2)) {
      try graph.nearest(to: [1, 2, 3, 4], k: -2, ef: 1, rows: rows.bytes)
    }
    #expect(throws: NeighborSearchError.zeroVector) {
      try graph.nearest(to: [0, 0, 0, 0], k: 2, ef: 1, rows: rows.bytes)
    }
    #expect(throws: NeighborSearchError.nonFinite(index: 3)) {
      try graph.nearest(to: try Matrix(rows: [[1, 0, 0, .nan]]), k: 2, ef: 1, rows: rows.bytes)
    }
    #expect(graph.serialized() == before)
    for links in [1, 257, -3] {
      #expect(
        throws: NeighborSearchError.invalidGraphSetting(
          name: "links", value: links, allowed: 2...256)
      ) { try HNSWSettings(links: links) }
    }
    #expect(throws: NeighborSearchError.self) { try HNSWSettings(breadth: 0) }
  }
}

extension HNSWGraph {
  /// Checks all that a graph promises about its links, as reading its bytes does.
  func checkInvariants(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var copy = tables
    (copy.nodeCount, copy.removedCount) = (0, 0)
    try copy.validate()
    #expect(copy == tables, sourceLocation: sourceLocation)
  }
}
