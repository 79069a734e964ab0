import CountHistory

/// `tally history list`: what was counted.
enum HistoryListCommand: Command {
  static let specification = CommandSpecification(
    words: ["history", "list"],
    summary: "Print the counts that were saved, newest first",
    discussion: [
      "Prints the counts that 'tally count --save' kept, newest first. There are at most "
        + "\(HistoryFile.capacity): one more takes the place of the oldest that is no favourite."
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
    var lines = [
      "\(PrintableText.of(history.url.path)): \(share)"
        + Sentence.count(all.count, "entry", "entries")
    ]
    if !found.isEmpty {
      var table = TextTable([
        ("id", .left), ("time", .left), ("count", .right), ("favourite", .left), ("image", .left),
      ])
      for entry in found {
        table.add([
          HistoryInputs.text(of: entry.id),
          HistoryInputs.text(of: entry.time, milliseconds: false), "\(entry.count)",
          entry.isFavorite ? "yes" : "", entry.imageName ?? "-",
        ])
      }
      lines += table.lines.map { "  \($0)" }
    }
    try console.print(lines.joined(separator: "\n"))
    return .success
  }
}
