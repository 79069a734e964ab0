import LinearAlgebra
import Testing

@testable import NearestNeighbors

/// Rows that belong to a value are searched as rows in other memory.
@Suite("Rows of vectors")
struct VectorRowsTests {
  private static let layouts: [VectorLayout] = {
    let precisions: [VectorPrecision] = [.float32, .float16, .int8]
    let metrics: [VectorMetric] = [.cosine, .innerProduct, .squaredEuclidean]
    return precisions.flatMap { precision in
      metrics.compactMap { try? VectorLayout(dimension: 7, precision: precision, metric: $0) }
    }
  }()

  @Test("what is found is what is found in other memory", arguments: layouts)
  func searches(layout: VectorLayout) throws {
    let other = try SeededRows(layout, count: 200, seed: 4)
    let rows = try VectorRows(other.vectors, layout: layout)
    #expect(rows.count == 200)
    rows.withUnsafeBytes { #expect($0.elementsEqual(other.bytes)) }
    let search = FlatSearch(layout: layout)
    let query = other.vectors[11]
    let queries = try Matrix(rows: Array(other.vectors.prefix(9)))
    let (bytes, count) = (other.bytes, other.count)
    #expect(
      try search.nearest(to: query, k: 5, in: rows)
        == search.nearest(to: query, k: 5, rows: bytes, count: count))
    #expect(
      try search.nearest(to: query, k: 5, in: rows) { $0 % 2 == 0 }.allSatisfy { $0.row % 2 == 0 })
    #expect(
      try search.nearest(to: query, k: 2, among: [3, 90, 11], in: rows)
        == search.nearest(to: query, k: 2, among: [3, 90, 11], rows: bytes, count: count))
    #expect(
      try search.nearest(to: queries, k: 3, in: rows, threads: 2)
        == search.nearest(to: queries, k: 3, rows: bytes, count: count))
    #expect(
      try search.neighbors(of: query, within: 0.5, in: rows)
        == search.neighbors(of: query, within: 0.5, rows: bytes, count: count))
    #expect(
      try search.neighbors(of: queries, within: 0.5, in: rows)
        == search.neighbors(of: queries, within: 0.5, rows: bytes, count: count))
    let graph = try HNSWGraph(of: rows, threads: 2)
    let same = try HNSWGraph(layout: layout, settings: HNSWSettings(), rows: bytes, count: count)
    #expect(graph.serialized() == same.serialized())
    #expect(
      try graph.nearest(to: query, k: 5, ef: 40, in: rows)
        == same.nearest(to: query, k: 5, ef: 40, rows: bytes))
    #expect(
      try graph.nearest(to: queries, k: 5, ef: 40, in: rows)
        == same.nearest(to: queries, k: 5, ef: 40, rows: bytes))
  }

  @Test("a matrix, an array and single vectors give the same rows", arguments: layouts)
  func making(layout: VectorLayout) throws {
    let vectors = SeededRows.vectors(count: 30, dimension: 7, seed: 9)
    let rows = try VectorRows(vectors, layout: layout)
    #expect(try VectorRows(Matrix(rows: vectors), layout: layout) == rows)
    var grown = VectorRows(layout: layout)
    for vector in vectors { try grown.append(vector) }
    #expect(grown == rows)
    #expect(try grown[29] == SeededRows(layout, vectors: vectors).kept(29))
  }

  @Test("rows that are added are found after they were inserted")
  func growing() throws {
    let layout = Self.layouts[0]
    var rows = try VectorRows(
      SeededRows.vectors(count: 40, dimension: 7, seed: 1), layout: layout)
    var graph = try HNSWGraph(of: rows)
    let new: [Float] = [9, -9, 9, -9, 9, -9, 9]
    let before = rows
    try rows.append(new)
    try graph.insert([40], in: rows)
    #expect(try graph.nearest(to: new, k: 1, ef: 40, in: rows).first?.row == 40)
    #expect(before.count == 40)
  }

  @Test("what cannot be a row changes nothing")
  func faults() throws {
    let layout = Self.layouts[0]
    var rows = VectorRows(layout: layout)
    #expect(throws: NeighborSearchError.dimensionMismatch(expected: 7, found: 1)) {
      try rows.append([1])
    }
    #expect(throws: NeighborSearchError.nonFinite(index: 2)) {
      try rows.append([1, 1, .nan, 1, 1, 1, 1])
    }
    #expect(throws: NeighborSearchError.zeroVector) {
      try rows.append([Float](repeating: 0, count: 7))
    }
    #expect(rows == VectorRows(layout: layout))
    #expect(throws: NeighborSearchError.nonFinite(index: 0)) {
      _ = try VectorRows([[1, 1, 1, 1, 1, 1, 1], [.infinity, 1, 1, 1, 1, 1, 1]], layout: layout)
    }
    let query = [Float](repeating: 1, count: 7)
    #expect(try FlatSearch(layout: layout).nearest(to: query, k: 3, in: rows).isEmpty)
    #expect(try HNSWGraph(of: rows).count == 0)
  }

  @Test("rows of another layout are not searched")
  func otherLayouts() throws {
    let (layout, other) = (Self.layouts[0], Self.layouts[1])
    let rows = try VectorRows(
      SeededRows.vectors(count: 3, dimension: 7, seed: 2), layout: other)
    let error = NeighborSearchError.layoutMismatch(expected: layout, found: other)
    let query = [Float](repeating: 1, count: 7)
    #expect(throws: error) { try FlatSearch(layout: layout).nearest(to: query, k: 1, in: rows) }
    var graph = HNSWGraph(layout: layout, settings: try HNSWSettings())
    #expect(throws: error) { try graph.insert([0], in: rows) }
    #expect(throws: error) { try graph.nearest(to: query, k: 1, ef: 9, in: rows) }
    #expect(
      error.description
        == "rows of 7 float32 values for innerProduct; the search is over 7 float32 values for cosine"
    )
  }
}
