import LinearAlgebra

/// The sums of clusters' directions in double precision: their mean cosine distances to thirteen digits.
///
/// Merges' distances come from here, for their order numbers clusters and so labels; and it decides where
/// single precision leaves open which of several is nearest. Only clusters of several rows have a sum in
/// memory; a single row's direction is made when it is asked for.
final class DirectionSums {
  /// Distances in single precision that are nearer to each other may stand the wrong way round.
  static let doubt = 2e-6
  /// Distances in double precision that are nearer to each other are equal.
  static let rounding = 1e-13
  /// More clusters than this at the same distance are copies of one another, or as good.
  static let mostContenders = 64

  private let rows: Matrix<Float>
  private let width: Int
  /// For each row one over its length; 0 before it was asked for.
  private var scales: [Double]
  /// The sums of clusters of several rows, under the number of one of these.
  private var sums: [UnsafeMutablePointer<Double>?]
  private var sizes: [Double]
  /// Two directions.
  private let scratch: UnsafeMutablePointer<Double>

  init(_ rows: Matrix<Float>) {
    self.rows = rows
    width = rows.columnCount
    scales = [Double](repeating: 0, count: rows.rowCount)
    sums = [UnsafeMutablePointer<Double>?](repeating: nil, count: rows.rowCount)
    sizes = [Double](repeating: 1, count: rows.rowCount)
    scratch = .allocate(capacity: 2 * max(width, 1))
  }

  deinit {
    for sum in sums { sum?.deallocate() }
    scratch.deallocate()
  }

  /// The mean cosine distance between the members of two clusters.
  func distance(_ first: Int, _ second: Int) -> Double {
    let a = sum(of: first, orIn: scratch)
    let b = sum(of: second, orIn: scratch + width)
    let product = BLAS.uncheckedDot(Int32(width), UnsafePointer(a), UnsafePointer(b))
    return min(max(1 - product / (sizes[first] * sizes[second]), 0), 2)
  }

  /// Which of about equally near clusters is the nearest: the earliest of those equal to the last digits.
  ///
  /// - Parameter contenders: what is chosen from, at least one, and the row that each goes under.
  func nearest(of row: Int, among contenders: [(cluster: Int, row: Int)]) -> Int {
    var best = (cluster: contenders[0].cluster, distance: Double.infinity)
    for (cluster, other) in contenders {
      let exact = distance(row, other)
      if exact < best.distance - Self.rounding { best = (cluster, exact) }
    }
    return best.cluster
  }

  /// Adds the cluster of one row to that of another, which goes on under the latter's number, and returns how
  /// far apart they were.
  func merge(_ first: Int, into second: Int) -> Double {
    let distance = distance(first, second)
    let source = sum(of: first, orIn: scratch)
    let target: UnsafeMutablePointer<Double>
    if let sum = sums[second] {
      target = sum
    } else {
      target = sum(of: second, orIn: .allocate(capacity: width))
      sums[second] = target
    }
    for column in 0..<width { target[column] += source[column] }
    sizes[second] += sizes[first]
    sums[first]?.deallocate()
    sums[first] = nil
    return distance
  }

  /// A cluster's sum where it lies, or a single row's direction written to `place`.
  private func sum(
    of row: Int, orIn place: UnsafeMutablePointer<Double>
  ) -> UnsafeMutablePointer<Double> {
    if let sum = sums[row] { return sum }
    let width = width
    rows.elements.withUnsafeBufferPointer { elements in
      guard let values = elements.baseAddress.map({ $0 + row * width }) else { return }
      for column in 0..<width { place[column] = Double(values[column]) }
    }
    if scales[row] == 0 {
      scales[row] =
        1
        / BLAS.uncheckedDot(Int32(width), UnsafePointer(place), UnsafePointer(place))
        .squareRoot()
    }
    let scale = scales[row]
    for column in 0..<width { place[column] *= scale }
    return place
  }
}
