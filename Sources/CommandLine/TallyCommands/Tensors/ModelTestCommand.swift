import CommandKit
import Foundation
import ONNXConformance
import ONNXRunner

/// `tally model test`: ONNX's own tests.
enum ModelTestCommand: Command {
  static let specification = CommandSpecification(
    words: ["model", "test"],
    summary: "Run folders of ONNX's backend tests",
    discussion: [
      "Runs tests in the form of ONNX's backend tests: a folder with model.onnx and folders "
        + "test_data_set_0, ..., each with input_0.pb, ... and output_0.pb, .... A test passes if "
        + "every output agrees. If the runner does not know an operator or a type, the test is "
        + "unsupported, not failed. If a test fails, the exit code is 70."
    ],
    operands: Operands(
      metavar: "DIR", help: "A test's folder, or a folder of such folders.", isList: true),
    groups: [
      OptionGroup("Running", [threads]),
      OptionGroup("Output", [StandardOptions.json, StandardOptions.quiet]),
    ],
    examples: [
      Example("Run two tests.", "tally model test node/test_relu node/test_conv"),
      Example("Run all tests, with JSON output.", "tally model test node --json"),
    ])

  // Most tests are too small for a second thread to be of use.
  static let threads = Option(
    "threads", .integer("N", in: 1...256), help: "How many threads compute.", fallback: "1")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    var folders: [URL] = []
    for path in arguments.operands { folders.append(try InputFile.existingFolder(path)) }
    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    defer { progress.erase() }

    let report: ConformanceReport
    do {
      var number = 0
      report = try ConformanceReport.running(
        folders, options: SessionOptions(threads: arguments[threads] ?? 1)
      ) { test in
        number += 1
        progress.show("\(number) tests, \(test.name)")
      }
    } catch ModelError.unreadableFile(let path, let reason) {
      throw CommandError(.noInput, at: path, reason)
    }
    progress.erase()
    try console.print(
      arguments[StandardOptions.json]
        ? json(report).text : lines(report).joined(separator: "\n"))
    guard report.failed == 0 else {
      console.report("\(report.failed) of \(report.cases.count) tests failed")
      return .software
    }
    return .success
  }

  private static func json(_ report: ConformanceReport) -> JSONText {
    .object([
      ("passed", .integer(report.passed)), ("failed", .integer(report.failed)),
      ("unsupported", .integer(report.unsupported)),
      (
        "cases",
        .array(
          report.cases.map { test in
            .object([
              ("name", .string(test.name)), ("status", .string(test.status.rawValue)),
              ("message", .string(test.message)),
            ])
          })
      ),
    ])
  }

  /// The tests that did not pass, and how many there were of each kind.
  private static func lines(_ report: ConformanceReport) -> [String] {
    var table = TextTable([("status", .left), ("test", .left), ("message", .left)])
    let others = report.cases.filter { $0.status != .passed }
    for test in others { table.add([test.status.rawValue, test.name, test.message]) }
    return (others.isEmpty ? [] : table.lines)
      + ["\(report.passed) passed, \(report.failed) failed, \(report.unsupported) unsupported"]
  }
}
