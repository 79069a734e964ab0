import Counting
import Foundation

/// What became of one of many photos.
struct PhotoRow: Sendable {
  /// What was counted, or why nothing was.
  enum Outcome: Sendable {
    case counted(CountingResult)
    case failed(CommandError)
  }

  /// The photo's path as it was given or found; nil for a line of a stream that names none.
  let path: String?
  let outcome: Outcome

  /// The error, nil where the photo was counted.
  var error: CommandError? {
    if case .failed(let error) = outcome { error } else { nil }
  }

  /// One object on one line: without times, so that the same photo gives the same bytes whoever counts it.
  var json: String {
    switch outcome {
    case .counted(let result):
      return CountSummary(path: path ?? "", result: result).json(withTimes: false).text
    case .failed(let error):
      return JSONText.object([
        ("image", .optional(path) { .string($0) }), ("error", .string(reason(error))),
        ("code", .integer(Int(error.code.rawValue))),
      ]).text
    }
  }

  /// The titles of ``csv``.
  static let csvTitles = CSVText.record([
    "image", "width", "height", "count", "least", "greatest", "confidence", "kinds", "others",
    "error", "code",
  ])

  /// One record; what is not known is empty.
  var csv: String {
    let name = CSVText.fileName(path ?? "")
    switch outcome {
    case .failed(let error):
      return CSVText.record(
        [name] + Array(repeating: "", count: 8) + [reason(error), "\(error.code.rawValue)"])
    case .counted(let result):
      let sure = result.confidence
      return CSVText.record([
        name, "\(result.width)", "\(result.height)", "\(result.count)",
        sure.map { "\($0.least)" } ?? "", sure.map { "\($0.greatest)" } ?? "",
        sure.map { JSONText.seconds($0.value).text } ?? "", "\(result.clusterSizes.count)",
        "\(result.detections.count - result.count)", "", "",
      ])
    }
  }

  /// The columns of ``cells``.
  static let columns: [(title: String, alignment: TextTable.Alignment)] = [
    ("photo", .left), ("count", .right), ("from", .right), ("to", .right), ("others", .right),
    ("", .left),
  ]

  /// One row of a table.
  var cells: [String] {
    switch outcome {
    case .failed(let error): return [path ?? "", "-", "", "", "", reason(error)]
    case .counted(let result):
      let sure = result.confidence
      return [
        path ?? "", "\(result.count)", sure.map { "\($0.least)" } ?? "",
        sure.map { "\($0.greatest)" } ?? "", "\(result.detections.count - result.count)",
        result.hint?.description ?? "",
      ]
    }
  }

  /// What was wrong, without the path, which has a place of its own.
  private func reason(_ error: CommandError) -> String {
    guard let path, error.message.hasPrefix("\(path): ") else { return error.message }
    return String(error.message.dropFirst(path.count + 2))
  }
}

/// How rows are printed where it is neither text nor JSON.
enum RowFormat: String, Sendable, CaseIterable {
  /// Columns for people, when all photos are counted.
  case table
  /// Comma-separated values by RFC 4180, with a record of titles.
  case csv
}
