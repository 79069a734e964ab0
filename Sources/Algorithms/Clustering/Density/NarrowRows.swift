import LinearAlgebra

/// Mutual reachability of rows of few values by Euclidean distances, in double precision throughout.
///
/// Products would take longer, and memory. The squares from one row to all others are computed at a
/// time, each summed from the first column to the last.
struct NarrowRows {
  private let count: Int
  private let width: Int
  /// Column after column, each up to whole vectors.
  private let columns: [Double]
  private let paddedCount: Int

  /// Rows of more columns are not narrow.
  static let mostColumns = 8

  init(_ rows: Matrix<Double>) {
    (count, width) = (rows.rowCount, rows.columnCount)
    let padded = (count + 7) / 8 * 8
    paddedCount = padded
    // Squares to what is behind the last row are infinite.
    var columns = [Double](repeating: .infinity, count: padded * width)
    for row in 0..<count {
      for column in 0..<width { columns[column * padded + row] = rows[row, column] }
    }
    self.columns = columns
  }

  /// The edges of a minimum spanning tree.
  ///
  /// - Parameter neighbors: how many rows are within a core distance, at most all.
  func edges(neighbors: Int) -> [FoundMerge] {
    var squares = [Double](repeating: 0, count: paddedCount)
    let cores = coreDistances(neighbors, &squares)
    var tree = ReachTree(count: count, keepsSources: true)
    // Squares from here on are of no use; none of rows inside the tree is.
    var limits = [Double](repeating: .infinity, count: paddedCount)
    for _ in 1..<max(count, 1) {
      let last = tree.last
      limits[last] = -1
      fill(&squares, from: last)
      limits.withUnsafeMutableBufferPointer { limits in
        squares.forEachBelow(limits) { other in
          let distance = max(cores[last], cores[other], squares[other].squareRoot())
          guard distance < tree.reach[other] else { return }
          tree.offer(other, distance)
          // A little more than the square, which rounding may have made too small.
          limits[other] = distance * distance * (1 + 0x1p-50)
        }
      }
      tree.grow()
    }
    return tree.edges
  }

  private func coreDistances(_ neighbors: Int, _ squares: inout [Double]) -> [Double] {
    var nearest = NearestKeys<Double>(capacity: neighbors)
    return (0..<count).map { row in
      fill(&squares, from: row)
      nearest.removeAll()
      // The first ones fill the heap; of the others only smaller ones count.
      for other in 0..<min(neighbors, count) { nearest.offer(squares[other]) }
      var place = neighbors
      while place < count {
        let end = min(place + 256, count)
        let limit = nearest.greatest
        for other in place..<end where squares[other] < limit { nearest.offer(squares[other]) }
        place = end
      }
      return nearest.greatest.squareRoot()
    }
  }

  /// The squared distances from a row to all.
  private func fill(_ squares: inout [Double], from row: Int) {
    squares.withUnsafeMutableBytes { squares in
      columns.withUnsafeBytes { columns in
        let size = MemoryLayout<Double>.stride
        for place in stride(from: 0, to: paddedCount, by: 8) {
          var sums = SIMD8<Double>.zero
          for column in 0..<width {
            let start = column * paddedCount
            let own = columns.load(fromByteOffset: (start + row) * size, as: Double.self)
            let difference =
              columns.loadUnaligned(
                fromByteOffset: (start + place) * size, as: SIMD8<Double>.self) - own
            sums += difference * difference
          }
          squares.storeBytes(of: sums, toByteOffset: place * size, as: SIMD8<Double>.self)
        }
      }
    }
  }
}

extension [Double] {
  /// Calls `body` with each place whose value is below that of `limits`, which `body` may change
  /// there; both are whole vectors.
  fileprivate func forEachBelow(
    _ limits: UnsafeMutableBufferPointer<Double>, _ body: (Int) -> Void
  ) {
    let limits = UnsafeMutableRawBufferPointer(limits)
    withUnsafeBytes { values in
      for place in stride(from: 0, to: count, by: 8) {
        let offset = place * MemoryLayout<Double>.stride
        let value = values.loadUnaligned(fromByteOffset: offset, as: SIMD8<Double>.self)
        let isBelow =
          value .< limits.loadUnaligned(fromByteOffset: offset, as: SIMD8<Double>.self)
        guard any(isBelow) else { continue }
        for lane in 0..<8 where isBelow[lane] { body(place + lane) }
      }
    }
  }
}
