/// A table that scrolls sideways if it is too wide, also by keyboard.
struct DataTable {
  /// Its caption for screen readers.
  let caption: String
  /// The names of the columns.
  let head: [String]
  /// The rows, with one cell per column; the first cell names the row.
  let rows: [[Markup]]

  /// The table.
  var markup: Markup {
    .element(
      "div", ["class": "scroll", "role": "region", "aria-label": caption, "tabindex": "0"],
      [
        .element(
          "table", [:],
          [
            .element("caption", [:], caption),
            .element(
              "thead", [:],
              [
                .element(
                  "tr", [:], head.map { .element("th", ["scope": "col"], $0) })
              ]),
            .element(
              "tbody", [:],
              rows.map { cells in
                .element(
                  "tr", [:],
                  cells.enumerated().map { place, cell in
                    place == 0
                      ? .element("th", ["scope": "row"], [cell]) : .element("td", [:], [cell])
                  })
              }),
          ])
      ])
  }

  /// The table, hidden until its summary is opened.
  func folded(summary: String) -> Markup {
    .element("details", [:], [.element("summary", [:], summary), markup])
  }
}
