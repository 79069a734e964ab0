import CommandKit
import Foundation

/// The command as a process of its own: what `main` calls.
package enum TallyProcess {
  /// Runs the process's command line and answers the number to exit with.
  package static func run() async -> Int32 {
    // A reader that stops reading, such as `head`, is found out by the write that fails.
    signal(SIGPIPE, SIG_IGN)
    reserveStandardDescriptors()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let code = await TallyCommand.run(arguments, console: .standard)
    Interruptions.ofProcess.endIfReceived()
    return code.rawValue
  }

  /// Puts something in place of standard streams that the caller closed.
  ///
  /// Otherwise the next file opened would get their number, and results would be written into it.
  /// What is put there cannot be written to, so that a result that goes nowhere is still an error.
  private static func reserveStandardDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is the one that is missing.
      _ = open("/dev/null", O_RDONLY)
    }
  }
}
