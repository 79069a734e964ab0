/// The best one-to-one assignment of rows to columns if some pairs are not allowed.
///
/// It has as many pairs as possible, and the least sum of costs among assignments with that number
/// of pairs. The answer depends on the order of rows and columns only if two sums are equal.
///
/// Chains of allowed pairs divide the rows and columns into groups that no allowed pair connects.
/// Each group is assigned by itself, by the Hungarian method with shortest augmenting paths. Pairs
/// that are not allowed have a cost above any sum.
///
/// Source: Jonker and Volgenant, "A shortest augmenting path algorithm for dense and sparse linear
/// assignment problems", 1987.
///
/// Complexity: O(*k*² *l*) time for each group of *k* rows and *l* columns, if *k* is not larger
/// than *l*; otherwise O(*l*² *k*). Besides, O(*n* + *m* + *p* log *p*) time and memory for *n*
/// rows, *m* columns and *p* allowed pairs.
public struct Assignment: Hashable, Sendable {
  /// A row and a column that may be assigned to each other.
  public struct Pair: Hashable, Sendable {
    /// The row.
    public let row: Int
    /// The column.
    public let column: Int
    /// What assigning them costs, 0...1.
    public let cost: Double

    /// Allows a pair.
    public init(row: Int, column: Int, cost: Double) {
      self.row = row
      self.column = column
      self.cost = cost
    }
  }

  /// For every row its column, nil for none.
  public private(set) var columnOfRow: [Int?]
  /// For every column its row, nil for none.
  public private(set) var rowOfColumn: [Int?]

  /// Assigns, asking for the cost of every pair: O(*n* *m*) calls.
  ///
  /// - Parameters:
  ///   - rows: the number of rows, at least 0.
  ///   - columns: the number of columns, at least 0.
  ///   - cost: the cost of a pair, 0...1; nil if it is not allowed.
  public init(rows: Int, columns: Int, cost: (Int, Int) -> Double?) {
    var pairs: [Pair] = []
    for row in 0..<rows {
      for column in 0..<columns {
        guard let cost = cost(row, column) else { continue }
        pairs.append(Pair(row: row, column: column, cost: cost))
      }
    }
    self.init(rows: rows, columns: columns, pairs: pairs)
  }

  /// Assigns, given the allowed pairs.
  ///
  /// - Parameters:
  ///   - rows: the number of rows, at least 0.
  ///   - columns: the number of columns, at least 0.
  ///   - pairs: the allowed pairs, each once; their rows and columns must exist, as an array's
  ///     indices must.
  ///   - exactLimit: a group whose fewer side has more members than this is assigned greedily, the
  ///     cheapest pair first, which takes O(*p* log *p*) and may be worse than the best.
  public init(rows: Int, columns: Int, pairs: [Pair], exactLimit: Int = .max) {
    columnOfRow = [Int?](repeating: nil, count: rows)
    rowOfColumn = [Int?](repeating: nil, count: columns)
    for group in Self.groups(of: pairs, rows: rows, columns: columns) {
      if group.count == 1 {
        assign(group[0].row, group[0].column)
      } else {
        solve(group, exactLimit: exactLimit)
      }
    }
  }

  private mutating func assign(_ row: Int, _ column: Int) {
    columnOfRow[row] = column
    rowOfColumn[column] = row
  }

  /// The pairs that chains of pairs connect, group by group, in the order of their first pairs.
  private static func groups(of pairs: [Pair], rows: Int, columns: Int) -> [[Pair]] {
    // A forest over rows and columns whose trees are the groups.
    var parent = Array(0..<(rows + columns))
    func root(_ member: Int) -> Int {
      var member = member
      while parent[member] != member {
        parent[member] = parent[parent[member]]
        member = parent[member]
      }
      return member
    }
    for pair in pairs {
      let (a, b) = (root(pair.row), root(rows + pair.column))
      if a != b { parent[max(a, b)] = min(a, b) }
    }
    var groupOfRoot = [Int?](repeating: nil, count: rows + columns)
    var groups: [[Pair]] = []
    for pair in pairs {
      let root = root(pair.row)
      if let group = groupOfRoot[root] {
        groups[group].append(pair)
      } else {
        groupOfRoot[root] = groups.count
        groups.append([pair])
      }
    }
    return groups
  }

  /// Assigns the rows and columns of one group.
  private mutating func solve(_ group: [Pair], exactLimit: Int) {
    let usedRows = Self.distinct(group.map(\.row))
    let usedColumns = Self.distinct(group.map(\.column))
    guard min(usedRows.count, usedColumns.count) <= exactLimit else {
      let order = group.indices.sorted { (group[$0].cost, $0) < (group[$1].cost, $1) }
      for pair in order.lazy.map({ group[$0] })
      where columnOfRow[pair.row] == nil && rowOfColumn[pair.column] == nil {
        assign(pair.row, pair.column)
      }
      return
    }
    // The method gives every one of the fewer a partner, so these have to be its rows.
    let isTurned = usedRows.count > usedColumns.count
    let (few, many) = isTurned ? (usedColumns, usedRows) : (usedRows, usedColumns)
    let placeOfFew = Dictionary(uniqueKeysWithValues: zip(few, few.indices))
    let placeOfMany = Dictionary(uniqueKeysWithValues: zip(many, many.indices))
    var pairs = [[(other: Int, cost: Double)]](repeating: [], count: few.count)
    for pair in group {
      let (one, other) = isTurned ? (pair.column, pair.row) : (pair.row, pair.column)
      guard let place = placeOfFew[one], let otherPlace = placeOfMany[other] else { continue }
      pairs[place].append((otherPlace, pair.cost))
    }
    for (first, second) in Self.solve(pairs, columns: many.count).enumerated() {
      guard let second else { continue }
      assign(isTurned ? many[second] : few[first], isTurned ? few[first] : many[second])
    }
  }

  /// The different values, ascending.
  private static func distinct(_ values: [Int]) -> [Int] {
    var result: [Int] = []
    for value in values.sorted() where value != result.last { result.append(value) }
    return result
  }

  /// The column of every row, nil if only a forbidden one was left.
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
        let (step, next) = nearestColumn(
          costs, rowPotential[row], columnPotential, isDone, from: reached, distance: &distance,
          previous: &previous)
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

    return allowedColumns(rowOf, pairs)
  }

  /// The nearest column that is not done, and how far it is; -1 if there is none.
  ///
  /// A column that is nearer by way of `reached` than before gets it as its previous column.
  @inline(__always)
  private static func nearestColumn(
    _ costs: [Double], _ rowPotential: Double, _ columnPotential: [Double], _ isDone: [Bool],
    from reached: Int?, distance: inout [Double], previous: inout [Int?]
  ) -> (step: Double, next: Int) {
    var step = Double.infinity
    var next = -1
    for column in costs.indices where !isDone[column] {
      let reduced = costs[column] - rowPotential - columnPotential[column]
      if reduced < distance[column] {
        distance[column] = reduced
        previous[column] = reached
      }
      if distance[column] < step {
        step = distance[column]
        next = column
      }
    }
    return (step, next)
  }

  /// The column of every row, without forbidden pairs.
  private static func allowedColumns(
    _ rowOf: [Int?], _ pairs: [[(other: Int, cost: Double)]]
  ) -> [Int?] {
    var columnOf = [Int?](repeating: nil, count: pairs.count)
    for (column, row) in rowOf.enumerated() {
      guard let row, pairs[row].contains(where: { $0.other == column }) else { continue }
      columnOf[row] = column
    }
    return columnOf
  }
}
