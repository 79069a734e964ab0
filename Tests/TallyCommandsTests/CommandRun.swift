import CommandKit
import Foundation
import TallyCommands
import TestSupport
import _CSVRecords

/// What a run of the command left behind.
struct CommandRun {
  let code: ExitCode
  let output: String
  let errors: String

  /// The lines of the output.
  var outputLines: [String] { output.split(separator: "\n").map(String.init) }
  /// The lines of the errors stream.
  var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

  /// Whether it failed as every failure must: this code, one error line, no result.
  func failed(_ expected: ExitCode) -> Bool {
    code == expected && output.isEmpty && errorLines.count == 1 && errors.hasSuffix("\n")
      && errors.hasPrefix("tally: error: ")
  }

  /// Whether a photo failed as it must: this code, one error line, and in JSON a line that says the same.
  func failedPhoto(_ expected: ExitCode) -> Bool {
    let lines = outputLines
    let isTold =
      lines.isEmpty
      || lines.count == 1 && lines[0].hasSuffix(",\"code\":\(expected.rawValue)}")
        && lines[0].contains("\"error\":\"")
    return code == expected && isTold && errorLines.count == 1
      && errors.hasPrefix("tally: error: ")
  }

  /// The fields of the output's records, as CSV.
  func records() throws -> [[String]] {
    var reader = CSVReader(Array(output.utf8))
    var records: [[String]] = []
    while let record = try reader.next() { records.append(record.fields) }
    return records
  }

  /// The output's only line, as JSON.
  func json() throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
    return value as? [String: Any] ?? [:]
  }
}

/// Runs `tally` in this process.
func tally(_ arguments: String..., isWatched: Bool = false) async -> CommandRun {
  await tally(arguments, isWatched: isWatched)
}

/// Runs `tally` in this process, with `input` as its standard input, these variables alone, at this time.
func tally(
  _ arguments: [String], isWatched: Bool = false, canAsk: Bool = false, input: [UInt8] = [],
  environment: [String: String] = [:],
  now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 1_795_387_654.25) }
) async -> CommandRun {
  let output = MemorySink()
  let errors = MemorySink()
  let console = Console(
    output: output, errors: errors, input: MemorySource(input), isWatched: isWatched,
    canAsk: canAsk, environment: environment, now: now)
  let code = await TallyCommand.run(arguments, console: console)
  return CommandRun(code: code, output: output.text, errors: errors.text)
}
