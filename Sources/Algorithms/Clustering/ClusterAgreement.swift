import _CLibrary

/// How well two labellings of the same things agree, whatever their labels are called.
///
/// Both measures are 1 if the labellings divide the things in the same way, and about 0 on average
/// if one of them is random. They may be negative. They are symmetric. Equal to scikit-learn's
/// `adjusted_rand_score` and `adjusted_mutual_info_score` up to rounding.
///
/// Labels may be of any type: those of ``DBSCANAssignment/labels`` too, whose noise is then a
/// cluster of its own.
///
/// ```swift
/// let agreement = try ClusterAgreement([0, 0, 1, 1], ["cat", "cat", "dog", "dog"])
/// print(agreement.adjustedRandIndex, agreement.adjustedMutualInformation)  // 1.0 1.0
/// ```
///
/// Sources: Hubert and Arabie, "Comparing partitions", Journal of Classification 2 (1985); Vinh,
/// Epps and Bailey, "Information theoretic measures for clusterings comparison", JMLR 11 (2010).
public struct ClusterAgreement: Hashable, Sendable {
  /// The Rand index, adjusted for chance: by pairs of things that are together or apart, -0.5...1.
  ///
  /// It is 1 if there are no things, or one.
  public let adjustedRandIndex: Double
  /// The mutual information, adjusted for chance, as a share of the mean entropy of the two
  /// labellings; at most 1.
  ///
  /// It is 1 if both labellings are a single cluster or empty, and 0 if one of them alone is a
  /// single cluster.
  public let adjustedMutualInformation: Double

  /// Compares two labellings, one label per thing each.
  ///
  /// - Complexity: O(n + r c + n min(r, c)) time at most for n things with r and c different labels;
  ///   O(n) memory.
  /// - Throws: ``ClusteringError/labelCount(labels:rows:)`` if they are not of the same things,
  ///   ``ClusteringError/tooMany(things:)``.
  public init<Label: Hashable, Other: Hashable>(
    _ labels: [Label], _ others: [Other]
  ) throws(ClusteringError) {
    guard labels.count == others.count else {
      throw .labelCount(labels: others.count, rows: labels.count)
    }
    guard labels.count < Int32.max else { throw .tooMany(things: labels.count) }
    let table = Contingency(labels, others)
    adjustedRandIndex = table.adjustedRandIndex
    adjustedMutualInformation = table.adjustedMutualInformation
  }
}

/// How many things have each pair of labels.
private struct Contingency {
  let count: Int
  /// The number of things with each label of the first labelling, in order of appearance.
  private var rows: [Int] = []
  private var columns: [Int] = []
  /// The pairs of labels that occur: row, column, and how many things have them.
  private var cells: [(row: Int, column: Int, count: Int)] = []

  init<Label: Hashable, Other: Hashable>(_ labels: [Label], _ others: [Other]) {
    count = labels.count
    var (rowNumbers, columnNumbers): ([Label: Int], [Other: Int]) = ([:], [:])
    var cellNumbers: [Int: Int] = [:]
    for (label, other) in zip(labels, others) {
      let row = Self.number(of: label, &rowNumbers, &rows)
      let column = Self.number(of: other, &columnNumbers, &columns)
      let key = row << 31 | column
      if let cell = cellNumbers[key] {
        cells[cell].count += 1
      } else {
        cellNumbers[key] = cells.count
        cells.append((row, column, 1))
      }
    }
  }

  private static func number<Label: Hashable>(
    of label: Label, _ numbers: inout [Label: Int], _ sizes: inout [Int]
  ) -> Int {
    if let number = numbers[label] {
      sizes[number] += 1
      return number
    }
    numbers[label] = sizes.count
    sizes.append(1)
    return sizes.count - 1
  }

  /// From numbers of ordered pairs of things: together in both labellings, in one, in none.
  var adjustedRandIndex: Double {
    // Below 2^62 each, so that no sum overflows; products are taken of floating-point numbers.
    let squares = cells.reduce(0) { $0 + $1.count * $1.count }
    let together = squares - count
    let onlyFirst = rows.reduce(0) { $0 + $1 * $1 } - squares
    let onlySecond = columns.reduce(0) { $0 + $1 * $1 } - squares
    guard onlyFirst > 0 || onlySecond > 0 else { return 1 }
    let apart = count * count - onlyFirst - onlySecond - squares
    let (a, b, c, d) = (
      Double(together), Double(onlyFirst), Double(onlySecond), Double(apart)
    )
    return 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d))
  }

  var adjustedMutualInformation: Double {
    if rows.count == columns.count, rows.count <= 1 { return 1 }
    if rows.count <= 1 || columns.count <= 1 { return 0 }
    let total = Double(count)
    let information = cells.reduce(0.0) { sum, cell in
      let (part, row, column) = (
        Double(cell.count), Double(rows[cell.row]), Double(columns[cell.column])
      )
      return sum + part / total * (log(part) - log(row) - log(column) + log(total))
    }
    let expected = expectedInformation
    let mean = (Self.entropy(rows, total) + Self.entropy(columns, total)) / 2
    // The same labellings leave only rounding of both: its sign stays.
    return awayFromZero(max(information, 0) - expected) / awayFromZero(mean - expected)
  }

  private func awayFromZero(_ value: Double) -> Double {
    value < 0 ? min(value, -Double.ulpOfOne) : max(value, .ulpOfOne)
  }

  private static func entropy(_ sizes: [Int], _ total: Double) -> Double {
    -sizes.reduce(0.0) { $0 + Double($1) / total * (log(Double($1)) - log(total)) }
  }

  /// The mutual information of two random labellings with clusters of these sizes, on average.
  ///
  /// Clusters of equal sizes share their terms.
  private var expectedInformation: Double {
    let total = Double(count)
    let logFactorials = Self.logFactorials(upTo: count)
    let columnSizes = Self.histogram(columns)
    var sum = 0.0
    for (row, rowTimes) in Self.histogram(rows) {
      for (column, columnTimes) in columnSizes {
        let times = Double(rowTimes * columnTimes)
        let fixed =
          logFactorials[row] + logFactorials[column] + logFactorials[count - row]
          + logFactorials[count - column] - logFactorials[count]
        for part in max(1, row + column - count)..<min(row, column) + 1 {
          let ways =
            fixed - logFactorials[part] - logFactorials[row - part]
            - logFactorials[column - part] - logFactorials[count - row - column + part]
          let share = Double(part) / total
          let gain = log(total * Double(part)) - log(Double(row)) - log(Double(column))
          sum += times * share * gain * exp(ways)
        }
      }
    }
    return sum
  }

  /// The sizes that occur, ascending, and how often each does.
  private static func histogram(_ sizes: [Int]) -> [(size: Int, times: Int)] {
    var times: [Int: Int] = [:]
    for size in sizes { times[size, default: 0] += 1 }
    return times.map { ($0, $1) }.sorted { $0.0 < $1.0 }
  }

  /// The logarithms of 0! to n!, each from a sum with what rounding took from it.
  private static func logFactorials(upTo count: Int) -> [Double] {
    var result = [0.0]
    result.reserveCapacity(count + 1)
    var (sum, lost) = (0.0, 0.0)
    for factor in stride(from: 1, through: count, by: 1) {
      let term = log(Double(factor)) - lost
      let next = sum + term
      lost = (next - sum) - term
      sum = next
      result.append(sum)
    }
    return result
  }
}
