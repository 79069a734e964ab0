/// What ends a command: the text of the error line and the exit code.
struct CommandError: Error, Equatable, CustomStringConvertible {
  let code: ExitCode
  /// What was wrong, where, and what would be right.
  let message: String
  /// Whether the message says which file it is about.
  let namesFile: Bool

  init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
    namesFile = false
  }

  /// An error about the file or folder at `path`, with which its text begins.
  init(_ code: ExitCode, at path: String, _ message: String) {
    self.code = code
    self.message = "\(path): \(message)"
    namesFile = true
  }

  /// The same error, said of the file at `path` unless it names a file already.
  ///
  /// Errors in the arguments are about no file.
  func located(at path: String) -> CommandError {
    namesFile || code == .usage ? self : CommandError(code, at: path, message)
  }

  var description: String { message }
}

/// Arguments that mean nothing.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let message: String

  init(_ message: String) {
    self.message = message
  }

  /// The same error, with where to find out more.
  func advising(_ advice: String) -> UsageError {
    UsageError("\(message) (\(advice))")
  }

  var description: String { message }
}
