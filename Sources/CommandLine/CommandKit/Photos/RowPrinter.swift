/// Prints rows, or appends them to a file of results, and keeps the progress line and the exit
/// code.
package struct RowPrinter: RowSink {
  /// How a row is shown.
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
  /// The place among all photos of each row that comes; nil if the rows are all photos.
  private let places: [Int]?
  /// The least number of things in a photo, if the exit code is to tell.
  private let atLeast: Int?
  private var results: ResultsFile?
  private var progress: BatchProgress
  private var table: TextTable
  private let tableWidth: Int
  private var count = 0
  private var hasTooFew = false
  /// The failure of the first photo that failed, and its place.
  private var firstFailure: (place: Int, code: ExitCode)?
  /// How many photos failed.
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

  /// The code of the first photo that failed; else whether a photo has too few things; else
  /// success.
  var code: ExitCode { firstFailure?.code ?? (hasTooFew ? .tooFew : .success) }

  /// Notes a photo that failed, here or in a run before.
  mutating func note(_ code: ExitCode, at place: Int) {
    failures += 1
    if place < firstFailure?.place ?? .max { firstFailure = (place, code) }
  }

  /// Whether the file of results has a photo.
  package func hasResult(of photo: String) -> Bool { results?.has(photo) ?? false }

  /// Prints what stands before the rows.
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
    // A photo whose picture could not be written is to be tried again.
    let layout = layout
    try results?.append(row.strict, layout: layout)
    progress.advance(failed: row.error != nil)
  }

  /// Prints what stands after the rows.
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
      // A photo of which nothing is to be said has no empty line either.
      guard !lines.isEmpty else { return }
      try console.print(lines.joined(separator: "\n"))
    }
  }
}
