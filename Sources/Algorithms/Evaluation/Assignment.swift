/// The best one-to-one assignment of rows to columns where not every pair is allowed.
///
/// Of all assignments with the most pairs, one with the least sum of costs: the answer hangs on the
/// order of rows and columns only where two sums are equal. The Hungarian method by shortest
/// augmenting paths (Jonker and Volgenant, "A shortest augmenting path algorithm for dense and sparse
/// linear assignment problems", 1987), with pairs that are not allowed at a cost above any sum.
///
/// Complexity: O(*k*² *l*) time for *k* the smaller and *l* the larger number of rows and columns
/// that have an allowed pair; O(*n* *m*) at least, to find those. O(*p*) memory for *p* allowed pairs.
struct Assignment {
  /// For every row its column, nil for none.
  private(set) var columnOfRow: [Int?]
  /// For every column its row, nil for none.
  private(set) var rowOfColumn: [Int?]

  /// Assigns.
  ///
  /// - Parameter cost: the cost of a pair, 0...1; nil where it is not allowed.
  init(rows: Int, columns: Int, cost: (Int, Int) -> Double?) {
    columnOfRow = [Int?](repeating: nil, count: rows)
    rowOfColumn = [Int?](repeating: nil, count: columns)
    var pairs: [[(other: Int, cost: Double)]] = []
    var usedRows: [Int] = []
    var place = [Int?](repeating: nil, count: columns)
    var usedColumns: [Int] = []
    for row in 0..<rows {
      var own: [(Int, Double)] = []
      for column in 0..<columns {
        guard let cost = cost(row, column) else { continue }
        if place[column] == nil {
          place[column] = usedColumns.count
          usedColumns.append(column)
        }
        own.append((place[column] ?? 0, cost))
      }
      guard !own.isEmpty else { continue }
      usedRows.append(row)
      pairs.append(own)
    }
    // The method gives every one of the fewer a partner, so these have to be its rows.
    let isTurned = usedRows.count > usedColumns.count
    if isTurned { pairs = Self.turned(pairs, columns: usedColumns.count) }
    let solution = Self.solve(pairs, columns: isTurned ? usedRows.count : usedColumns.count)
    for (first, second) in solution.enumerated() {
      guard let second else { continue }
      let row = usedRows[isTurned ? second : first]
      let column = usedColumns[isTurned ? first : second]
      columnOfRow[row] = column
      rowOfColumn[column] = row
    }
  }

  private static func turned(
    _ pairs: [[(other: Int, cost: Double)]], columns: Int
  ) -> [[(other: Int, cost: Double)]] {
    var result = [[(other: Int, cost: Double)]](repeating: [], count: columns)
    for (row, own) in pairs.enumerated() {
      for pair in own { result[pair.other].append((row, pair.cost)) }
    }
    return result
  }

  /// The column of every row, nil where only a forbidden one was left.
  private static func solve(_ pairs: [[(other: Int, cost: Double)]], columns: Int) -> [Int?] {
    let rows = pairs.count
    // Above the sum of any assignment, so that one allowed pair more always pays.
    let forbidden = Double(rows) + 1
    var rowPotential = [Double](repeating: 0, count: rows)
    var columnPotential = [Double](repeating: 0, count: columns)
    var rowOf = [Int?](repeating: nil, count: columns)
    var costs = [Double](repeating: forbidden, count: columns)

    for start in 0..<rows {
      var distance = [Double](repeating: .infinity, count: columns)
      var previous = [Int?](repeating: nil, count: columns)
      var isDone = [Bool](repeating: false, count: columns)
      var row = start
      var reached: Int?
      while true {
        for pair in pairs[row] { costs[pair.other] = pair.cost }
        var step = Double.infinity
        var next = -1
        for column in 0..<columns where !isDone[column] {
          let reduced = costs[column] - rowPotential[row] - columnPotential[column]
          if reduced < distance[column] {
            distance[column] = reduced
            previous[column] = reached
          }
          if distance[column] < step {
            step = distance[column]
            next = column
          }
        }
        for pair in pairs[row] { costs[pair.other] = forbidden }
        // There are at least as many columns as rows and all distances are finite.
        guard next >= 0 else { break }
        rowPotential[start] += step
        for column in 0..<columns {
          if isDone[column] {
            if let owner = rowOf[column] { rowPotential[owner] += step }
            columnPotential[column] -= step
          } else {
            distance[column] -= step
          }
        }
        isDone[next] = true
        reached = next
        guard let owner = rowOf[next] else { break }
        row = owner
      }
      // Along the path every column goes to the row of the column before it.
      while let column = reached {
        let before = previous[column]
        rowOf[column] = before.flatMap { rowOf[$0] } ?? start
        reached = before
      }
    }

    var columnOf = [Int?](repeating: nil, count: rows)
    for (column, row) in rowOf.enumerated() {
      guard let row, pairs[row].contains(where: { $0.other == column }) else { continue }
      columnOf[row] = column
    }
    return columnOf
  }
}
