import Foundation

/// A program of this package that a test runs as a process of its own; its standard output is a pipe.
public struct ChildProcess {
  /// The process.
  public let process: Process
  /// What it prints.
  public let output: FileHandle

  /// Starts a program, which was built beside the tests.
  ///
  /// - Parameter variables: variables of its environment beside the test's own.
  public init(
    _ program: String, _ arguments: [String], variables: [String: String] = [:]
  ) throws {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let file = folder.appendingPathComponent(program)
    guard FileManager.default.isExecutableFile(atPath: file.path) else {
      throw MissingProgram(path: file.path)
    }
    let pipe = Pipe()
    process = Process()
    process.executableURL = file
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    process.standardOutput = pipe
    try process.run()
    output = pipe.fileHandleForReading
  }

  /// Waits until it ends, and answers what it printed that was not read yet.
  public func finish() -> String {
    let rest = output.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: rest, as: UTF8.self)
  }

  /// Kills it after some microseconds and answers what it printed that was not read yet; nil where it had
  /// ended by itself.
  public func kill(after delay: UInt64) -> String? {
    usleep(useconds_t(delay))
    Foundation.kill(process.processIdentifier, SIGKILL)
    let rest = finish()
    return process.terminationReason == .uncaughtSignal ? rest : nil
  }
}

/// A program that tests run was not built.
public struct MissingProgram: Error, CustomStringConvertible {
  let path: String

  /// Which one, and what makes it.
  public var description: String { "\(path) is not here; build the whole package" }
}
