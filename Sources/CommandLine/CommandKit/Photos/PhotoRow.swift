/// What became of one of the photos of a command.
package struct PhotoRow: Sendable {
  /// What was found out, or why nothing was.
  enum Outcome: Sendable {
    case done(any PhotoReport)
    case failed(CommandError)
  }

  /// The photo's path as it was given or found; nil for a line of a stream that names none.
  let path: String?
  let outcome: Outcome
  /// Why a file that was asked for could not be written, though the photo was looked at.
  var trouble: CommandError?

  /// The row of a photo that failed.
  package static func failed(_ path: String?, _ error: CommandError) -> PhotoRow {
    PhotoRow(path: path, outcome: .failed(error))
  }

  /// The error, nil if all went well.
  var error: CommandError? {
    if case .failed(let error) = outcome { error } else { trouble }
  }

  /// The report, nil if the photo failed.
  package var report: (any PhotoReport)? {
    if case .done(let report) = outcome { report } else { nil }
  }

  /// The same row, failed if a file could not be written.
  var strict: PhotoRow { trouble.map { .failed(path, $0) } ?? self }

  /// One object on one line.
  package var json: String {
    switch outcome {
    case .done(let report): return report.json.text
    case .failed(let error):
      return JSONText.object([
        ("image", .optional(path) { .string($0) }), ("error", .string(reason(error))),
        ("code", .integer(Int(error.code.rawValue))),
      ]).text
    }
  }

  /// What was wrong, without the path, which has a place of its own.
  func reason(_ error: CommandError) -> String {
    guard let path, error.message.hasPrefix("\(path): ") else { return error.message }
    return String(error.message.dropFirst(path.count + 2))
  }
}

/// How rows are printed if it is not text.
package enum RowFormat: String, Sendable, CaseIterable {
  /// An object on a line for each photo, as `--json` prints it.
  case json
  /// Columns for people, when all photos are done.
  case table
  /// Comma-separated values by RFC 4180, with a record of titles.
  case csv
}
