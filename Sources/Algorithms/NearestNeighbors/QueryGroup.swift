import LinearAlgebra

/// Queries that are multiplied with blocks of rows together.
struct QueryGroup: Sendable {
  /// The number of rows in a block, which should about fit into the second-level cache.
  static let blockSize = 512
  /// The number of scores that are compared together.
  private static let lanes = 8

  let layout: VectorLayout
  let queries: [PreparedQuery]
  private let packed: PackedRows
  /// The queries' lengths.
  private let lengths: [Float]
  /// The number of scores per row: the queries, rounded up to whole lanes.
  private let stride: Int

  init(layout: VectorLayout, queries: [PreparedQuery]) {
    self.layout = layout
    self.queries = queries
    var packed = PackedRows(width: layout.dimension, capacity: queries.count)
    var lengths: [Float] = []
    for query in queries {
      let vector = query.vector
      vector.withUnsafeBufferPointer { packed.append(unchecked: $0.baseAddress!, count: 1) }
      let square = vector.reduce(0.0) { $0 + Double($1) * Double($1) }
      lengths.append(Float(square.squareRoot().nextUp))
    }
    (self.packed, self.lengths) = (packed, lengths)
    stride = (queries.count + Self.lanes - 1) / Self.lanes * Self.lanes
  }

  /// Offers each query the rows of a range that may be near enough, and returns what it kept.
  func collected<Collector: RowCollector>(
    by collector: Collector, in range: Range<Int>, of memory: UnsafeRawPointer,
    isIncluded: ((Int) -> Bool)?
  ) -> [Collector] {
    let dimension = layout.dimension
    var found = [Collector](repeating: collector, count: queries.count)
    // There is nothing to find for lanes without a query.
    var scores = [Float](repeating: 0, count: stride * Self.blockSize)
    var needed = [Float](repeating: .infinity, count: stride)
    let needsUnpacking = layout.precision != .float32
    var unpacked = [Float](repeating: 0, count: needsUnpacking ? Self.blockSize * dimension : 0)
    var halfSquares = [Float](repeating: 0, count: Self.blockSize)
    for start in Swift.stride(from: range.lowerBound, to: range.upperBound, by: Self.blockSize) {
      let count = min(Self.blockSize, range.upperBound - start)
      let rows = memory + start * layout.rowStride
      unpacked.withUnsafeMutableBufferPointer { unpacked in
        for row in 0..<(needsUnpacking ? count : 0) {
          layout.decode(
            rows + row * layout.rowStride, into: unpacked.baseAddress! + row * dimension)
        }
        let block =
          needsUnpacking
          ? UnsafePointer(unpacked.baseAddress!) : rows.assumingMemoryBound(to: Float.self)
        scores.withUnsafeMutableBufferPointer { scores in
          packed.uncheckedProducts(
            of: block, count: count, with: 0..<queries.count, into: scores.baseAddress!,
            stride: stride)
        }
        let longest = measure(block, count, halfSquares: &halfSquares)
        offer(
          rows, start, count, scores: scores, halfSquares: halfSquares, longest: longest,
          needed: &needed, to: &found, isIncluded)
      }
    }
    return found
  }

  /// Computes half the squared lengths of a block's rows, if distances need them, and the largest
  /// length.
  private func measure(
    _ block: UnsafePointer<Float>, _ count: Int, halfSquares: inout [Float]
  ) -> Float {
    // Rows have length 1, except for rounding.
    if layout.metric == .cosine { return 1.01 }
    let dimension = layout.dimension
    var largest: Float = 0
    for row in 0..<count {
      let values = block + row * dimension
      let square = Products.dot(values, values, dimension)
      halfSquares[row] = square / 2
      // This is not `max`, which may drop NaN.
      largest = largest > square ? largest : square
    }
    return largest.squareRoot() * 1.01
  }

  /// Measures the rows of a block that the scores do not exclude, and offers them.
  private func offer<Collector: RowCollector>(
    _ rows: UnsafeRawPointer, _ start: Int, _ count: Int, scores: [Float], halfSquares: [Float],
    longest: Float, needed: inout [Float], to found: inout [Collector],
    _ isIncluded: ((Int) -> Bool)?
  ) {
    let margins = lengths.map { margin(length: $0, longest: longest) }
    for query in queries.indices {
      needed[query] =
        neededScore(found[query].limit, length: lengths[query]) - margins[query]
    }
    let isEuclidean = layout.metric == .squaredEuclidean
    scores.withUnsafeBufferPointer { scores in
      needed.withUnsafeMutableBufferPointer { needed in
        for row in 0..<count {
          let line = UnsafeRawPointer(scores.baseAddress! + row * stride)
          let least = UnsafeRawPointer(needed.baseAddress!)
          let subtrahend = isEuclidean ? halfSquares[row] : 0
          for first in Swift.stride(from: 0, to: stride, by: Self.lanes) {
            typealias Lanes = SIMD8<Float>
            let offset = first * MemoryLayout<Float>.stride
            let score = line.loadUnaligned(fromByteOffset: offset, as: Lanes.self) - subtrahend
            // The comparison is negated, so that NaN is measured.
            let isOut = score .< least.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
            if all(isOut) { continue }
            for lane in 0..<Self.lanes where !isOut[lane] && first + lane < queries.count {
              let query = first + lane
              let limit = found[query].limit
              let ranked = queries[query].withRuler { ruler in
                RankedRow(
                  ruler.distance(rows + row &* layout.rowStride), row: Int32(start &+ row))
              }
              if ranked < limit, isIncluded?(start + row) ?? true {
                found[query].offer(ranked)
                needed[query] =
                  neededScore(found[query].limit, length: lengths[query]) - margins[query]
              }
            }
          }
        }
      }
    }
  }

  /// The greatest error of a score.
  ///
  /// A sum of d products is off by d rounding errors of |q| |r| at most (Higham, "Accuracy and
  /// Stability of Numerical Algorithms", section 3.1). This applies to both sums, and to the row's
  /// square too; the rest is for the rounding around them.
  private func margin(length: Float, longest: Float) -> Float {
    let isEuclidean = layout.metric == .squaredEuclidean
    let sums = length * longest + (isEuclidean ? longest * longest + length * length : 0)
    // Products of tiny values lose everything below the smallest number.
    return Float(4 * layout.dimension + 64) * 0x1p-24 * sums + Float.leastNormalMagnitude
  }

  /// The score that a row must have to be as near as `limit`, except for rounding.
  private func neededScore(_ limit: RankedRow, length: Float) -> Float {
    let distance = limit == .farthest ? Float.infinity : limit.distance
    switch layout.metric {
    // A row of half precision may be a little longer than 1. Its distance is cut off at 2.
    case .cosine: return distance >= 2 ? -.infinity : 1 - distance
    case .innerProduct: return -distance
    // |q - r|² = |q|² - 2 (q·r - |r|² / 2)
    case .squaredEuclidean: return (length * length - distance) / 2
    }
  }
}
