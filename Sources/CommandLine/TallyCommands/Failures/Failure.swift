/// Which error line and which exit code an error becomes: the one place that decides it.
enum Failure {
  /// What to report of `error`.
  static func of(_ error: any Error) -> CommandError {
    switch error {
    case let error as CommandError:
      return error
    case let error as UsageError:
      return CommandError(.usage, error.message)
    case let error as OutputFailure:
      return CommandError(.inputOutput, error.description)
    case is CancellationError:
      return CommandError(.software, "the work was cancelled")
    default:
      return CommandError(.software, "a fault of this program: \(error)")
    }
  }

  /// What to report of `error`, said of the file at `path`.
  static func of(_ error: any Error, at path: String) -> CommandError {
    let failure = of(error)
    if failure.code == .usage || failure.message.contains(path) { return failure }
    return CommandError(failure.code, "\(path): \(failure.message)")
  }
}
