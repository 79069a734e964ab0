import TestSupport
import Testing

@testable import NearestNeighbors

@Suite("Changing a graph")
struct GraphChangeTests {
  @Test("inserting, removing and updating in any order keeps the promises", arguments: 0..<12)
  func sequences(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let layout = VectorLayout.all(dimension: 6)[Int(seed) % 9]
    let rows = try SeededRows(layout, count: 300, seed: seed)
    let links = [2, 3, 8][Int(seed) % 3]
    var graph = HNSWGraph(
      layout: layout, settings: try HNSWSettings(links: links, breadth: 30, seed: seed))
    var live: Set<Int> = []
    for step in 0..<1200 {
      let row = Int.random(in: 0..<300, using: &generator)
      let vector = (0..<6).map { _ in generator.unitFloat() * 2 - 1 }
      if !live.contains(row) {
        // Memory of a removed row is written before it is inserted again.
        try rows.set(row, to: vector)
        try graph.insert(row, rows: rows.bytes)
        live.insert(row)
      } else if generator.next() % 2 == 0 {
        try graph.remove(row)
        live.remove(row)
      } else {
        try rows.set(row, to: vector)
        try graph.update(row, rows: rows.bytes)
      }
      #expect(graph.count == live.count)
      guard step % 40 == 39 else { continue }
      try graph.checkInvariants()
      let query = (0..<6).map { _ in generator.unitFloat() * 2 - 1 }
      let truth = try FlatSearch(layout: layout).nearest(
        to: query, k: 400, rows: rows.bytes, count: 300
      ) { live.contains($0) }
      #expect(try graph.nearest(to: query, k: 400, ef: 400, rows: rows.bytes) == truth)
    }
  }

  @Test("recall does not wear off while all rows are replaced three times over")
  func wear() throws {
    let layout = try VectorLayout(dimension: 16)
    let rows = try SeededRows(layout, count: 1500, seed: 1)
    var graph = try HNSWGraph(
      layout: layout, settings: HNSWSettings(), rows: rows.bytes, count: 1500)
    for round in 0..<3 {
      let vectors = SeededRows.vectors(count: 1500, dimension: 16, seed: UInt64(round + 2))
      for row in 0..<1500 {
        try graph.remove(row)
        try rows.set(row, to: vectors[row])
        try graph.insert(row, rows: rows.bytes)
      }
    }
    try graph.checkInvariants()
    var sum = 0.0
    for query in rows.vectors.prefix(100) {
      let truth = rows.nearest(to: query, k: 10).map(\.row)
      sum += try graph.nearest(to: query, k: 10, ef: 40, rows: rows.bytes).recall(of: truth)
    }
    #expect(sum / 100 >= 0.98, "\(sum / 100)")
  }

  @Test("all rows removed, then all inserted again")
  func emptied() throws {
    let layout = try VectorLayout(dimension: 5)
    let rows = try SeededRows(layout, count: 200, seed: 3)
    var graph = try HNSWGraph(
      layout: layout, settings: HNSWSettings(), rows: rows.bytes, count: 200)
    for row in 0..<200 { try graph.remove(row) }
    #expect(graph.count == 0 && graph.removedCount == 200)
    #expect(try graph.nearest(to: rows.vectors[0], k: 3, ef: 9, rows: rows.bytes).isEmpty)
    #expect(throws: NeighborSearchError.notInserted(row: 7)) { try graph.remove(7) }
    try graph.insert(Array((0..<200).reversed()), rows: rows.bytes)
    try graph.checkInvariants()
    #expect(graph.count == 200 && graph.removedCount == 0)
    let found = try graph.nearest(to: rows.vectors[9], k: 200, ef: 9, rows: rows.bytes)
    #expect(Set(found.map(\.row)) == Set(0..<200))
  }

  @Test("rows with gaps, the only row, the entry")
  func gaps() throws {
    let layout = try VectorLayout(dimension: 5)
    let rows = try SeededRows(layout, count: 900, seed: 4)
    var graph = HNSWGraph(layout: layout, settings: try HNSWSettings(links: 4, breadth: 20))
    try graph.insert(5, rows: rows.bytes)
    try graph.update(5, rows: rows.bytes)
    try graph.insert([899, 17, 400], rows: rows.bytes, threads: 2)
    try graph.checkInvariants()
    for row in [5, 899, 17, 400] { try graph.update(row, rows: rows.bytes) }
    try graph.checkInvariants()
    let found = try graph.nearest(to: rows.vectors[17], k: 9, ef: 9, rows: rows.bytes)
    #expect(Set(found.map(\.row)) == [5, 17, 400, 899] && found[0].row == 17)
    #expect(graph.rowCapacity == 900 && graph.count == 4)
  }

  @Test("a copy is a snapshot that changes do not touch, read by several threads meanwhile")
  func snapshots() async throws {
    let layout = try VectorLayout(dimension: 8)
    let rows = try SeededRows(layout, count: 1200, seed: 5)
    let bytes = rows.bytes
    let shared = ReadOnly(rows: bytes)
    var graph = try HNSWGraph(layout: layout, settings: HNSWSettings(), rows: bytes, count: 400)
    let snapshot = graph
    let query = rows.vectors[1]
    let before = try snapshot.nearest(to: query, k: 400, ef: 400, rows: bytes)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            let found = try snapshot.nearest(to: query, k: 400, ef: 400, rows: shared.rows)
            #expect(found == before)
          }
        }
      }
      try graph.insert(400..<1200, rows: bytes, threads: 2)
      for row in 0..<100 { try graph.remove(row) }
      try await group.waitForAll()
    }
    #expect(graph.count == 1100 && snapshot.count == 400)
    try graph.checkInvariants()
  }
}

/// Rows that no thread changes.
private struct ReadOnly: @unchecked Sendable {
  let rows: UnsafeRawBufferPointer
}
