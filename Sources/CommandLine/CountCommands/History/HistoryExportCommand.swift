import CommandKit
import CountHistory
import Foundation
import _CSVRecords

/// `tally history export`: writes all entries for other programs.
enum HistoryExportCommand: Command {
  static let specification = CommandSpecification(
    words: ["history", "export"],
    summary: "Print saved counts as CSV or JSON, newest first",
    discussion: [
      "Prints the saved counts with everything that is known about them, as CSV with a header row. "
        + "With --json it prints one object per line, with the thumbnail in base64. Times are in "
        + "UTC. If a person corrected a count, the person's number comes first, then the machine's."
    ],
    operands: .none,
    groups: [
      OptionGroup("History", [HistoryInputs.file]), OptionGroup("Filters", HistoryInputs.filters),
      OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example("A table of all counts.", "tally history export > counts.csv"),
      Example("A copy of the favourites.", "tally history export --json --favorites > kept.jsonl"),
    ])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let history = try HistoryInputs.existing(arguments, console)
    let entries = try await history.entries(matching: HistoryInputs.filter(arguments))
    if !arguments[StandardOptions.json] {
      try console.print(
        "id,time,count,machine_count,least,greatest,favorite,image,folder,thresholds")
    }
    for entry in entries {
      try console.print(arguments[StandardOptions.json] ? json(of: entry) : row(of: entry))
    }
    return .success
  }

  private static func json(of entry: HistoryEntry) -> String {
    let thumbnail = JSONText.optional(entry.thumbnail) { .string($0.base64EncodedString()) }
    return JSONText.object(
      HistoryInputs.members(entry) + [
        ("thresholds", HistoryInputs.thresholds(entry)), ("thumbnailBase64", thumbnail),
      ]
    ).text
  }

  /// A row in the form of RFC 4180, on one line.
  ///
  /// Control characters in names are written as escapes, and no name is a formula.
  private static func row(of entry: HistoryEntry) -> String {
    [
      HistoryInputs.text(of: entry.id), HistoryInputs.text(of: entry.time, milliseconds: true),
      "\(entry.finalCount)", entry.correctedCount == nil ? "" : "\(entry.count)",
      HistoryInputs.interval(of: entry, ofMachine: false)
        .map { "\($0.lowerBound),\($0.upperBound)" } ?? ",",
      entry.isFavorite ? "true" : "false", quoted(CSVText.fileName(entry.imageName ?? "")),
      quoted(CSVText.fileName(entry.imageFolder ?? "")),
      quoted(HistoryInputs.thresholds(entry).text),
    ].joined(separator: ",")
  }

  private static func quoted(_ text: String) -> String {
    CSVWriter.quoted(PrintableText.of(text))
  }
}
