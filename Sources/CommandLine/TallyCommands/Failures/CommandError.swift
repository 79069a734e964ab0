/// What ends a command: the text of the error line and the exit code.
struct CommandError: Error, Equatable, CustomStringConvertible {
  let code: ExitCode
  /// What was wrong, where, and what would be right.
  let message: String

  init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
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
