/// Prints rows, or appends them to a file of results, and keeps the progress line and the exit code.
struct RowPrinter: RowSink {
  /// How a row is shown.
  enum Style: Sendable {
    case text, json, csv, table
  }

  private let console: Console
  private let style: Style
  /// The place among all photos of each row that comes.
  private let places: [Int]
  private var results: ResultsFile?
  private var progress: BatchProgress
  private var table = TextTable(PhotoRow.columns)
  private var count = 0
  /// The failure of the first photo that failed, and its place.
  private var firstFailure: (place: Int, code: ExitCode)?
  /// How many photos failed.
  private(set) var failures = 0

  init(
    _ style: Style, console: Console, places: [Int], results: ResultsFile?, progress: BatchProgress
  ) {
    self.console = console
    self.style = style
    self.places = places
    self.results = results
    self.progress = progress
  }

  /// The code of the first photo that failed, or success.
  var code: ExitCode { firstFailure?.code ?? .success }

  /// Notes a photo that failed, here or in a run before.
  mutating func note(_ code: ExitCode, at place: Int) {
    failures += 1
    if place < firstFailure?.place ?? .max { firstFailure = (place, code) }
  }

  /// Prints what stands before the rows.
  mutating func begin() throws {
    if style == .csv, results == nil { try console.output.write(PhotoRow.csvTitles) }
    progress.show()
  }

  mutating func put(_ row: PhotoRow) throws {
    progress.erase()
    if let error = row.error {
      console.report(error.message)
      note(error.code, at: places[count])
    }
    count += 1
    if results != nil {
      try results?.append(row)
    } else {
      try print(row)
    }
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
    case .csv: try console.output.write(row.csv)
    case .table: table.add(row.cells)
    case .text:
      guard case .counted(let result) = row.outcome else { return }
      try console.print(CountSummary(path: row.path ?? "", result: result).line)
    }
  }
}
