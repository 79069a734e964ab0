import LinearAlgebra
import NearestNeighbors
import TestSupport
import Testing

@Suite("Product quantization")
struct ProductQuantizerTests {
  struct Golden: Decodable {
    let dimension, subspaces, bits: Int
    let metric: String
    let codes: [UInt8]
    let decoded: [Float]
    let distances: [[Double]]
  }

  struct Recall: Decodable {
    let dimension, subspaces, bits, count: Int
    let error, recall, rerankedRecall: Double
  }

  @Test("codes, decoded vectors and distances of given codebooks are those of faiss")
  func golden() throws {
    let goldens: [Golden] = try Folders.golden("nearest_neighbors/codes.json")
    #expect(goldens.count == 10)
    for golden in goldens {
      let metric = try #require(VectorMetric(rawValue: golden.metric))
      let quantizer = try ProductQuantizer.seeded(
        dimension: golden.dimension, subspaces: golden.subspaces, bits: golden.bits,
        metric: metric)
      let rows = SeededRows.vectors(count: 40, dimension: golden.dimension, seed: 41)
      let queries = SeededRows.vectors(count: 3, dimension: golden.dimension, seed: 42)
      let codes = try quantizer.encoded(try Matrix(rows: rows))
      #expect(codes == golden.codes)
      #expect(codes.count == 40 * quantizer.codeSize)
      let decoded = try (0..<2).flatMap {
        try quantizer.decoded(codes[$0 * quantizer.codeSize..<($0 + 1) * quantizer.codeSize])
      }
      #expect(decoded == golden.decoded)
      for (query, expected) in zip(queries, golden.distances) {
        let found = try codes.withUnsafeBytes {
          try PQSearch(quantizer: quantizer).nearest(to: query, k: 40, codes: $0, count: 40)
        }
        let distances = found.sorted { $0.row < $1.row }.map(\.distance)
        // Both are sums of up to 24 terms below 4, in different orders.
        let difference = firstDifference(distances, expected, relative: 1e-6, absolute: 2e-6)
        #expect(difference == nil, "\(golden.dimension), \(metric): \(difference ?? "")")
      }
    }
  }

  @Test("trained codebooks are as good as those of faiss")
  func recall() throws {
    let goldens: [Recall] = try Folders.golden("nearest_neighbors/recalls.json")
    #expect(goldens.count == 2)
    for golden in goldens {
      let (dimension, count) = (golden.dimension, golden.count)
      var generator = SeededGenerator(seed: 51)
      var values = (0..<(count + 200) * dimension).map { _ in generator.unitFloat() * 2 - 1 }
      for index in stride(from: 1, to: values.count, by: 2) {
        values[index] = values[index] * 0.5 + values[index - 1] * 0.5
      }
      let rows = try Matrix(
        rowCount: count, columnCount: dimension, elements: Array(values[..<(count * dimension)]))
      let queries = try Matrix(
        rowCount: 200, columnCount: dimension, elements: Array(values[(count * dimension)...]))
      let quantizer = try ProductQuantizer(
        training: rows, subspaceCount: golden.subspaces, bits: golden.bits,
        metric: .squaredEuclidean, seed: 1)
      let codes = try quantizer.encoded(rows)
      // The mean squared distance of rows from what their codes stand for.
      var error = 0.0
      for row in 0..<count {
        let kept = try quantizer.decoded(
          codes[row * quantizer.codeSize..<(row + 1) * quantizer.codeSize])
        error += SeededRows.distance(Array(rows[row: row]), kept, .squaredEuclidean)
      }
      #expect(error / Double(count) < golden.error * 1.02)

      let flat = FlatSearch(
        layout: try VectorLayout(dimension: dimension, metric: .squaredEuclidean))
      try rows.elements.withUnsafeBytes { memory in
        let truth = try flat.nearest(to: queries, k: 10, rows: memory, count: count)
        let found = try codes.withUnsafeBytes {
          try PQSearch(quantizer: quantizer).nearest(to: queries, k: 100, codes: $0, count: count)
        }
        var (recall, reranked) = (0.0, 0.0)
        for query in 0..<200 {
          let expected = truth[query].map(\.row)
          recall += Array(found[query].prefix(10)).recall(of: expected) / 200
          let measured = try flat.nearest(
            to: Array(queries[row: query]), k: 10, among: found[query].map(\.row), rows: memory,
            count: count)
          reranked += measured.recall(of: expected) / 200
        }
        #expect(abs(recall - golden.recall) < 0.02, "\(recall), faiss \(golden.recall)")
        #expect(reranked > golden.rerankedRecall - 0.02, "\(reranked)")
      }
    }
  }

  @Test("a trained quantizer depends on the rows and the seed, and not on threads")
  func determinism() throws {
    let rows = try Matrix(rows: SeededRows.vectors(count: 120, dimension: 12, seed: 5))
    for metric in VectorMetric.allCases {
      func trained(seed: UInt64 = 3, threads: Int = 1) throws -> ProductQuantizer {
        try ProductQuantizer(
          training: rows, subspaceCount: 3, bits: 4, metric: metric, seed: seed, threads: threads)
      }
      let quantizer = try trained()
      #expect(try trained(threads: 4) == quantizer)
      #expect(try trained(seed: 4) != quantizer)
      #expect(quantizer.codebooks.count == 3)
      #expect(quantizer.codebooks.allSatisfy { $0.rowCount == 16 && $0.columnCount == 4 })
      #expect(try quantizer.encoded(rows, threads: 3) == quantizer.encoded(rows))
    }
  }

  @Test("as many different rows as centroids are kept, however often each occurs")
  func exact() throws {
    let vectors = SeededRows.vectors(count: 16, dimension: 6, seed: 6)
    for copies in [1, 2, 40] {
      let rows = (0..<16 * copies).map { vectors[min($0, 15)] }
      let quantizer = try ProductQuantizer(
        training: try Matrix(rows: rows), subspaceCount: 2, bits: 4, metric: .innerProduct)
      for vector in vectors {
        let kept = try quantizer.decoded(try quantizer.encoded(vector))
        #expect(zip(kept, vector).allSatisfy { abs($0 - $1) < 1e-6 })
      }
    }
    let equal = try ProductQuantizer(
      training: try Matrix(rows: [[Float]](repeating: vectors[0], count: 300)), subspaceCount: 3)
    let length = vectors[0].reduce(0) { $0 + $1 * $1 }.squareRoot()
    let kept = try equal.decoded(try equal.encoded(vectors[0]))
    #expect(zip(kept, vectors[0]).allSatisfy { abs($0 - $1 / length) < 1e-6 })
    #expect(try equal.encoded(vectors[0]).allSatisfy { $0 == 0 })
  }

  @Test("the largest numbers are trained on, encoded and decoded as finite numbers")
  func extremes() throws {
    let largest = Float.greatestFiniteMagnitude
    let vectors = (0..<20).map { [$0 % 2 == 0 ? largest : -largest, largest / Float($0 + 1)] }
    for metric in VectorMetric.allCases {
      let quantizer = try ProductQuantizer(
        training: try Matrix(rows: vectors), subspaceCount: 2, bits: 4, metric: metric)
      let codes = try quantizer.encoded(try Matrix(rows: vectors))
      #expect(codes.count == 20)
      #expect(try quantizer.decoded(codes[..<1]).allSatisfy(\.isFinite))
      let found = try codes.withUnsafeBytes {
        try PQSearch(quantizer: quantizer).nearest(to: vectors[0], k: 20, codes: $0, count: 20)
      }
      #expect(Set(found.map(\.row)) == Set(0..<20))
    }
  }

  @Test("refuses rows that cannot be trained on")
  func trainingErrors() throws {
    let vectors = SeededRows.vectors(count: 20, dimension: 6, seed: 7)
    func refuses(
      _ expected: NeighborSearchError, _ vectors: [[Float]], subspaces: Int = 3, bits: Int = 4,
      metric: VectorMetric = .squaredEuclidean, iterations: Int = 25
    ) {
      #expect(throws: expected) {
        try ProductQuantizer(
          training: try Matrix(rows: vectors), subspaceCount: subspaces, bits: bits,
          metric: metric, iterationLimit: iterations)
      }
    }
    for subspaces in [4, 0, -1, 7, Int.max, Int.min] {
      refuses(.invalidSubspaceCount(subspaces, dimension: 6), vectors, subspaces: subspaces)
    }
    for bits in [0, 5, 16, -8, Int.max] { refuses(.invalidCodeBits(bits), vectors, bits: bits) }
    refuses(.tooFewTrainingRows(found: 15, needed: 16), Array(vectors[..<15]))
    refuses(.tooFewTrainingRows(found: 20, needed: 256), vectors, bits: 8)
    refuses(.invalidIterationLimit(0), vectors, iterations: 0)
    refuses(.nonFinite(index: 3), vectors + [[1, 2, 3, .nan, 5, 6]])
    refuses(.nonFinite(index: 0), vectors + [[-.infinity, 2, 3, 4, 5, 6]])
    refuses(.zeroVector, vectors + [[0, 0, 0, 0, 0, 0]], metric: .cosine)
    refuses(.invalidDimension(0), [])
  }

  @Test("refuses codebooks, vectors and codes that do not fit")
  func shapes() throws {
    let book = try Matrix<Float>(
      rowCount: 16, columnCount: 2, elements: noise(32, seed: 1))
    let wide = try Matrix<Float>(rowCount: 16, columnCount: 3, elements: noise(48, seed: 1))
    let short = try Matrix<Float>(rowCount: 15, columnCount: 2, elements: noise(30, seed: 1))
    var values = book.elements
    values[17] = .nan
    let damaged = try Matrix(rowCount: 16, columnCount: 2, elements: values)
    for (books, index) in [
      ([short], 0), ([book, short], 1), ([book, wide], 1), ([book, book, damaged], 2),
    ] {
      #expect(throws: NeighborSearchError.invalidCodebook(index: index)) {
        try ProductQuantizer(codebooks: books)
      }
    }
    #expect(throws: NeighborSearchError.invalidDimension(0)) {
      try ProductQuantizer(codebooks: [])
    }
    let quantizer = try ProductQuantizer(codebooks: [book, book, book])
    #expect(quantizer.codebooks == [book, book, book])
    #expect(quantizer.codeSize == 2)
    #expect(throws: NeighborSearchError.dimensionMismatch(expected: 6, found: 1)) {
      try quantizer.encoded([1])
    }
    #expect(throws: NeighborSearchError.zeroVector) {
      try quantizer.encoded([0, 0, 0, 0, 0, 0])
    }
    #expect(throws: NeighborSearchError.nonFinite(index: 5)) {
      try quantizer.encoded(try Matrix(rows: [[1, 2, 3, 4, 5, .nan]]))
    }
    for length in [0, 1, 3] {
      #expect(throws: NeighborSearchError.codeLengthMismatch(expected: 2, found: length)) {
        try quantizer.decoded([UInt8](repeating: 0, count: length))
      }
    }
    #expect(try quantizer.encoded(Matrix(rowCount: 0, columnCount: 9, elements: [])).isEmpty)
  }

  @Test("bytes give the same quantizer back, and no changed byte passes")
  func bytes() throws {
    let quantizer = try ProductQuantizer.seeded(
      dimension: 6, subspaces: 3, bits: 4, metric: .innerProduct)
    let bytes = quantizer.serialized()
    #expect(try bytes.withUnsafeBytes { try ProductQuantizer(bytes: $0) } == quantizer)
    func isRefused(_ bytes: [UInt8]) -> Bool {
      do {
        _ = try bytes.withUnsafeBytes { try ProductQuantizer(bytes: $0) }
        return false
      } catch NeighborSearchError.damagedQuantizer {
        return true
      } catch {
        return false
      }
    }
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1 << UInt8(index % 8)
      #expect(isRefused(damaged), "byte \(index)")
    }
    for length in [0, 7, 8, 36, 40, bytes.count - 4, bytes.count - 1] {
      #expect(isRefused(Array(bytes[..<length])))
    }
    #expect(isRefused(bytes + [0, 0, 0, 0]))
  }
}

extension ProductQuantizer {
  /// Codebooks of seeded numbers, as the script of the goldens makes them.
  static func seeded(
    dimension: Int, subspaces: Int, bits: Int, metric: VectorMetric
  ) throws -> ProductQuantizer {
    var generator = SeededGenerator(seed: UInt64(dimension + bits))
    let width = dimension / subspaces
    let books = try (0..<subspaces).map { _ in
      let values = (0..<width << bits).map { _ in generator.unitFloat() * 2 - 1 }
      return try Matrix(rowCount: 1 << bits, columnCount: width, elements: values)
    }
    return try ProductQuantizer(codebooks: books, metric: metric)
  }
}
