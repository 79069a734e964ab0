import Counting

/// The number of boxes after each step: a table whose bars form a funnel.
struct StageSection {
  let result: CountingResult

  /// The section.
  var markup: Markup {
    let most = max(result.steps.first?.itemsOut ?? 0, 1)
    // Clustering gives kinds and not boxes; the kinds have a table of their own.
    let steps = result.steps.filter { $0.step != .clustered }
    return .element(
      "section", ["aria-labelledby": "stages-title"],
      [
        .element("h2", ["id": "stages-title"], "Steps"),
        DataTable(
          caption: "How many boxes each step got and let through; bars are shares of the detected",
          head: ["step: what stays", "in", "out", "share"],
          rows: steps.map { report in
            [
              Self.named(
                StageNames.name(of: report.step), StageNames.meaning(of: report.step)),
              .text(Number.text(Double(report.itemsIn))),
              .text(Number.text(Double(report.itemsOut))),
              bar(of: report.itemsOut, among: most),
            ]
          } + [
            [
              Self.named("Main kind", "the largest kind: the count"),
              .text(Number.text(Double(result.detections.count))),
              .text(Number.text(Double(result.count))), bar(of: result.count, among: most),
            ]
          ]
        ).markup,
        .element("p", ["class": "note"], seconds),
      ])
  }

  private static func named(_ name: String, _ meaning: String) -> Markup {
    .all([.text(name + " "), .element("span", ["class": "meaning"], meaning)])
  }

  private func bar(of count: Int, among most: Int) -> Markup {
    let share = min(Double(count) / Double(most), 1)
    return .element(
      "svg",
      [
        "class": "bar-cell", "viewBox": "0 0 120 14", "role": "img",
        "aria-label": "\(Number.text(100 * share)) %",
      ],
      [
        .element("rect", ["class": "track", "width": "120", "height": "14"]),
        .element(
          "rect",
          [
            "class": "bar", "x": Number.place(60 - 60 * share),
            "width": Number.place(120 * share), "height": "14",
          ]),
      ])
  }

  private var seconds: String {
    let parts = [
      ("detecting", result.seconds.detecting), ("filtering", result.seconds.filtering),
      ("embedding", result.seconds.embedding), ("clustering", result.seconds.clustering),
      ("merging", result.seconds.merging),
    ]
    return "Time: \(Number.text(result.seconds.total, digits: 2)) s ("
      + parts.map { "\($0.0) \(Number.text($0.1, digits: 2))" }.joined(separator: ", ") + ")."
  }
}
