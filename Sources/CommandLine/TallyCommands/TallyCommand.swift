import CommandKit

/// The `tally` command: everything but the process around it.
package enum TallyCommand {
  /// The version that `--version` prints.
  package static let version = ToolVersion.current

  /// Runs one command line and says how it ended.
  ///
  /// Results go to `console.output`; what goes wrong goes to `console.errors`, one line each, and
  /// never ends the process. Several runs at a time do not disturb one another. Cancelling the task
  /// stops a count within one batch of crops.
  ///
  /// - Parameters:
  ///   - arguments: what follows the program's name, as `["count", "photo.jpg"]`.
  ///   - console: where text goes.
  package static func run(_ arguments: [String], console: Console) async -> ExitCode {
    do {
      return try await CommandTree.run(arguments, console: console)
    } catch OutputFailure.readerLeft {
      // It has what it wanted, as `head` has after ten lines.
      return .success
    } catch {
      let failure = Failure.of(error)
      console.report(failure.message)
      return failure.code
    }
  }
}
