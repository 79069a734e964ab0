/// An error that ends a command: the text of the error line and the exit code.
package struct CommandError: Error, Equatable, CustomStringConvertible {
  package let code: ExitCode
  /// The error, its place and the expected value.
  package let message: String
  /// Whether the message names its file.
  let namesFile: Bool

  package init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
    namesFile = false
  }

  /// An error about the file or folder at `path`; its text begins with the path.
  package init(_ code: ExitCode, at path: String, _ message: String) {
    self.code = code
    self.message = "\(path): \(message)"
    namesFile = true
  }

  /// An error for a photo at `path` whose name is not UTF-8, so that no text names it.
  static func foreignName(_ path: String) -> CommandError {
    CommandError(
      .noInput, at: path, "the name has bytes that are not UTF-8; give the file another")
  }

  /// An error for a file at `path` that cannot be read, with the reason.
  package static func unreadable(_ path: String, _ reason: String) -> CommandError {
    CommandError(.inputOutput, at: path, "cannot be read: \(reason)")
  }

  /// An error for a file at `path` that cannot be written, with the reason.
  package static func unwritable(_ path: String, _ reason: String) -> CommandError {
    CommandError(.inputOutput, at: path, "cannot be written: \(reason)")
  }

  /// The same error about the file at `path`, unless it names a file already.
  ///
  /// Errors in the arguments are not about a file.
  func located(at path: String) -> CommandError {
    namesFile || code == .usage ? self : CommandError(code, at: path, message)
  }

  package var description: String { message }
}

/// Invalid arguments.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  let message: String

  package init(_ message: String) {
    self.message = message
  }

  /// The same error, with advice where to find more information.
  func advising(_ advice: String) -> UsageError {
    UsageError("\(message) (\(advice))")
  }

  package var description: String { message }
}
