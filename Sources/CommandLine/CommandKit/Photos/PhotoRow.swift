/// The result of one photo of a command.
package struct PhotoRow: Sendable {
  /// The report, or the error.
  enum Outcome: Sendable {
    case done(any PhotoReport)
    case failed(CommandError)
  }

  /// The photo's path as given or found; nil for a line of a stream without one.
  let path: String?
  let outcome: Outcome
  /// The error of writing a requested file, although the photo was processed.
  var trouble: CommandError?

  /// The row of a photo that failed.
  package static func failed(_ path: String?, _ error: CommandError) -> PhotoRow {
    PhotoRow(path: path, outcome: .failed(error))
  }

  /// The error; nil if there is none.
  var error: CommandError? {
    if case .failed(let error) = outcome { error } else { trouble }
  }

  /// The report; nil if the photo failed.
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

  /// The error, without the path, which has its own field.
  func reason(_ error: CommandError) -> String {
    guard let path, error.message.hasPrefix("\(path): ") else { return error.message }
    return String(error.message.dropFirst(path.count + 2))
  }
}

/// The forms of rows other than text.
package enum RowFormat: String, Sendable, CaseIterable {
  /// One object per line and photo, as `--json` prints it.
  case json
  /// Columns for people, after all photos.
  case table
  /// Comma-separated values by RFC 4180, with a record of titles.
  case csv
}
