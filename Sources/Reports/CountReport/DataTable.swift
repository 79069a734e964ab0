/// A table that scrolls sideways where it is too wide, and can be reached by keyboard to do so.
struct DataTable {
  /// What it says, for readers who cannot see where it stands.
  let caption: String
  /// The names of the columns.
  let head: [String]
  /// Rows of as many cells as there are columns; the first cell names the row.
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

  /// The table, which shows when its summary is opened.
  func folded(summary: String) -> Markup {
    .element("details", [:], [.element("summary", [:], summary), markup])
  }
}
