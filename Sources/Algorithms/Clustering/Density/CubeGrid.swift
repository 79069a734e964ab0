import LinearAlgebra

/// Finds close rows by sorting them into cubes whose sides are the limit.
///
/// Rows within the limit are in the same cube or in two that touch. The cubes are those of the
/// three columns with the widest ranges. Euclidean distances only.
enum CubeGrid {
  /// The greatest share of all pairs that are in cubes that touch; with more, products are as
  /// quick.
  private static let mostPairs = 0.1
  /// Cubes along a side; more rows than that share none.
  private static let mostCubes = 1 << 20

  /// Calls `body` with each pair of rows within the limit.
  ///
  /// - Returns: false, without a call, if the cubes hold too many pairs to gain anything.
  static func forEachClosePair(of rows: ComparableRows, _ body: (Int, Int) -> Void) -> Bool {
    let (count, width) = (rows.rows.rowCount, rows.rows.columnCount)
    guard rows.metric == .euclidean, count > 64, width > 0, rows.eps > 0 else { return false }
    let keys = keys(of: rows)
    let order = (0..<count).sorted { (keys[$0], $0) < (keys[$1], $1) }
    let sorted = order.map { keys[$0] }
    // Of each cube: its rows, and the ranges of rows in the cubes after it that touch it.
    var tasks: [(own: Range<Int>, others: [Range<Int>])] = []
    var pairs = 0.0
    let most = mostPairs * Double(count) * Double(count) / 2
    var start = 0
    while start < count {
      let key = sorted[start]
      let end = sorted.firstPlace(of: key + 1, from: start)
      var others: [Range<Int>] = []
      for offset in offsets {
        let first = sorted.firstPlace(of: key + offset.lowerBound, from: end)
        let last = sorted.firstPlace(of: key + offset.upperBound, from: first)
        if first < last { others.append(first..<last) }
      }
      let size = Double(end - start)
      pairs += size * (size - 1) / 2
      for other in others { pairs += size * Double(other.count) }
      guard pairs <= most else { return false }
      tasks.append((start..<end, others))
      start = end
    }
    let values = rows.rows.rows(order).elements
    values.withUnsafeBufferPointer { values in
      guard let values = values.baseAddress else { return }
      func compare(_ first: Int, _ second: Int) {
        let square = ComparableRows.square(values + first * width, values + second * width, width)
        if square <= rows.limit { body(order[first], order[second]) }
      }
      for task in tasks {
        for first in task.own {
          for second in first + 1..<max(first + 1, task.own.upperBound) { compare(first, second) }
          for other in task.others {
            for second in other { compare(first, second) }
          }
        }
      }
    }
    return true
  }

  /// What to add to a cube's key for half of the cubes that touch it; the last axis has them side
  /// by side.
  private static let offsets: [Range<Int>] = {
    let (row, plane) = (1 << axisBits, 1 << (2 * axisBits))
    return [1..<2] + [row, plane - row, plane, plane + row].map { $0 - 1..<$0 + 2 }
  }()

  /// Room for the cubes of an axis, and for those beside the first and the last.
  private static let axisBits = 21

  /// The number of each row's cube.
  private static func keys(of comparable: ComparableRows) -> [Int] {
    let rows = comparable.rows
    let (count, width) = (rows.rowCount, rows.columnCount)
    var low = [Double](repeating: .infinity, count: width)
    var high = [Double](repeating: -.infinity, count: width)
    for row in 0..<count {
      for (column, value) in rows[row: row].enumerated() {
        low[column] = min(low[column], value)
        high[column] = max(high[column], value)
      }
    }
    let widest = (0..<width).sorted { (low[$0] - high[$0], $0) < (low[$1] - high[$1], $1) }.prefix(
      3)
    var keys = [Int](repeating: 0, count: count)
    for column in widest {
      // A little wider than the limit, so that rounding moves no close row two cubes away.
      let side = max(
        comparable.eps * (1 + 1e-6), (high[column] - low[column]) / Double(mostCubes))
      for row in 0..<count {
        let cube = min(Int((rows[row, column] - low[column]) / side), mostCubes)
        keys[row] = keys[row] << axisBits + cube + 1
      }
    }
    return keys
  }
}

extension [Int] {
  /// The first place from `start` on with a value of at least `key`; the values ascend.
  fileprivate func firstPlace(of key: Int, from start: Int) -> Int {
    var (low, high) = (start, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
