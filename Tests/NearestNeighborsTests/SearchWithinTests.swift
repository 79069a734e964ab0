import LinearAlgebra
import NearestNeighbors
import TestSupport
import Testing

@Suite("Search within a distance")
struct SearchWithinTests {
  struct Golden: Decodable {
    let metric: String
    let query: Int
    let within: Float
    let rows: [Int]
    let distances: [Double]
  }

  @Test("finds the rows that faiss finds, and NumPy for cosines")
  func golden() throws {
    let goldens: [Golden] = try Folders.golden("nearest_neighbors/ranges.json")
    #expect(goldens.count == 18)
    let queries = SeededRows.vectors(count: 6, dimension: 20, seed: 32)
    for golden in goldens {
      let metric = try #require(VectorMetric(rawValue: golden.metric))
      let rows = try SeededRows(
        VectorLayout(dimension: 20, metric: metric), count: 1000, seed: 31)
      let found = try FlatSearch(layout: rows.layout).neighbors(
        of: queries[golden.query], within: golden.within, rows: rows.bytes, count: 1000)
      #expect(found.map(\.row) == golden.rows)
      // Both sums are of 20 terms in single precision; terms of a product cancel each other.
      let difference = firstDifference(
        found.map(\.distance), golden.distances, relative: 2e-6, absolute: 2e-6)
      #expect(difference == nil, "\(metric): \(difference ?? "")")
    }
  }

  @Test("is the beginning of a search for all rows, for one query and many, on any thread")
  func beginning() throws {
    for dimension in [1, 37] {
      for layout in VectorLayout.all(dimension: dimension) {
        let rows = try SeededRows(layout, count: 600, seed: 3)
        let queries = SeededRows.vectors(count: 9, dimension: dimension, seed: 4)
        let search = FlatSearch(layout: layout)
        let all = try queries.map {
          try search.nearest(to: $0, k: 600, rows: rows.bytes, count: 600) { $0 % 7 != 3 }
        }
        // A distance that rows have, one next to it, and the ends of the cosine's range.
        let some = all[0][40].distance
        for distance in [some, some.nextDown, all[7][0].distance, 0, -0.0, 1, 2, 2.5, -1] {
          let expected = all.map { Array($0.prefix { $0.distance <= distance }) }
          let single = try queries.map {
            try search.neighbors(of: $0, within: distance, rows: rows.bytes, count: 600) {
              $0 % 7 != 3
            }
          }
          #expect(single == expected, "\(layout), \(distance)")
          let many = try search.neighbors(
            of: try Matrix(rows: queries), within: distance, rows: rows.bytes, count: 600,
            threads: distance == some ? 3 : 1
          ) { $0 % 7 != 3 }
          #expect(many == expected, "\(layout), \(distance)")
        }
      }
    }
  }

  @Test("many queries find opposite rows of half precision, whose distance is cut off at 2")
  func opposite() throws {
    let layout = try VectorLayout(dimension: 3, precision: .float16)
    // Rounding makes some rows longer than 1.
    let vectors = SeededRows.vectors(count: 600, dimension: 3, seed: 12)
    let rows = try SeededRows(layout, vectors: vectors)
    #expect((0..<600).contains { rows.distance(vectors[$0].map { -$0 }, $0) >= 2 })
    let queries = try Matrix(rows: vectors[..<50].map { $0.map { -$0 } })
    let found = try FlatSearch(layout: layout).neighbors(
      of: queries, within: 2, rows: rows.bytes, count: 600)
    #expect(found.allSatisfy { $0.count == 600 })
  }

  @Test("long and short rows do not mislead the margin of many queries")
  func lengths() throws {
    for metric in [VectorMetric.innerProduct, .squaredEuclidean] {
      let layout = try VectorLayout(dimension: 24, metric: metric)
      var vectors = SeededRows.vectors(count: 600, dimension: 24, seed: 5)
      for row in vectors.indices {
        let factor: Float = [1e4, 1, 1e-4, 1e-22][row % 4]
        vectors[row] = vectors[row].map { $0 * factor }
      }
      let rows = try SeededRows(layout, vectors: vectors)
      let queries = Array(vectors[..<20])
      let search = FlatSearch(layout: layout)
      let tiny = 71 * Float.leastNonzeroMagnitude
      for distance: Float in [0, tiny, 1e-7, 5, 1e9, .greatestFiniteMagnitude, .infinity] {
        let found = try search.neighbors(
          of: try Matrix(rows: queries), within: distance, rows: rows.bytes, count: rows.count)
        let single = try queries.map {
          try search.neighbors(of: $0, within: distance, rows: rows.bytes, count: rows.count)
        }
        #expect(found == single, "\(metric), \(distance)")
        if distance == .infinity { #expect(found.allSatisfy { $0.count == 600 }) }
      }
    }
  }

  @Test("values whose squares are below the smallest number do not mislead the margin")
  func tiny() throws {
    let vectors = SeededRows.vectors(count: 300, dimension: 24, seed: 15).map { vector in
      vector.map { $0 * 1e-22 }
    }
    for metric in [VectorMetric.innerProduct, .squaredEuclidean] {
      let rows = try SeededRows(VectorLayout(dimension: 24, metric: metric), vectors: vectors)
      let search = FlatSearch(layout: rows.layout)
      for query in vectors[..<20] {
        let some = try search.nearest(to: query, k: 60, rows: rows.bytes, count: 300)[59].distance
        let single = try search.neighbors(of: query, within: some, rows: rows.bytes, count: 300)
        let many = try search.neighbors(
          of: try Matrix(rows: [query]), within: some, rows: rows.bytes, count: 300)
        #expect(many == [single])
      }
    }
  }

  @Test("equal rows come in their order, and all of them")
  func ties() throws {
    for layout in VectorLayout.all(dimension: 130) {
      let vector = SeededRows.vectors(count: 1, dimension: 130, seed: 8)[0]
      let rows = try SeededRows(layout, vectors: [[Float]](repeating: vector, count: 1100))
      let search = FlatSearch(layout: layout)
      let nearest = try search.nearest(to: vector, k: 1, rows: rows.bytes, count: 1100)
      let found = try search.neighbors(
        of: vector, within: nearest[0].distance, rows: rows.bytes, count: 1100)
      #expect(found.map(\.row) == Array(0..<1100))
      let many = try search.neighbors(
        of: try Matrix(rows: [vector, vector]), within: nearest[0].distance, rows: rows.bytes,
        count: 1100, threads: 2)
      #expect(many == [found, found])
    }
  }

  @Test("infinity finds rows of NaN last, and no other distance finds them")
  func damagedRows() throws {
    for metric in VectorMetric.allCases {
      let search = FlatSearch(layout: try VectorLayout(dimension: 4, metric: metric))
      let query: [Float] = [1, 2, 3, 4]
      let values: [Float] = [.nan, .nan, .nan, .nan, 1, 2, 3, 4, -.nan, 0, 0, 0, 4, 3, 2, 1]
      try values.withUnsafeBytes { rows in
        for (distance, expected) in [
          (Float.infinity, [1, 3, 0, 2]), (.greatestFiniteMagnitude, [1, 3]), (-.infinity, []),
        ] {
          let found = try search.neighbors(of: query, within: distance, rows: rows, count: 4)
          #expect(found.map(\.row) == expected)
          let many = try search.neighbors(
            of: try Matrix(rows: [query]), within: distance, rows: rows, count: 4)
          #expect(many == [found])
        }
      }
    }
  }

  @Test("refuses what cannot be searched; no rows and no queries find nothing")
  func errors() throws {
    let layout = try VectorLayout(dimension: 3)
    let rows = try SeededRows(layout, vectors: [[1, 2, 3], [3, 2, 1]])
    let search = FlatSearch(layout: layout)
    func refuses(
      _ expected: NeighborSearchError, _ query: [Float], within distance: Float = 1, count: Int = 2
    ) {
      #expect(throws: expected) {
        try search.neighbors(of: query, within: distance, rows: rows.bytes, count: count)
      }
      #expect(throws: expected) {
        try search.neighbors(
          of: try Matrix(rows: [query]), within: distance, rows: rows.bytes, count: count)
      }
    }
    refuses(.distanceIsNaN, [1, 2, 3], within: .nan)
    refuses(.dimensionMismatch(expected: 3, found: 2), [1, 2])
    refuses(.nonFinite(index: 1), [1, .infinity, 2])
    refuses(.zeroVector, [0, 0, 0])
    refuses(.invalidRowCount(-1), [1, 2, 3], count: -1)
    refuses(.memoryTooShort(expected: 36, found: 24), [1, 2, 3], count: 3)
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(try search.neighbors(of: [1, 2, 3], within: 2, rows: empty, count: 0).isEmpty)
    let none = try Matrix<Float>(rowCount: 0, columnCount: 3, elements: [])
    #expect(try search.neighbors(of: none, within: 2, rows: rows.bytes, count: 2).isEmpty)
  }

  @Test("the nearest among some rows are those of a search that includes only them")
  func candidates() throws {
    for layout in VectorLayout.all(dimension: 33) {
      let rows = try SeededRows(layout, count: 200, seed: 14)
      let search = FlatSearch(layout: layout)
      let query = rows.vectors[30]
      let chosen = [50, 30, 199, 0, 70, 30, 50]
      for k in [0, 1, 3, 5, Int.max] {
        let found = try search.nearest(
          to: query, k: k, among: chosen, rows: rows.bytes, count: 200)
        let expected = try search.nearest(to: query, k: k, rows: rows.bytes, count: 200) {
          chosen.contains($0)
        }
        #expect(found == expected)
      }
    }
    let rows = try SeededRows(VectorLayout(dimension: 2), vectors: [[1, 2], [2, 1]])
    let search = FlatSearch(layout: rows.layout)
    for row in [-1, 2, Int.max, Int.min] {
      #expect(throws: NeighborSearchError.rowOutOfRange(row: row, count: 2)) {
        try search.nearest(to: [1, 1], k: 1, among: [0, row], rows: rows.bytes, count: 2)
      }
    }
    #expect(throws: NeighborSearchError.invalidNeighborCount(-1)) {
      try search.nearest(to: [1, 1], k: -1, among: [0], rows: rows.bytes, count: 2)
    }
  }
}
