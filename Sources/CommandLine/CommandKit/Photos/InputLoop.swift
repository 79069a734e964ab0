/// Does the same work for every input; an error in one does not stop the others.
package struct InputLoop: Sendable {
  private let console: Console
  /// The progress line.
  package let progress: ProgressLine

  /// A loop that reports on `console`.
  package init(on console: Console, isQuiet: Bool) {
    self.console = console
    progress = ProgressLine(on: console, isQuiet: isQuiet)
  }

  /// Shows the work on the input at `index`; the path comes last, because it may be cut off.
  package func show(_ activity: String, _ index: Int, of paths: [String]) {
    let place = paths.count > 1 ? "\(index + 1) of \(paths.count): " : ""
    progress.show("\(place)\(activity), \(paths[index])")
  }

  /// Calls `body` for each path in order.
  ///
  /// Its errors are printed as error lines, and the next path follows. If the output itself fails
  /// or the task is cancelled, the loop ends.
  ///
  /// - Returns: the code of the first failure, or success.
  package func forEach(
    _ paths: [String], _ body: (_ index: Int, _ path: String) async throws -> Void
  ) async throws -> ExitCode {
    var code = ExitCode.success
    for (index, path) in paths.enumerated() {
      do {
        try Task.checkCancellation()
        try await body(index, path)
      } catch let error as OutputFailure {
        progress.erase()
        throw error
      } catch is CancellationError {
        progress.erase()
        throw CancellationError()
      } catch {
        let failure = Failure.of(error, at: path)
        progress.erase()
        console.report(failure.message)
        if code == .success { code = failure.code }
      }
    }
    progress.erase()
    return code
  }
}
