import Foundation

/// The streams of a command, and their properties.
package struct Console: Sendable {
  /// The input that the name `-` stands for.
  package let input: any InputSource
  /// The stream of results only.
  package let output: any OutputSink
  /// The stream of error lines and the progress line.
  package let errors: any OutputSink
  /// Whether a person sees the errors stream, so that a progress line is useful.
  package let isWatched: Bool

  /// The number of columns of that stream.
  package let columns: Int

  /// The variables of the process that commands use.
  package let environment: [String: String]

  /// Returns the present time.
  package let now: @Sendable () -> Date

  /// Whether a person is at the input and can answer.
  package let canAsk: Bool

  /// The signals that request the end of the process; nil if the command is not the whole process.
  package let interruptions: Interruptions?

  /// Makes a console of two sinks and a source, which is empty by default.
  package init(
    output: any OutputSink, errors: any OutputSink, input: any InputSource = MemorySource([]),
    isWatched: Bool = false, columns: Int = 80, canAsk: Bool = false,
    environment: [String: String] = [:], now: @escaping @Sendable () -> Date = { Date() },
    interruptions: Interruptions? = nil
  ) {
    self.input = input
    self.output = output
    self.errors = errors
    self.isWatched = isWatched
    self.columns = columns
    self.canAsk = canAsk
    self.environment = environment
    self.now = now
    self.interruptions = interruptions
  }

  /// The process's own standard input, output and error.
  package static var standard: Console {
    Console(
      output: FileDescriptorSink(descriptor: 1), errors: FileDescriptorSink(descriptor: 2),
      input: FileDescriptorSource(descriptor: 0), isWatched: isatty(2) == 1,
      columns: terminalColumns, canAsk: isatty(0) == 1 && isatty(2) == 1,
      environment: ProcessInfo.processInfo.environment, interruptions: .ofProcess)
  }

  /// The width of the terminal on standard error; 80 if it is unknown.
  private static var terminalColumns: Int {
    var size = winsize()
    guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// The same console; its output is silently skipped after its reader has left.
  package func withoutNeedOfReader() -> Console {
    Console(
      output: LastingSink(output), errors: errors, input: input, isWatched: isWatched,
      columns: columns, canAsk: canAsk, environment: environment, now: now,
      interruptions: interruptions)
  }

  /// Prints `line` and a line end to the output.
  package func print(_ line: String) throws(OutputFailure) {
    try output.write(line + "\n")
  }

  /// Prints one line that is not an error, for the person who reads errors.
  package func note(_ message: String) {
    try? errors.write("tally: \(PrintableText.of(message))\n")
  }

  /// Prints one error line.
  ///
  /// If even this fails, there is no place to report it.
  package func report(_ message: String) {
    try? errors.write("tally: error: \(PrintableText.of(message))\n")
  }
}
