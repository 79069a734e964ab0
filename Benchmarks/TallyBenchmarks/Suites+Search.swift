import LinearAlgebra
import NearestNeighbors

extension Benchmark {
  /// NearestNeighbors: exact and approximate search, by a graph and by codes.
  ///
  /// Rows and queries are embeddings around one center for every twenty of them.
  static let search: [Benchmark] = [
    flat(queries: 1, count: 10_000),
    flat(queries: 1, count: 100_000, isLarge: true),
    flat(queries: 64, count: 100_000, isLarge: true),
    // The answer is how many rows have an inner product of 100 or more.
    Benchmark(name: "search/within-64-100000x512", items: 64, isLarge: true) { settings in
      let embeddings = try SeededInput.embeddings(count: 100_064, dimension: 512, seed: 20)
      let rows = try EncodedRows(embeddings, metric: .innerProduct)
      let queries = embeddings.rows(100_000..<100_064)
      BLASThreads.set(1)
      return {
        let found = try FlatSearch(layout: rows.layout).neighbors(
          of: queries, within: -100, rows: rows.memory, count: 100_000, threads: settings.threads)
        return Double(found.reduce(0) { $0 + $1.count })
      }
    },
    Benchmark(name: "search/hnsw-build-100000x128", items: 100_000, isLarge: true) { settings in
      let rows = try EncodedRows(
        SeededInput.embeddings(count: 101_000, dimension: 128, seed: 21), metric: .cosine)
      return { Double(try rows.graph(count: 100_000, threads: settings.threads).count) }
    },
    // The answer is how many of the ten nearest are found, on average.
    Benchmark(
      name: "search/hnsw-query-100000x128-ef20", tolerance: 0.01, items: 1000, isLarge: true
    ) { settings in
      let embeddings = try SeededInput.embeddings(count: 101_000, dimension: 128, seed: 21)
      let rows = try EncodedRows(embeddings, metric: .cosine)
      let queries = embeddings.rows(100_000..<101_000)
      let graph = try rows.graph(count: 100_000, threads: settings.threads)
      let truth = try rows.nearest(to: queries, k: 10, count: 100_000, threads: 1)
        .map { Set($0.map(\.row)) }
      return {
        let found = try graph.nearest(
          to: queries, k: 10, ef: 20, rows: rows.memory, threads: settings.threads)
        let hits = zip(found, truth).reduce(0) { $0 + $1.1.intersection($1.0.map(\.row)).count }
        return Double(hits) / 1000
      }
    },
    // The answer is the mean squared distance of the first thousand rows from what their codes
    // stand for.
    Benchmark(name: "search/pq-train-20000x128-16", tolerance: 0.03, isLarge: true) { settings in
      let rows = try SeededInput.embeddings(count: 20_000, dimension: 128, seed: 21)
      let first = rows.rows(0..<1000)
      return {
        let quantizer = try ProductQuantizer(
          training: rows, subspaceCount: 16, metric: .squaredEuclidean, threads: settings.threads)
        let codes = try quantizer.encoded(first)
        return try (0..<1000).reduce(0.0) { sum, row in
          let kept = try quantizer.decoded(codes[row * 16..<(row + 1) * 16])
          let differences = zip(kept, first[row: row]).map { Double($0 - $1) }
          return sum + differences.reduce(0) { $0 + $1 * $1 } / 1000
        }
      }
    },
    pqQueries(bits: 8), pqQueries(bits: 4),
  ]

  /// The answer is how many of the ten nearest are found, on average.
  private static func pqQueries(bits: Int) -> Benchmark {
    Benchmark(
      name: "search/pq-query-100000x128-16-bits\(bits)", tolerance: 0.05, items: 100, isLarge: true
    ) { settings in
      let embeddings = try SeededInput.embeddings(count: 101_000, dimension: 128, seed: 21)
      let queries = embeddings.rows(100_000..<100_100)
      let truth = try EncodedRows(embeddings, metric: .squaredEuclidean)
        .nearest(to: queries, k: 10, count: 100_000, threads: 1).map { Set($0.map(\.row)) }
      let quantizer = try ProductQuantizer(
        training: embeddings.rows(0..<20_000), subspaceCount: 16, bits: bits,
        metric: .squaredEuclidean)
      let codes = try quantizer.encoded(embeddings.rows(0..<100_000))
      let search = PQSearch(quantizer: quantizer)
      return {
        let found = try codes.withUnsafeBytes {
          try search.nearest(
            to: queries, k: 10, codes: $0, count: 100_000, threads: settings.threads)
        }
        let hits = zip(found, truth).reduce(0) { $0 + $1.1.intersection($1.0.map(\.row)).count }
        return Double(hits) / 100
      }
    }
  }

  private static func flat(queries: Int, count: Int, isLarge: Bool = false) -> Benchmark {
    Benchmark(
      name: "search/flat-\(queries)-\(count)x512", tolerance: 1e-4, items: queries, isLarge: isLarge
    ) { settings in
      let embeddings = try SeededInput.embeddings(count: count + queries, dimension: 512, seed: 20)
      let rows = try EncodedRows(embeddings, metric: .innerProduct)
      let asked = embeddings.rows(count..<count + queries)
      BLASThreads.set(1)
      return {
        let found =
          queries == 1
          ? [try rows.nearest(to: Array(asked[row: 0]), k: 5, count: count)]
          : try rows.nearest(to: asked, k: 5, count: count, threads: settings.threads)
        return found.joined().reduce(0) { $0 - Double($1.distance) }
      }
    }
  }
}

/// Rows as they are searched.
private final class EncodedRows {
  let layout: VectorLayout
  private let bytes: UnsafeMutableRawBufferPointer

  init(_ vectors: Matrix<Float>, metric: VectorMetric) throws {
    layout = try VectorLayout(dimension: vectors.columnCount, metric: metric)
    bytes = .allocate(byteCount: vectors.rowCount * layout.rowStride, alignment: 64)
    for row in 0..<vectors.rowCount {
      try layout.encode(Array(vectors[row: row]), into: bytes.baseAddress! + row * layout.rowStride)
    }
  }

  deinit { bytes.deallocate() }

  var memory: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }

  func nearest(to query: [Float], k: Int, count: Int) throws -> [Neighbor] {
    try FlatSearch(layout: layout).nearest(to: query, k: k, rows: memory, count: count)
  }

  func nearest(
    to queries: Matrix<Float>, k: Int, count: Int, threads: Int
  ) throws -> [[Neighbor]] {
    try FlatSearch(layout: layout).nearest(
      to: queries, k: k, rows: memory, count: count, threads: threads)
  }

  func graph(count: Int, threads: Int) throws -> HNSWGraph {
    try HNSWGraph(
      layout: layout, settings: HNSWSettings(links: 16, breadth: 200), rows: memory, count: count,
      threads: threads)
  }
}
