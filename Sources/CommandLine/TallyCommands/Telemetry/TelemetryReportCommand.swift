import CommandKit
import Foundation
import Telemetry

/// `tally telemetry report`: what the events of a folder have in common.
enum TelemetryReportCommand: Command {
  static let specification = CommandSpecification(
    words: ["telemetry", "report"],
    summary: "Say what the events in a folder have in common, and where they were wrong",
    discussion: [
      "Reads the events that a TelemetryLog wrote into DIR and prints how many there are, of which "
        + "days, how often text or a barcode was in the same frame, and how confidence, aspect "
        + "ratio and size are distributed. Damaged lines are passed over and counted.",
      "With --labels it says which events were right: precision and recall by confidence, shape, "
        + "size, text and barcode, and which groups stand out. A line of the file is "
        + "{\"event\": \"ID\", \"right\": true}, {\"time\": MS, \"right\": false} for all events "
        + "of a time, or {\"missed\": MS} for an object without an event, with \"width\", "
        + "\"height\", \"aspect\", \"text\" and \"barcode\" as far as they are known.",
    ],
    operands: Operands(
      metavar: "DIR", help: "A folder that a TelemetryLog wrote into.", isList: false),
    groups: [
      OptionGroup("Truth", [labels]), OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example("What has been recorded?", "tally telemetry report telemetry"),
      Example(
        "Where does the finder err?", "tally telemetry report telemetry --labels labels.jsonl"),
    ])

  static let labels = Option(
    "labels", .path("FILE"), help: "What people said of the events, as JSON Lines.")

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
    do {
      return try TelemetryLabels(data)
    } catch {
      throw Failure.of(error, at: path)
    }
  }
}
