import Dispatch
import LinearAlgebra
import _CLibrary

/// The first centers of k-means: far from one another, by the random numbers that scikit-learn draws
/// (greedy k-means++).
enum PlusPlusStart {
  /// `count` of the rows, one after the other.
  ///
  /// - Precondition: at least one row, and no more centers than rows.
  static func centers(
    _ count: Int, of rows: MovedRows, generator: inout MersenneTwister
  ) -> [Double] {
    let width = rows.width
    let trials = 2 + Int(log(Double(count)))
    var chosen = [firstRow(of: rows.count, generator.uniform())]
    var nearest = distances(of: rows, to: chosen)
    while chosen.count < count {
      let sums = nearest.runningSums
      let total = nearest.reduce(0, +)
      let candidates = (0..<trials).map { _ in
        sums.place(of: generator.uniform() * total)
      }
      let squares = distances(of: rows, to: candidates)
      var best = (sum: Double.infinity, trial: 0)
      for trial in 0..<trials {
        var sum = 0.0
        for row in 0..<rows.count { sum += min(nearest[row], squares[trial * rows.count + row]) }
        if sum < best.sum { best = (sum, trial) }
      }
      for row in 0..<rows.count {
        nearest[row] = min(nearest[row], squares[best.trial * rows.count + row])
      }
      chosen.append(candidates[best.trial])
    }
    return chosen.flatMap { rows.values[$0 * width..<($0 + 1) * width] }
  }

  /// One of `count` rows, all as likely.
  private static func firstRow(of count: Int, _ number: Double) -> Int {
    let sums = [Double](repeating: 1 / Double(count), count: count).runningSums
    let last = sums.last ?? 1
    return min(sums.firstIndex { $0 / last > number } ?? count - 1, count - 1)
  }

  /// The squared distances of all rows to each of some rows, one after the other.
  private static func distances(
    of rows: MovedRows, to others: [Int]
  ) -> [Double] {
    let (count, width) = (rows.count, rows.width)
    var result = [Double](repeating: 0, count: count * others.count)
    rows.values.withUnsafeBufferPointer { values in
      result.withUnsafeMutableBufferPointer { result in
        nonisolated(unsafe) let values = values  // Only read.
        nonisolated(unsafe) let result = result  // Each lane has places of its own.
        let lanes = min(BLASThreads.count, max(1, count * width >> 16))
        DispatchQueue.concurrentPerform(iterations: lanes) { lane in
          guard let values = values.baseAddress else { return }
          for row in lane * count / lanes..<(lane + 1) * count / lanes {
            for (place, other) in others.enumerated() where other != row {
              let product = DoubleSums.dot(
                values + row * width, values + other * width, count: width)
              result[place * count + row] = max(
                rows.squares[row] + rows.squares[other] - 2 * product, 0)
            }
          }
        }
      }
    }
    return result
  }
}

extension [Double] {
  /// The sums of the first values, of the first two, and so on.
  fileprivate var runningSums: [Double] {
    var sum = 0.0
    return map { value in
      sum += value
      return sum
    }
  }

  /// The first place with a value of at least `number`, else the last; the values ascend.
  fileprivate func place(of number: Double) -> Int {
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
