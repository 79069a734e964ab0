import LinearAlgebra

/// The sums of clusters' directions in double precision: their mean cosine distances to thirteen
/// digits.
///
/// The distances of merges come from here, because their order determines labels. It also decides
/// which cluster is nearest if single precision cannot. Only clusters of several rows have a sum in
/// memory; a single row's direction is computed on demand.
final class DirectionSums {
  /// Distances in single precision that are nearer to each other may stand the wrong way round.
  static let doubt = 2e-6
  /// Distances in double precision that are nearer to each other are tied: another order of sums
  /// may turn them round.
  static let rounding = 1e-12
  /// More clusters than this at the same distance are copies of one another, or as good.
  static let mostContenders = 64

  /// Whether any of the decisions so far was between clusters that are equally near.
  private(set) var hasTies = false

  private let rows: Matrix<Float>
  private let width: Int
  // Manual memory, because each access to an array of a class checks for exclusivity.
  /// For each row one over its length; 0 before it was asked for.
  private let scales: UnsafeMutablePointer<Double>
  /// The sums of clusters of several rows, under the number of one of these.
  private let sums: UnsafeMutablePointer<UnsafeMutablePointer<Double>?>
  private let sizes: UnsafeMutablePointer<Double>

  init(_ rows: Matrix<Float>) {
    self.rows = rows
    width = rows.columnCount
    let count = rows.rowCount
    scales = .allocate(capacity: count)
    scales.initialize(repeating: 0, count: count)
    sums = .allocate(capacity: count)
    sums.initialize(repeating: nil, count: count)
    sizes = .allocate(capacity: count)
    sizes.initialize(repeating: 1, count: count)
  }

  deinit {
    for row in 0..<rows.rowCount { sums[row]?.deallocate() }
    sums.deallocate()
    sizes.deallocate()
    scales.deallocate()
  }

  /// The mean cosine distance between the members of two clusters.
  func distance(_ first: Int, _ second: Int) -> Double {
    let product = rows.elements.withUnsafeBufferPointer { elements -> Double in
      guard let values = elements.baseAddress else { return 0 }
      let (a, b) = (values + first * width, values + second * width)
      switch (sums[first], sums[second]) {
      case (let x?, let y?): return DoubleSums.dot(x, y, count: width)
      case (let x?, nil): return DoubleSums.dot(b, x, count: width) * scale(second, b)
      case (nil, let y?): return DoubleSums.dot(a, y, count: width) * scale(first, a)
      case (nil, nil):
        return DoubleSums.dot(a, b, count: width) * scale(first, a) * scale(second, b)
      }
    }
    return min(max(1 - product / (sizes[first] * sizes[second]), 0), 2)
  }

  /// The nearest of some about equally near clusters.
  ///
  /// In a tie it is the preferred one, else the first.
  ///
  /// - Parameters:
  ///   - rows: for each cluster the row under whose number it goes here.
  ///   - contenders: the clusters to choose from, ascending, at least one.
  func nearest(
    of cluster: Int, preferring preferred: Int?, rows: [Int], among contenders: [Int]
  ) -> Int {
    let first = contenders.first { $0 == preferred }
    guard contenders.count <= Self.mostContenders else {
      // Among crowds of equals it does not matter; the one before ends the chain.
      hasTies = true
      return first ?? contenders[0]
    }
    var (best, least, second) = (contenders[0], Double.infinity, Double.infinity)
    for other in (first.map { [$0] } ?? []) + contenders.filter({ $0 != first }) {
      let exact = distance(rows[cluster], rows[other])
      if exact < least - Self.rounding {
        (best, least, second) = (other, exact, least)
      } else {
        second = min(second, exact)
      }
    }
    if second - least < Self.rounding { hasTies = true }
    return best
  }

  /// Adds the cluster of one row to that of another, which goes on under the latter's number, and
  /// returns how far apart they were.
  func merge(_ first: Int, into second: Int) -> Double {
    let distance = distance(first, second)
    rows.elements.withUnsafeBufferPointer { elements in
      guard let values = elements.baseAddress else { return }
      let target: UnsafeMutablePointer<Double>
      if let sum = sums[second] {
        target = sum
      } else {
        target = .allocate(capacity: width)
        target.initialize(repeating: 0, count: width)
        add(second, values, to: target)
        sums[second] = target
      }
      if let sum = sums[first] {
        DoubleSums.add(1, sum, to: target, count: width)
        sum.deallocate()
        sums[first] = nil
      } else {
        add(first, values, to: target)
      }
    }
    sizes[second] += sizes[first]
    return distance
  }

  /// Adds a row's direction to a sum.
  private func add(
    _ row: Int, _ values: UnsafePointer<Float>, to sum: UnsafeMutablePointer<Double>
  ) {
    let place = values + row * width
    DoubleSums.add(scale(row, place), place, to: sum, count: width)
  }

  /// One over a row's length.
  private func scale(_ row: Int, _ values: UnsafePointer<Float>) -> Double {
    if scales[row] == 0 {
      scales[row] = 1 / DoubleSums.dot(values, values, count: width).squareRoot()
    }
    return scales[row]
  }
}
