import LinearAlgebra
import TestSupport

@testable import NearestNeighbors

/// Rows in memory, and the vectors they were made of.
final class SeededRows {
  let layout: VectorLayout
  private(set) var vectors: [[Float]]
  private let memory: UnsafeMutableRawBufferPointer

  init(_ layout: VectorLayout, vectors: [[Float]]) throws {
    self.layout = layout
    self.vectors = vectors
    memory = .allocate(byteCount: vectors.count * layout.rowStride, alignment: 4)
    for (row, vector) in vectors.enumerated() { try set(row, to: vector) }
  }

  /// Rows around one center for every twenty of them, as embeddings of like things are.
  convenience init(_ layout: VectorLayout, count: Int, seed: UInt64) throws {
    try self.init(
      layout, vectors: Self.vectors(count: count, dimension: layout.dimension, seed: seed))
  }

  deinit { memory.deallocate() }

  var count: Int { vectors.count }
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }

  func set(_ row: Int, to vector: [Float]) throws {
    vectors[row] = vector
    try layout.encode(vector, into: memory.baseAddress! + row * layout.rowStride)
  }

  /// The row's vector as the layout keeps it.
  func kept(_ row: Int) -> [Float] { layout.decode(bytes.baseAddress! + row * layout.rowStride) }

  static func vectors(count: Int, dimension: Int, seed: UInt64) -> [[Float]] {
    var generator = SeededGenerator(seed: seed)
    let centers = (0..<max(2, count / 20)).map { _ in
      (0..<dimension).map { _ in generator.unitFloat() * 2 - 1 }
    }
    return (0..<count).map { row in
      centers[row % centers.count].map { $0 + (generator.unitFloat() * 2 - 1) * 0.4 }
    }
  }

  /// The distance of a row from a query, in double precision.
  func distance(_ query: [Float], _ row: Int) -> Double {
    Self.distance(query, kept(row), layout.metric)
  }

  static func distance(_ query: [Float], _ row: [Float], _ metric: VectorMetric) -> Double {
    var (product, difference, first) = (0.0, 0.0, 0.0)
    for (x, y) in zip(query, row) {
      product += Double(x) * Double(y)
      difference += (Double(x) - Double(y)) * (Double(x) - Double(y))
      first += Double(x) * Double(x)
    }
    switch metric {
    // Kept rows are of length 1 but for rounding, and that of halves shows.
    case .cosine: return min(max(1 - product / first.squareRoot(), 0), 2)
    case .innerProduct: return -product
    case .squaredEuclidean: return difference
    }
  }

  /// The nearest of the rows that `isIncluded`, by brute force.
  func nearest(
    to query: [Float], k: Int, isIncluded: (Int) -> Bool = { _ in true }
  ) -> [(row: Int, distance: Double)] {
    (0..<count).filter(isIncluded).map { ($0, distance(query, $0)) }
      .sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(k).map { $0 }
  }
}

extension VectorLayout {
  /// Every precision with every metric, in `dimension` values.
  static func all(dimension: Int) -> [VectorLayout] {
    VectorPrecision.allCases.flatMap { precision in
      VectorMetric.allCases.compactMap {
        try? VectorLayout(dimension: dimension, precision: precision, metric: $0)
      }
    }
  }
}

extension [Neighbor] {
  /// How many of `expected` were found, as a share.
  func recall(of expected: [Int]) -> Double {
    Double(Set(map(\.row)).intersection(expected).count) / Double(Swift.max(expected.count, 1))
  }
}
