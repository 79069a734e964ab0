import CommandKit
import Geometry
import SpineHeuristics

/// Which spine stands in which row, for people and for machines.
struct SpineRowNumbers {
  /// The indices of the spines in each row, counted from 0.
  let rows: [[Int]]
  private let numbers: [Int: Int]

  /// The rows of spines in reading order.
  init(of outlines: [Quadrilateral]) { self.init(SpineGeometry().rows(of: outlines)) }

  init(_ rows: [[Int]]) {
    self.rows = rows
    numbers = Dictionary(
      uniqueKeysWithValues: rows.enumerated().flatMap { row, places in
        places.map { ($0, row + 1) }
      })
  }

  var areSeveral: Bool { rows.count > 1 }

  /// The row that a spine stands in, counted from 1; 0 if it stands in none.
  func number(of spine: Int) -> Int { numbers[spine] ?? 0 }

  /// The number of spines per row, as words after the total number; nothing for a single row.
  var counts: String {
    areSeveral ? " in \(rows.count) rows of \(Sentence.all(rows.map { "\($0.count)" }))" : ""
  }

  var json: JSONText { .array(rows.map { .array($0.map { .integer($0) }) }) }
}
