import LinearAlgebra

/// The sums of clusters' directions in double precision: their mean cosine distances to thirteen digits,
/// where single precision leaves open which is nearer.
///
/// Nothing is computed before it is asked for: of data without near ties, never.
final class DirectionSums {
  /// Distances in single precision that are nearer to each other may stand the wrong way round.
  static let doubt = 2e-6
  /// Distances in double precision that are nearer to each other are equal.
  static let rounding = 1e-13
  /// More clusters than this at the same distance are copies of one another, or as good.
  static let mostContenders = 64

  private let rows: Matrix<Float>
  /// Merges not yet in the sums.
  private var pending: [(from: Int, to: Int)] = []
  /// Each row's direction, or that of its cluster under the number of one row.
  private var sums: [Double] = []
  private var sizes: [Double] = []

  init(_ rows: Matrix<Float>) {
    self.rows = rows
  }

  /// Adds the cluster of one row to that of another, which goes on under the latter's number.
  func merge(_ first: Int, into second: Int) {
    pending.append((first, second))
  }

  /// The mean cosine distance between the members of two clusters.
  func distance(_ first: Int, _ second: Int) -> Double {
    update()
    let width = rows.columnCount
    let product = sums.withUnsafeBufferPointer { sums -> Double in
      guard let sums = sums.baseAddress else { return 0 }
      return BLAS.uncheckedDot(Int32(width), sums + first * width, sums + second * width)
    }
    return min(max(1 - product / (sizes[first] * sizes[second]), 0), 2)
  }

  private func update() {
    let width = rows.columnCount
    if sums.isEmpty { fill() }
    sums.withUnsafeMutableBufferPointer { sums in
      guard let sums = sums.baseAddress else { return }
      for (from, to) in pending {
        let (source, target) = (sums + from * width, sums + to * width)
        for column in 0..<width { target[column] += source[column] }
        sizes[to] += sizes[from]
      }
    }
    pending.removeAll(keepingCapacity: true)
  }

  private func fill() {
    let (count, width) = (rows.rowCount, rows.columnCount)
    sizes = [Double](repeating: 1, count: count)
    sums = [Double](unsafeUninitializedCapacity: count * width) { sums, initialized in
      initialized = count * width
      rows.elements.withUnsafeBufferPointer { elements in
        guard let sums = sums.baseAddress, let elements = elements.baseAddress else { return }
        for row in 0..<count {
          let (from, to) = (elements + row * width, sums + row * width)
          for column in 0..<width { to[column] = Double(from[column]) }
          let scale = 1 / BLAS.uncheckedDot(Int32(width), to, to).squareRoot()
          for column in 0..<width { to[column] *= scale }
        }
      }
    }
  }
}
