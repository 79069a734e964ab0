import TestSupport
import Testing

@testable import NearestNeighbors

@Suite("A graph as bytes")
struct GraphBytesTests {
  let layout: VectorLayout
  let rows: SeededRows
  let graph: HNSWGraph

  init() throws {
    layout = try VectorLayout(dimension: 6, precision: .float16)
    rows = try SeededRows(layout, count: 150, seed: 1)
    var graph = HNSWGraph(
      layout: layout, settings: try HNSWSettings(links: 3, breadth: 20, seed: 9))
    try graph.insert((0..<150).filter { $0 % 10 != 4 }, rows: rows.bytes)
    for row in [0, 33, 71] { try graph.remove(row) }
    try graph.insert(24, rows: rows.bytes)
    self.graph = graph
  }

  private func read(_ bytes: [UInt8]) throws -> HNSWGraph {
    try bytes.withUnsafeBytes { try HNSWGraph(bytes: $0, layout: layout) }
  }

  @Test("is read as it was written, and goes on as it would have")
  func roundTrip() throws {
    var original = graph
    var copy = try read(graph.serialized())
    #expect(copy.serialized() == graph.serialized())
    #expect(copy.settings == graph.settings && copy.count == graph.count)
    #expect(copy.removedCount == graph.removedCount)
    for query in rows.vectors.prefix(30) {
      #expect(
        try copy.nearest(to: query, k: 8, ef: 12, rows: rows.bytes)
          == graph.nearest(to: query, k: 8, ef: 12, rows: rows.bytes))
    }
    for row in [4, 33, 14] {
      try original.insert(row, rows: rows.bytes)
      try copy.insert(row, rows: rows.bytes)
    }
    #expect(copy.serialized() == original.serialized())
    let empty = HNSWGraph(layout: layout, settings: graph.settings)
    #expect(try read(empty.serialized()).count == 0)
  }

  @Test("cut off anywhere or with more behind it, it is refused")
  func lengths() {
    let bytes = graph.serialized()
    for length in 0..<bytes.count {
      #expect(throws: NeighborSearchError.self) { try read(Array(bytes[..<length])) }
    }
    for more in 1..<9 {
      #expect(throws: NeighborSearchError.self) {
        try read(bytes + [UInt8](repeating: 0, count: more))
      }
    }
  }

  @Test("with any one bit turned, it is refused")
  func turnedBits() {
    let bytes = graph.serialized()
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(place % 8)
      #expect(throws: NeighborSearchError.self, "byte \(place)") { try read(damaged) }
    }
  }

  @Test("damage with a check that agrees is refused, or makes a graph that works", arguments: 0..<8)
  func forged(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let bytes = graph.serialized()
    var accepted = 0
    for _ in 0..<1500 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 8..<(bytes.count - 8) / 4 * 4, using: &generator)
        switch generator.next() % 3 {
        case 0: damaged[place] ^= UInt8(truncatingIfNeeded: 1 << (generator.next() % 8))
        case 1: damaged[place] = UInt8(truncatingIfNeeded: generator.next())
        default:
          // One whole link by another that there is.
          let word = place & ~3
          damaged[word] = UInt8(truncatingIfNeeded: generator.next() % 150)
          for byte in 1...3 { damaged[word + byte] = 0 }
        }
      }
      let body = damaged.count - 8
      let check = damaged.withUnsafeBytes {
        GraphFormat.check(UnsafeRawBufferPointer(rebasing: $0[..<body]))
      }
      for byte in 0..<8 { damaged[body + byte] = UInt8(truncatingIfNeeded: check >> (8 * byte)) }
      do {
        var graph = try read(damaged)
        accepted += 1
        #expect(graph.rowCapacity == 150)
        let found = try graph.nearest(to: rows.vectors[8], k: 200, ef: 9, rows: rows.bytes)
        #expect(found.count == graph.count)
        for row in 0..<150 where !graph.contains(row) && row % 20 < 9 {
          try graph.insert(row, rows: rows.bytes)
        }
        try graph.checkInvariants()
      } catch let error as NeighborSearchError {
        guard case .damagedGraph = error else {
          Issue.record("\(error)")
          continue
        }
      }
    }
    // Otherwise the part behind the check would not be tested.
    #expect(accepted > 0 && accepted < 1500)
  }

  @Test("bytes of a graph of other vectors are refused")
  func otherLayouts() throws {
    let bytes = graph.serialized()
    for layout in VectorLayout.all(dimension: 6) + VectorLayout.all(dimension: 7)
    where layout != self.layout {
      #expect(throws: NeighborSearchError.self) {
        try bytes.withUnsafeBytes { try HNSWGraph(bytes: $0, layout: layout) }
      }
    }
  }
}
