import Foundation

/// The arguments of a benchmark program, one after the other.
public struct ProgramArguments {
  private var rest = CommandLine.arguments.dropFirst()

  /// All that the program was started with.
  public init() {}

  /// The next argument; nil after the last one.
  public mutating func next() -> String? { rest.popFirst() }

  /// What follows an option.
  public mutating func value(of option: String) throws(UsageError) -> String {
    guard let value = rest.popFirst() else { throw UsageError("\(option) wants a value") }
    return value
  }

  /// The whole number above 0 that follows an option.
  public mutating func count(of option: String) throws(UsageError) -> Int {
    let text = try value(of: option)
    guard let count = Int(text), count > 0 else {
      throw UsageError("\(option) is '\(text)'; it must be a whole number above 0")
    }
    return count
  }
}

/// The command line asks for something that is not there.
public struct UsageError: Error, CustomStringConvertible {
  /// What, and what would be right.
  public let description: String

  /// An error with its line.
  public init(_ description: String) {
    self.description = description
  }
}

/// Ends the process with an error's line, and with 64 where the command line was wrong or else 70.
public func endProgram(with error: any Error) -> Never {
  let name = ProcessInfo.processInfo.processName
  FileHandle.standardError.write(Data("\(name): error: \(error)\n".utf8))
  exit(error is UsageError ? 64 : 70)
}
