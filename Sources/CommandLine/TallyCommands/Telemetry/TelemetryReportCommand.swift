import CommandKit
import Foundation
import Telemetry

/// `tally telemetry report`: what the events of a folder have in common.
enum TelemetryReportCommand: Command {
  static let specification = CommandSpecification(
    words: ["telemetry", "report"],
    summary: "Print statistics of recorded events, and where they were wrong",
    discussion: [
      "Reads the events that a TelemetryLog wrote into DIR. Prints their number and days, how "
        + "often text or a barcode was in the same frame, and the distributions of confidence, "
        + "aspect ratio and size. If events have a variant of an experiment, it prints the figures "
        + "of each. Damaged lines are skipped and counted.",
      "With --labels it prints precision and recall by confidence, shape, size, text, barcode "
        + "and variant, and the groups that stand out. A line of the file is "
        + "{\"event\": \"ID\", \"right\": true}, {\"time\": MS, \"right\": false} for all events "
        + "of a time, or {\"missed\": MS} for an object without an event. The last may have "
        + "\"width\", \"height\", \"aspect\", \"text\", \"barcode\" and \"variant\" if they are "
        + "known.",
    ],
    operands: Operands(
      metavar: "DIR", help: "A folder that a TelemetryLog wrote into.", isList: false),
    groups: [
      OptionGroup("Truth", [labels]), OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example("What has been recorded?", "tally telemetry report telemetry"),
      Example(
        "Where is the detector wrong?", "tally telemetry report telemetry --labels labels.jsonl"),
    ])

  static let labels = Option(
    "labels", .path("FILE"), help: "People's labels of the events, as JSON Lines.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let folder = try InputFile.existingFolder(arguments.operands[0])
    let labels = try arguments[labels].map(readLabels)
    let report = TelemetryReportText(
      report: try TelemetryReport(of: TelemetryReader(folder: folder), labels: labels))
    try console.print(
      arguments[StandardOptions.json]
        ? report.json().text : report.lines().joined(separator: "\n"))
    return .success
  }

  private static func readLabels(_ path: String) throws -> TelemetryLabels {
    let data = try JSONFile.data(path)
    try JSONFile.check(data, path)
    do {
      return try TelemetryLabels(data)
    } catch {
      throw Failure.of(error, at: path)
    }
  }
}
