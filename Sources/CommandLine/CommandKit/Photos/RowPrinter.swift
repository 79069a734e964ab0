/// Prints rows, or appends them to a file of results, and keeps the progress line and the exit
/// code.
package struct RowPrinter: RowSink {
  /// The form of a row.
  package enum Style: Sendable {
    /// A paragraph for a single photo.
    case paragraph
    /// A line, or a few, for one of several photos.
    case text
    case json, csv, table
  }

  private let console: Console
  private let style: Style
  private let layout: RecordLayout
  /// The index of each row among all photos; nil if the rows are all photos.
  private let places: [Int]?
  /// The least number of objects in a photo, if the exit code depends on it.
  private let atLeast: Int?
  private var results: ResultsFile?
  private var progress: BatchProgress
  private var table: TextTable
  private let tableWidth: Int
  private var count = 0
  private var hasTooFew = false
  /// The failure of the first photo that failed, and its index.
  private var firstFailure: (place: Int, code: ExitCode)?
  /// The number of photos that failed.
  private(set) var failures = 0

  package init<Report: PhotoReport>(
    _ style: Style, of kind: Report.Type, console: Console, places: [Int]? = nil,
    atLeast: Int? = nil,
    results: ResultsFile?, progress: BatchProgress
  ) {
    self.console = console
    self.style = style
    self.places = places
    self.atLeast = atLeast
    self.results = results
    self.progress = progress
    layout = RecordLayout(kind)
    tableWidth = kind.tableColumns.count
    table = TextTable([("photo", .left)] + kind.tableColumns + [("", .left)])
  }

  /// The exit code: that of the first photo that failed; else of a photo with too few objects; else
  /// success.
  var code: ExitCode { firstFailure?.code ?? (hasTooFew ? .tooFew : .success) }

  /// Records a photo that failed, in this run or an earlier one.
  mutating func note(_ code: ExitCode, at place: Int) {
    failures += 1
    if place < firstFailure?.place ?? .max { firstFailure = (place, code) }
  }

  /// Whether the file of results has a photo.
  package func hasResult(of photo: String) -> Bool { results?.has(photo) ?? false }

  /// Prints the text before the rows.
  package mutating func begin() throws {
    if style == .csv, results == nil { try console.output.write(layout.titleRecord) }
    progress.show()
  }

  package mutating func put(_ row: PhotoRow) throws {
    progress.erase()
    if results == nil { try print(row) }
    if let error = row.error {
      console.report(error.message)
      note(error.code, at: places?[count] ?? count)
    }
    if let atLeast, let report = row.report, report.found < atLeast { hasTooFew = true }
    count += 1
    // A photo whose picture could not be written must be tried again.
    let layout = layout
    try results?.append(row.strict, layout: layout)
    progress.advance(failed: row.error != nil)
  }

  /// Prints the text after the rows.
  mutating func finish() throws {
    progress.erase()
    if style == .table, results == nil {
      try console.print(table.lines.joined(separator: "\n"))
    }
  }

  private mutating func print(_ row: PhotoRow) throws {
    switch style {
    case .json: try console.print(row.json)
    case .csv: try console.output.write(layout.records(of: row))
    case .table:
      switch row.outcome {
      case .failed(let error):
        let unknown = ["-"] + Array(repeating: "", count: max(tableWidth - 1, 0))
        table.add([row.path ?? ""] + unknown + [row.reason(error)])
      case .done(let report):
        let rows = report.tableRows
        for cells in rows.isEmpty ? [["-"]] : rows { table.add([row.path ?? ""] + cells) }
      }
    case .paragraph, .text:
      guard let report = row.report else { return }
      let lines = style == .paragraph ? report.lines : report.linesAmongMany
      // A photo without text does not get an empty line.
      guard !lines.isEmpty else { return }
      try console.print(lines.joined(separator: "\n"))
    }
  }
}
