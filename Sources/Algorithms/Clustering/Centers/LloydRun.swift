import LinearAlgebra

/// One run of Lloyd's method, with scikit-learn's rules for its end and for empty clusters.
struct LloydRun {
  private(set) var labels: [Int]
  /// The centers one after the other, moved as the rows are.
  private(set) var centers: [Double]
  private(set) var inertia = 0.0
  private(set) var iterations = 0
  let centerCount: Int

  init(
    _ rows: MovedRows, from start: [Double], iterationLimit: Int, tolerance: Double
  ) {
    centerCount = rows.width > 0 ? start.count / rows.width : 1
    centers = start
    let limit = tolerance * rows.meanVariance
    var found = [Int32](repeating: -1, count: rows.count)
    var before = found
    var isSettled = false
    for _ in 0..<iterationLimit {
      iterations += 1
      rows.assign(to: centers, labels: &found)
      let means = Self.means(of: rows, found, around: centers, count: centerCount)
      let move = Self.move(from: centers, to: means, width: rows.width)
      centers = means
      isSettled = found == before
      if isSettled || move <= limit { break }
      before = found
    }
    if !isSettled { rows.assign(to: centers, labels: &found) }
    labels = found.map { Int($0) }
    inertia = Self.squares(of: rows, found, to: centers).reduce(0, +)
  }

  /// The mean of each cluster's rows.
  private static func means(
    of rows: MovedRows, _ labels: [Int32], around centers: [Double], count: Int
  ) -> [Double] {
    let width = rows.width
    var sums = [Double](repeating: 0, count: count * width)
    var sizes = [Int](repeating: 0, count: count)
    rows.values.withUnsafeBufferPointer { values in
      sums.withUnsafeMutableBufferPointer { sums in
        guard let values = values.baseAddress, let sums = sums.baseAddress else { return }
        for (row, label) in labels.enumerated() {
          sizes[Int(label)] += 1
          let (value, sum) = (values + row * width, sums + Int(label) * width)
          if width < 8 {
            for column in 0..<width { sum[column] += value[column] }
          } else {
            DoubleSums.add(1, value, to: sum, count: width)
          }
        }
      }
    }
    refill(&sums, &sizes, rows, labels, around: centers)
    let largest = sizes.indices.max { (sizes[$0], $1) < (sizes[$1], $0) } ?? 0
    for center in 0..<count {
      let share = 1 / Double(sizes[center])
      for column in 0..<width {
        // An empty cluster takes the place of the largest one, as it is at that moment: in
        // scikit-learn too its sum is not divided yet if it comes later.
        if sizes[center] > 0 {
          sums[center * width + column] *= share
        } else {
          sums[center * width + column] = sums[largest * width + column]
        }
      }
    }
    return sums
  }

  /// Gives each empty cluster one of the rows farthest from their centers.
  private static func refill(
    _ sums: inout [Double], _ sizes: inout [Int], _ rows: MovedRows, _ labels: [Int32],
    around centers: [Double]
  ) {
    let empty = sizes.indices.filter { sizes[$0] == 0 }
    guard !empty.isEmpty else { return }
    let squares = squares(of: rows, labels, to: centers)
    // Of copies of as many rows as there are other clusters only rounding is left, and it would move
    // centers for ever.
    let rounding = rows.largestSquare * 1e-26
    guard squares.contains(where: { $0 > rounding }) else { return }
    let farthest = squares.indices.sorted { (-squares[$0], $0) < (-squares[$1], $1) }
    let width = rows.width
    for (cluster, row) in zip(empty, farthest) {
      let old = Int(labels[row])
      for column in 0..<width {
        let value = rows.values[row * width + column]
        sums[old * width + column] -= value
        sums[cluster * width + column] = value
      }
      sizes[cluster] = 1
      sizes[old] -= 1
    }
  }

  /// The squared distance of each row to its center.
  private static func squares(
    of rows: MovedRows, _ labels: [Int32], to centers: [Double]
  ) -> [Double] {
    centers.withUnsafeBufferPointer { centers in
      guard let centers = centers.baseAddress else {
        return [Double](repeating: 0, count: rows.count)
      }
      return labels.enumerated().map { row, label in
        rows.square(row, centers + Int(label) * rows.width)
      }
    }
  }

  /// The sum of the squared moves of the centers.
  private static func move(from old: [Double], to new: [Double], width: Int) -> Double {
    zip(old, new).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  }
}
