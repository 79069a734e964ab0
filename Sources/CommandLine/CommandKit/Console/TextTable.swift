/// Rows of text in columns.
package struct TextTable {
  /// The side of its column at which a cell is aligned.
  package enum Alignment {
    case left
    case right
  }

  private let alignments: [Alignment]
  private var rows: [[String]]

  /// A table with a row of titles.
  package init(_ columns: [(title: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map(\.title)]
  }

  /// Adds a row; cells that are missing stay empty.
  package mutating func add(_ cells: [String]) {
    rows.append(cells.map(PrintableText.of))
  }

  /// The rows, columns two spaces apart, no spaces at the ends of lines.
  package var lines: [String] {
    let widths = alignments.indices.map { column in
      rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() where alignments.indices.contains(column) {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        if column > 0 { line += "  " }
        line += alignments[column] == .left ? cell + padding : padding + cell
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
