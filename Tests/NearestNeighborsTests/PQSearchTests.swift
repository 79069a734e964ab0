import LinearAlgebra
import NearestNeighbors
import TestSupport
import Testing

@Suite("Search over codes")
struct PQSearchTests {
  private static func quantizers() throws -> [ProductQuantizer] {
    try VectorMetric.allCases.flatMap { metric in
      try [(21, 3, 8), (21, 7, 4), (10, 5, 8), (8, 2, 4)].map { dimension, subspaces, bits in
        try ProductQuantizer.seeded(
          dimension: dimension, subspaces: subspaces, bits: bits, metric: metric)
      }
    }
  }

  @Test("finds the decoded vectors that are nearest, by brute force", arguments: [0, 1, 9, 1000])
  func bruteForce(k: Int) throws {
    for quantizer in try Self.quantizers() {
      let vectors = SeededRows.vectors(count: 120, dimension: quantizer.dimension, seed: 1)
      let codes = try quantizer.encoded(try Matrix(rows: vectors))
      let size = quantizer.codeSize
      for query in SeededRows.vectors(count: 4, dimension: quantizer.dimension, seed: 2) {
        let found = try codes.withUnsafeBytes {
          try PQSearch(quantizer: quantizer).nearest(to: query, k: k, codes: $0, count: 120) {
            $0 % 5 != 2
          }
        }
        let distances = try (0..<120).map {
          SeededRows.distance(
            query, try quantizer.decoded(codes[$0 * size..<($0 + 1) * size]), quantizer.metric)
        }
        let expected = (0..<120).filter { $0 % 5 != 2 }.map { distances[$0] }.sorted().prefix(k)
        #expect(found.count == expected.count)
        for (neighbor, distance) in zip(found, expected) {
          // Rows may change places that are nearer to each other than rounding.
          #expect(abs(Double(neighbor.distance) - distance) < 2e-5)
          #expect(abs(Double(neighbor.distance) - distances[neighbor.row]) < 2e-5)
          #expect(neighbor.row % 5 != 2)
        }
      }
    }
  }

  @Test("many queries get to the bit what each gets by itself, on any number of threads")
  func queries() throws {
    for quantizer in try Self.quantizers() {
      let dimension = quantizer.dimension
      let codes = try quantizer.encoded(
        try Matrix(rows: SeededRows.vectors(count: 200, dimension: dimension, seed: 3)))
      let queries = SeededRows.vectors(count: 15, dimension: dimension, seed: 4)
      let search = PQSearch(quantizer: quantizer)
      try codes.withUnsafeBytes { codes in
        let single = try queries.map {
          try search.nearest(to: $0, k: 6, codes: codes, count: 200)
        }
        for threads in [1, 4] {
          let found = try search.nearest(
            to: try Matrix(rows: queries), k: 6, codes: codes, count: 200, threads: threads)
          #expect(found == single)
        }
      }
    }
  }

  @Test("equal codes come in their order; any bytes at any address are codes")
  func anyBytes() throws {
    for quantizer in try Self.quantizers() {
      let search = PQSearch(quantizer: quantizer)
      let query = SeededRows.vectors(count: 1, dimension: quantizer.dimension, seed: 5)[0]
      var generator = SeededGenerator(seed: 6)
      let bytes = (0...50 * quantizer.codeSize).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      try bytes.withUnsafeBytes {
        let found = try search.nearest(
          to: query, k: 50, codes: UnsafeRawBufferPointer(rebasing: $0[1...]), count: 50)
        #expect(Set(found.map(\.row)) == Set(0..<50))
      }
      let equal = [UInt8](repeating: 0x5A, count: 30 * quantizer.codeSize)
      let found = try equal.withUnsafeBytes {
        try search.nearest(to: query, k: 7, codes: $0, count: 30)
      }
      #expect(found.map(\.row) == Array(0..<7))
    }
  }

  @Test("the upper half of the last byte is not looked at if it has no subspace")
  func spareBits() throws {
    let quantizer = try ProductQuantizer.seeded(
      dimension: 9, subspaces: 3, bits: 4, metric: .squaredEuclidean)
    let codes: [UInt8] = [0x21, 0x03, 0x21, 0xF3]
    let found = try codes.withUnsafeBytes {
      try PQSearch(quantizer: quantizer).nearest(
        to: [Float](repeating: 0.5, count: 9), k: 2, codes: $0, count: 2)
    }
    #expect(found.map(\.row) == [0, 1])
    #expect(found[0].distance == found[1].distance)
    #expect(try quantizer.decoded(codes[..<2]) == quantizer.decoded(codes[2...]))
  }

  @Test("refuses what cannot be searched; no codes and no queries find nothing")
  func errors() throws {
    let quantizer = try ProductQuantizer.seeded(
      dimension: 4, subspaces: 2, bits: 8, metric: .cosine)
    let search = PQSearch(quantizer: quantizer)
    let codes: [UInt8] = [1, 2, 3, 4]
    func refuses(
      _ expected: NeighborSearchError, _ query: [Float] = [1, 2, 3, 4], k: Int = 1, count: Int = 2
    ) {
      codes.withUnsafeBytes { codes in
        #expect(throws: expected) {
          try search.nearest(to: query, k: k, codes: codes, count: count)
        }
        #expect(throws: expected) {
          try search.nearest(to: try Matrix(rows: [query]), k: k, codes: codes, count: count)
        }
      }
    }
    refuses(.dimensionMismatch(expected: 4, found: 2), [1, 2])
    refuses(.nonFinite(index: 1), [1, .nan, 2, 3])
    refuses(.zeroVector, [0, 0, 0, 0])
    refuses(.invalidNeighborCount(-1), k: -1)
    refuses(.invalidRowCount(-1), count: -1)
    refuses(.invalidRowCount(.max), count: .max)
    refuses(.memoryTooShort(expected: 6, found: 4), count: 3)
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(try search.nearest(to: [1, 2, 3, 4], k: 4, codes: empty, count: 0).isEmpty)
    let none = try Matrix<Float>(rowCount: 0, columnCount: 4, elements: [])
    #expect(try search.nearest(to: none, k: 4, codes: empty, count: 0).isEmpty)
  }
}
