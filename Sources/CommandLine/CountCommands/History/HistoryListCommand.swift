import CommandKit
import CountHistory

/// `tally history list`: lists the saved counts.
enum HistoryListCommand: Command {
  static let specification = CommandSpecification(
    words: ["history", "list"],
    summary: "Print the counts that were saved, newest first",
    discussion: [
      "Prints the counts that 'tally count --save' kept, newest first, in local time. If a person "
        + "corrected a count, the person's number comes first. The history keeps "
        + "\(HistoryFile.usualLimit) counts, or the number that 'tally history limit' sets. If it "
        + "is full, the next count replaces the oldest one that is not a favourite."
    ],
    operands: .none,
    groups: [
      OptionGroup("History", [HistoryInputs.file]), OptionGroup("Filters", HistoryInputs.filters),
      OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example("What was counted?", "tally history list"),
      Example("Find the coins of a day.", "tally history list --name coins --since 2026-11-22"),
    ])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let history = try HistoryInputs.existing(arguments, console)
    let all = try await history.entries()
    let found = all.filter(HistoryInputs.filter(arguments).includes)
    if arguments[StandardOptions.json] {
      for entry in found {
        let thumbnail = JSONText.integer(entry.thumbnail?.count ?? 0)
        try console.print(
          JSONText.object(
            HistoryInputs.members(entry) + [("thumbnailBytes", thumbnail)]
          ).text)
      }
      return .success
    }
    let share = found.count == all.count ? "" : "\(found.count) of "
    let (limit, dropped) = try await history.capacity()
    let older = dropped == 0 ? "" : "; \(dropped) older made room"
    var lines = [
      "\(PrintableText.of(history.url.path)): \(share)"
        + "\(Sentence.count(all.count, "entry", "entries")), at most \(limit)\(older)"
    ]
    if !found.isEmpty {
      lines += table(of: found, idLength: EntryReference.length(among: all.map(\.id)))
    }
    try console.print(lines.joined(separator: "\n"))
    return .success
  }

  private static func table(of entries: [HistoryEntry], idLength: Int) -> [String] {
    var table = TextTable([
      ("id", .left), ("time", .left), ("count", .right), ("interval", .left),
      ("corrected", .left), ("favourite", .left), ("image", .left), ("folder", .left),
    ])
    for entry in entries {
      table.add([
        String(HistoryInputs.text(of: entry.id).prefix(idLength)),
        HistoryInputs.localText(of: entry.time), "\(entry.finalCount)",
        HistoryInputs.interval(of: entry),
        entry.correctedCount == nil ? "" : "from \(entry.count)",
        entry.isFavorite ? "yes" : "", entry.imageName ?? "-", entry.imageFolder ?? "",
      ])
    }
    return table.lines.map { "  \($0)" }
  }
}
