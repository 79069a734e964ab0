/// One command: what it takes, and what it does.
package protocol Command: Sendable {
  /// What it takes and says of itself.
  static var specification: CommandSpecification { get }

  /// Does it.
  ///
  /// - Returns: the exit code; if it is not ``ExitCode/success``, the error lines are printed.
  /// - Throws: what ends it; the caller prints the error line.
  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode
}
