import _CSVRecords

/// What a command found out about one photo, in every form in which it is printed.
package protocol PhotoReport: Sendable {
  /// The titles of ``records``, without those that all commands have; empty if there is no table.
  static var columns: [String] { get }
  /// Whether ``records`` has one record for each thing that was found, not one for the photo.
  static var isList: Bool { get }

  /// The photo's width in pixels.
  var width: Int { get }
  /// The photo's height in pixels.
  var height: Int { get }
  /// How many things were found.
  var found: Int { get }
  /// What CSV says of them; the same number of fields as ``columns`` in each.
  var records: [[String]] { get }
  /// One object.
  var json: JSONText { get }
  /// The text for a person who asked about this photo alone.
  var lines: [String] { get }
  /// The text for one of several photos.
  var linesAmongMany: [String] { get }

  /// The columns of a table for people, beside the photo's name and what was wrong.
  static var tableColumns: [(title: String, alignment: TextTable.Alignment)] { get }
  /// The rows of that table.
  var tableRows: [[String]] { get }
}

extension PhotoReport {
  package static var isList: Bool { true }
  package var linesAmongMany: [String] { lines }
  package static var tableColumns: [(title: String, alignment: TextTable.Alignment)] {
    columns.map { ($0, .left) }
  }
  package var tableRows: [[String]] { records }
}

/// How CSV is laid out for the reports of one command.
package struct RecordLayout: Sendable {
  /// The titles of all columns.
  let titles: [String]
  /// Whether a photo has one record for each thing that was found, and the column `found` says how
  /// many.
  let isList: Bool

  /// The place of the column `found`, if there is one.
  static let foundColumn = 3

  /// The layout of a kind of reports.
  package init<Report: PhotoReport>(_ kind: Report.Type) {
    isList = kind.isList
    isEmpty = kind.columns.isEmpty
    titles =
      ["image", "width", "height"] + (isList ? ["found"] : []) + kind.columns + ["error", "code"]
  }

  /// Whether there is no table of these reports.
  let isEmpty: Bool

  /// The record of titles.
  var titleRecord: String { CSVWriter.record(titles) }

  /// The records of a photo; what is not known is empty.
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
