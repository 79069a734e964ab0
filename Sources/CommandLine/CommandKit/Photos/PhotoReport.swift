import _CSVRecords

/// A command's result for one photo, in every printed form.
package protocol PhotoReport: Sendable {
  /// The titles of ``records``, without those of all commands.
  static var columns: [String] { get }
  /// Whether ``records`` has one record per object, not one per photo.
  static var isList: Bool { get }

  /// The photo's width in pixels.
  var width: Int { get }
  /// The photo's height in pixels.
  var height: Int { get }
  /// The number of objects found.
  var found: Int { get }
  /// The records for CSV; each has the same number of fields as ``columns``.
  var records: [[String]] { get }
  /// One object.
  var json: JSONText { get }
  /// The text for a single photo.
  var lines: [String] { get }
  /// The text for one of several photos.
  var linesAmongMany: [String] { get }

  /// The columns of a table for people, besides the photo's name and the error.
  static var tableColumns: [(title: String, alignment: TextTable.Alignment)] { get }
  /// The rows of that table.
  var tableRows: [[String]] { get }
}

extension PhotoReport {
  package static var isList: Bool { true }
  package var linesAmongMany: [String] { lines }
  package static var tableColumns: [(title: String, alignment: TextTable.Alignment)] {
    columns.map { ($0, TableCell(title: $0).alignment) }
  }
  package var tableRows: [[String]] {
    let cells = Self.columns.map { TableCell(title: $0) }
    return records.map { zip(cells, $0).map { cell, field in cell.text(field) } }
  }
}

/// The layout of CSV for the reports of one command.
package struct RecordLayout: Sendable {
  /// The titles of all columns.
  let titles: [String]
  /// Whether a photo has one record per object, and the column `found` has their number.
  let isList: Bool

  /// The index of the column `found`, if it exists.
  static let foundColumn = 3

  /// The layout of a kind of reports.
  package init<Report: PhotoReport>(_ kind: Report.Type) {
    isList = kind.isList
    titles =
      ["image", "width", "height"] + (isList ? ["found"] : []) + kind.columns + ["error", "code"]
  }

  /// The record of titles.
  var titleRecord: String { CSVWriter.record(titles) }

  /// The records of a photo; unknown fields are empty.
  func records(of row: PhotoRow) -> String {
    let name = CSVText.fileName(row.path ?? "")
    switch row.outcome {
    case .failed(let error):
      let unknown = Array(repeating: "", count: titles.count - 3)
      let reason = CSVText.text(row.reason(error))
      return CSVWriter.record([name] + unknown + [reason, "\(error.code.rawValue)"])
    case .done(let report):
      var head = [name, "\(report.width)", "\(report.height)"]
      if isList { head.append("\(report.found)") }
      var records = report.records
      if records.isEmpty {
        records = [Array(repeating: "", count: titles.count - head.count - 2)]
      }
      return records.map { CSVWriter.record(head + $0 + ["", ""]) }.joined()
    }
  }
}
