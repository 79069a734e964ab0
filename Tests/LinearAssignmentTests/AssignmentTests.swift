import LinearAssignment
import TestSupport
import Testing

@Suite("One-to-one assignment")
struct AssignmentTests {
  @Test("On small sets the assignment is the best of all there are")
  func bruteForce() {
    /// The most pairs, and the least sum of those with as many, by trying all.
    func best(_ costs: [[Double?]], row: Int, taken: Set<Int>) -> (pairs: Int, cost: Double) {
      guard row < costs.count else { return (0, 0) }
      var result = best(costs, row: row + 1, taken: taken)
      for (column, cost) in costs[row].enumerated() where !taken.contains(column) {
        guard let cost else { continue }
        let rest = best(costs, row: row + 1, taken: taken.union([column]))
        let own = (pairs: rest.pairs + 1, cost: rest.cost + cost)
        if own.pairs > result.pairs || (own.pairs == result.pairs && own.cost < result.cost) {
          result = own
        }
      }
      return result
    }
    var generator = SeededGenerator(seed: 11)
    for round in 0..<300 {
      let (rows, columns) = (round % 6, (round / 6) % 6)
      let density = generator.unit()
      let costs = (0..<rows).map { _ in
        (0..<columns).map { _ in generator.unit() < density ? generator.unit() : nil }
      }
      let assignment = Assignment(rows: rows, columns: columns) { costs[$0][$1] }
      for (row, column) in assignment.columnOfRow.enumerated() {
        if let column { #expect(assignment.rowOfColumn[column] == row) }
      }
      let pairs = assignment.columnOfRow.enumerated().compactMap { row, column in
        column.map { (row, $0) }
      }
      let expected = best(costs, row: 0, taken: [])
      #expect(pairs.count == expected.pairs)
      #expect(pairs.allSatisfy { costs[$0.0][$0.1] != nil })
      #expect(Set(pairs.map(\.1)).count == pairs.count)
      #expect(abs(pairs.reduce(0) { $0 + (costs[$1.0][$1.1] ?? 9) } - expected.cost) < 1e-9)
    }
  }

  @Test("Far apart groups are assigned as each would be alone")
  func groups() {
    var generator = SeededGenerator(seed: 3)
    var pairs: [Assignment.Pair] = []
    var alone: [Int?] = []
    for group in 0..<50 {
      let costs = (0..<4).map { _ in (0..<4).map { _ in generator.unit() } }
      let assignment = Assignment(rows: 4, columns: 4) { costs[$0][$1] }
      alone += assignment.columnOfRow.map { $0.map { $0 + 4 * group } }
      for (row, own) in costs.enumerated() {
        for (column, cost) in own.enumerated() {
          pairs.append(
            Assignment.Pair(row: 4 * group + row, column: 4 * group + column, cost: cost))
        }
      }
    }
    pairs.shuffle(using: &generator)
    #expect(Assignment(rows: 200, columns: 200, pairs: pairs).columnOfRow == alone)
  }

  @Test("Beyond the limit the cheapest pair goes first")
  func greedy() {
    let pairs = [
      Assignment.Pair(row: 0, column: 0, cost: 0.1), Assignment.Pair(row: 0, column: 1, cost: 0.2),
      Assignment.Pair(row: 1, column: 0, cost: 0.2),
    ]
    #expect(Assignment(rows: 2, columns: 2, pairs: pairs).columnOfRow == [1, 0])
    #expect(Assignment(rows: 2, columns: 2, pairs: pairs, exactLimit: 1).columnOfRow == [0, nil])
  }

  @Test("Many rows and columns that hardly meet are assigned at once")
  func large() {
    let pairs = (0..<100_000).map { Assignment.Pair(row: $0, column: 99_999 - $0, cost: 0.5) }
    let assignment = Assignment(rows: 100_000, columns: 100_000, pairs: pairs)
    #expect(assignment.columnOfRow == (0..<100_000).map { 99_999 - $0 })
  }

  @Test("Nothing to assign")
  func empty() {
    #expect(Assignment(rows: 0, columns: 0, pairs: []).columnOfRow.isEmpty)
    let none = Assignment(rows: 2, columns: 3) { _, _ in nil }
    #expect(none.columnOfRow == [nil, nil] && none.rowOfColumn == [nil, nil, nil])
  }
}
