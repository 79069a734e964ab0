import LinearAlgebra
import NearestNeighbors
import TestSupport
import Testing

@Suite("Flat search")
struct FlatSearchTests {
  @Test("finds what brute force finds, in every precision and metric", arguments: dimensions)
  func bruteForce(dimension: Int) throws {
    for layout in VectorLayout.all(dimension: dimension) {
      let rows = try SeededRows(layout, count: 300, seed: UInt64(dimension))
      let search = FlatSearch(layout: layout)
      for query in SeededRows.vectors(count: 8, dimension: dimension, seed: 77) {
        for k in [0, 1, 7, 300, 1000] {
          let found = try search.nearest(to: query, k: k, rows: rows.bytes, count: rows.count)
          let expected = rows.nearest(to: query, k: k)
          #expect(found.count == min(k, 300))
          #expect(Set(found.map(\.row)).count == found.count)
          // Rows may change places that are nearer to each other than rounding; distances not.
          let scale = max(1, expected.map { abs($0.distance) }.max() ?? 0)
          let tolerance = scale * (layout.precision == .int8 ? 2e-4 : 2e-5)
          for (neighbor, truth) in zip(found, expected) {
            #expect(abs(Double(neighbor.distance) - truth.distance) < tolerance, "\(layout)")
            let own = rows.distance(query, neighbor.row)
            #expect(abs(Double(neighbor.distance) - own) < tolerance, "\(layout)")
          }
          #expect(zip(found, found.dropFirst()).allSatisfy { $0.distance <= $1.distance })
        }
      }
    }
  }
  static let dimensions = [1, 2, 3, 7, 16, 17, 31, 64, 127, 128, 129, 200]

  @Test("many queries get to the bit what each gets by itself, on any number of threads")
  func queries() throws {
    for layout in VectorLayout.all(dimension: 37) {
      let rows = try SeededRows(layout, count: 2500, seed: 3)
      let queries = SeededRows.vectors(count: 300, dimension: 37, seed: 4)
      let search = FlatSearch(layout: layout)
      let single = try queries.map {
        try search.nearest(to: $0, k: 9, rows: rows.bytes, count: 2500) { $0 % 7 != 3 }
      }
      for threads in [1, 2, 5] {
        let found = try search.nearest(
          to: try Matrix(rows: queries), k: 9, rows: rows.bytes, count: 2500, threads: threads
        ) { $0 % 7 != 3 }
        #expect(found == single, "\(layout), \(threads) threads")
      }
    }
  }

  @Test("long and short rows among each other do not mislead the margin of many queries")
  func lengths() throws {
    for metric in [VectorMetric.innerProduct, .squaredEuclidean] {
      let layout = try VectorLayout(dimension: 24, metric: metric)
      var vectors = SeededRows.vectors(count: 1500, dimension: 24, seed: 5)
      for row in vectors.indices {
        let factor: Float = row % 3 == 0 ? 1e4 : row % 3 == 1 ? 1 : 1e-4
        vectors[row] = vectors[row].map { $0 * factor }
      }
      let rows = try SeededRows(layout, vectors: vectors)
      let queries = Array(vectors[..<90])
      let search = FlatSearch(layout: layout)
      let found = try search.nearest(
        to: try Matrix(rows: queries), k: 5, rows: rows.bytes, count: rows.count)
      for (query, found) in zip(queries, found) {
        #expect(try search.nearest(to: query, k: 5, rows: rows.bytes, count: rows.count) == found)
      }
    }
  }

  @Test("equal rows come in their order")
  func ties() throws {
    for layout in VectorLayout.all(dimension: 130) {
      let vector = SeededRows.vectors(count: 1, dimension: 130, seed: 8)[0]
      let rows = try SeededRows(layout, vectors: [[Float]](repeating: vector, count: 1100))
      let search = FlatSearch(layout: layout)
      let one = try search.nearest(to: vector, k: 12, rows: rows.bytes, count: 1100)
      #expect(one.map(\.row) == Array(0..<12))
      let many = try search.nearest(
        to: try Matrix(rows: [vector, vector]), k: 12, rows: rows.bytes, count: 1100, threads: 2)
      #expect(many == [one, one])
    }
  }

  @Test("only included rows are found, and none where none is")
  func filters() throws {
    for layout in VectorLayout.all(dimension: 9) {
      let rows = try SeededRows(layout, count: 200, seed: 6)
      let search = FlatSearch(layout: layout)
      let query = rows.vectors[11]
      let none = try search.nearest(to: query, k: 5, rows: rows.bytes, count: 200) { _ in false }
      #expect(none.isEmpty)
      let one = try search.nearest(to: query, k: 5, rows: rows.bytes, count: 200) { $0 == 150 }
      #expect(one.map(\.row) == [150])
      let odd = try search.nearest(to: query, k: 200, rows: rows.bytes, count: 200) { $0 % 2 == 1 }
      #expect(odd.count == 100 && odd.allSatisfy { $0.row % 2 == 1 })
    }
  }

  @Test("what cannot be searched is refused by name")
  func errors() throws {
    let layout = try VectorLayout(dimension: 3)
    let rows = try SeededRows(layout, vectors: [[1, 2, 3], [3, 2, 1]])
    let search = FlatSearch(layout: layout)
    func refuses(
      _ expected: NeighborSearchError, _ query: [Float], k: Int = 1, count: Int = 2,
      bytes: UnsafeRawBufferPointer? = nil
    ) {
      #expect(throws: expected) {
        try search.nearest(to: query, k: k, rows: bytes ?? rows.bytes, count: count)
      }
      #expect(throws: expected) {
        try search.nearest(
          to: try Matrix(rows: [query]), k: k, rows: bytes ?? rows.bytes, count: count)
      }
    }
    refuses(.dimensionMismatch(expected: 3, found: 2), [1, 2])
    refuses(.nonFinite(index: 1), [1, .nan, 2])
    refuses(.nonFinite(index: 2), [1, 1, -.infinity])
    refuses(.zeroVector, [0, 0, 0])
    refuses(.invalidNeighborCount(-1), [1, 2, 3], k: -1)
    refuses(.invalidRowCount(-1), [1, 2, 3], count: -1)
    refuses(.invalidRowCount(.max), [1, 2, 3], count: .max)
    refuses(.memoryTooShort(expected: 36, found: 24), [1, 2, 3], count: 3)
    refuses(
      .misaligned, [1, 2, 3], count: 1, bytes: UnsafeRawBufferPointer(rebasing: rows.bytes[2...]))
  }

  @Test("no rows, no queries, an enormous k")
  func nothing() throws {
    let layout = try VectorLayout(dimension: 3)
    let rows = try SeededRows(layout, vectors: [[1, 2, 3]])
    let search = FlatSearch(layout: layout)
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(try search.nearest(to: [1, 2, 3], k: 4, rows: empty, count: 0).isEmpty)
    #expect(try search.nearest(to: [1, 2, 3], k: .max, rows: rows.bytes, count: 1).count == 1)
    let none = try Matrix<Float>(rowCount: 0, columnCount: 3, elements: [])
    #expect(try search.nearest(to: none, k: 4, rows: rows.bytes, count: 1).isEmpty)
    let query = try Matrix<Float>(rows: [[1, 2, 3]])
    #expect(try search.nearest(to: query, k: 4, rows: empty, count: 0) == [[]])
  }

  @Test("rows of NaN, as damaged memory may hold, come last")
  func damagedRows() throws {
    for metric in VectorMetric.allCases {
      let layout = try VectorLayout(dimension: 4, metric: metric)
      let values: [Float] = [.nan, .nan, .nan, .nan, 1, 2, 3, 4, -.nan, 0, 0, 0, 4, 3, 2, 1]
      let found = try values.withUnsafeBytes {
        try FlatSearch(layout: layout).nearest(to: [1, 2, 3, 4], k: 4, rows: $0, count: 4)
      }
      #expect(found.map(\.row) == [1, 3, 0, 2])
      #expect(found[2].distance == .infinity)
      let many = try values.withUnsafeBytes {
        try FlatSearch(layout: layout).nearest(
          to: try Matrix(rows: [[1, 2, 3, 4]]), k: 4, rows: $0, count: 4)
      }
      #expect(many == [found])
    }
  }
}
