/// Labelled lines for people, such as a count's summary.
package struct ReportText {
  private var entries: [(label: String, text: String)] = []

  /// A report without lines.
  package init() {}

  /// Adds a line; a long text is wrapped with the same indentation.
  package mutating func add(_ label: String, _ text: String) {
    entries.append((label, PrintableText.of(text)))
  }

  /// The indented lines, with the labels in a column.
  package var lines: [String] {
    let column = (entries.map(\.label.count).max() ?? 0) + 4
    return entries.flatMap { label, text in
      let lines = HelpText.wrapped(text, indent: column)
      let start = "  \(label)" + String(repeating: " ", count: column - 2 - label.count)
      return [start + (lines.first ?? "").dropFirst(column)] + lines.dropFirst()
    }
  }
}
