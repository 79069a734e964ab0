import CommandKit
import CountHistory
import Foundation

/// `tally history salvage`: recovers entries of a damaged history.
enum HistorySalvageCommand: Command {
  static let specification = CommandSpecification(
    words: ["history", "salvage"],
    summary: "Save what can be read of a damaged history",
    discussion: [
      "Copies the undamaged entries of a damaged history into a new one, and prints one error line "
        + "for each entry that could not be read. The damaged file is not changed. No other "
        + "program should use it meanwhile."
    ],
    operands: .none, requiredUsage: "--to NEW",
    groups: [OptionGroup("History", [HistoryInputs.file, target])],
    examples: [
      Example(
        "Save what is left.",
        "tally history salvage --history history.sqlite --to saved.sqlite")
    ], changesStore: true)

  static let target = Option(
    "to", .path("NEW"), help: "The file of the new history; it must not exist yet.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    guard let path = arguments[target] else {
      throw UsageError("--to is missing (see '\(specification.invocation) --help')")
    }
    let history = try HistoryInputs.existing(arguments, console)
    let salvage = try await history.salvage(into: HistoryFile(URL(fileURLWithPath: path)))
    for loss in salvage.losses { console.report("\(history.url.path): \(loss)") }
    try console.print(
      "\(PrintableText.of(path)): \(Sentence.count(salvage.saved, "entry", "entries")) saved, at most "
        + "\(salvage.limit) kept")
    return salvage.losses.isEmpty ? .success : .badData
  }
}
