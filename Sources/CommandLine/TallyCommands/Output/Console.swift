import Foundation

/// The two streams a command writes to, and what is known of them.
public struct Console: Sendable {
  /// Results go here, and nothing else does.
  public let output: any OutputSink
  /// Error lines and the progress line go here.
  public let errors: any OutputSink
  /// Whether a person watches the errors stream, so that a progress line makes sense.
  public let isWatched: Bool

  /// Makes a console of two sinks.
  public init(output: any OutputSink, errors: any OutputSink, isWatched: Bool = false) {
    self.output = output
    self.errors = errors
    self.isWatched = isWatched
  }

  /// The process's own standard output and standard error.
  public static var standard: Console {
    Console(
      output: FileDescriptorSink(descriptor: 1), errors: FileDescriptorSink(descriptor: 2),
      isWatched: isatty(2) == 1)
  }

  /// Prints `line` and a line end to the output.
  func print(_ line: String) throws(OutputFailure) {
    try output.write(line + "\n")
  }

  /// Prints one error line.
  ///
  /// There is nobody left to tell where even this fails.
  func report(_ message: String) {
    try? errors.write("tally: error: \(PrintableText.of(message))\n")
  }
}
