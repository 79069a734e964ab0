/// A command: its arguments and its work.
package protocol Command: Sendable {
  /// Its arguments and its help.
  static var specification: CommandSpecification { get }

  /// Runs the command.
  ///
  /// - Returns: the exit code; if it is not ``ExitCode/success``, the error lines are printed.
  /// - Throws: the error that ended it; the caller prints the error line.
  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode
}
