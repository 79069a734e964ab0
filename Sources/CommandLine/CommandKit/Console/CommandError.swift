/// What ends a command: the text of the error line and the exit code.
package struct CommandError: Error, Equatable, CustomStringConvertible {
  package let code: ExitCode
  /// What was wrong, where, and what would be right.
  package let message: String
  /// Whether the message says which file it is about.
  let namesFile: Bool

  package init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
    namesFile = false
  }

  /// An error about the file or folder at `path`, with which its text begins.
  package init(_ code: ExitCode, at path: String, _ message: String) {
    self.code = code
    self.message = "\(path): \(message)"
    namesFile = true
  }

  /// That the file at `path` cannot be read, and why.
  package static func unreadable(_ path: String, _ reason: String) -> CommandError {
    CommandError(.inputOutput, at: path, "cannot be read: \(reason)")
  }

  /// That the file at `path` cannot be written, and why.
  package static func unwritable(_ path: String, _ reason: String) -> CommandError {
    CommandError(.inputOutput, at: path, "cannot be written: \(reason)")
  }

  /// The same error, said of the file at `path` unless it names a file already.
  ///
  /// Errors in the arguments are about no file.
  func located(at path: String) -> CommandError {
    namesFile || code == .usage ? self : CommandError(code, at: path, message)
  }

  package var description: String { message }
}

/// Arguments that mean nothing.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  let message: String

  package init(_ message: String) {
    self.message = message
  }

  /// The same error, with where to find out more.
  func advising(_ advice: String) -> UsageError {
    UsageError("\(message) (\(advice))")
  }

  package var description: String { message }
}
