import CommandKit
import CountHistory
import Foundation

/// `tally history limit`: the number of counts that are kept.
enum HistoryLimitCommand: Command {
  static let specification = CommandSpecification(
    words: ["history", "limit"],
    summary: "Print or set how many saved counts are kept",
    discussion: [
      "Prints how many counts the history keeps, or sets it: \(HistoryFile.limits.lowerBound) to "
        + "\(HistoryFile.limits.upperBound). The number is kept in the history's file and holds for "
        + "all counts that are saved from then on. If the history is full, the next count replaces "
        + "the oldest one that is not a favourite.",
      "If the history has more than N entries, the oldest that are not favourites are deleted. At "
        + "a terminal you are asked first; a script needs --yes.",
    ],
    operands: Operands(
      metavar: "N", help: "How many counts to keep.", isList: false, isOptional: true),
    groups: [OptionGroup("History", [HistoryInputs.file, Confirmation.yes])],
    examples: [
      Example("How many are kept?", "tally history limit"),
      Example("Keep more.", "tally history limit 5000"),
    ], changesStore: true)

  private static let number = ValueKind.integer("N", in: HistoryFile.limits)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    guard let text = arguments.operands.first else {
      let history = try HistoryInputs.existing(arguments, console)
      try await print(history, console)
      return .success
    }
    guard let limit = number.parse(text) else {
      throw UsageError("N is '\(text)'; it must be \(number.expectation)")
    }
    // A missing file is made, as by 'tally count --save'.
    let history = try HistoryInputs.history(arguments, console)
    do {
      try await history.setLimit(limit)
    } catch {
      guard case .moreThan(let path, let limit, let count) = error else { throw error }
      let removed = Sentence.count(count - limit, "entry", "entries")
      let deed = "delete the oldest \(removed) of \(PrintableText.of(path)), except favourites"
      guard try Confirmation.isGiven(to: deed, arguments, console) else {
        try console.print("\(PrintableText.of(path)): nothing was changed")
        return .success
      }
      let ids = try await history.setLimit(limit, removesEntries: true)
      try console.print(
        "\(PrintableText.of(path)): \(Sentence.count(ids.count, "entry", "entries")) deleted")
    }
    try await print(history, console)
    return .success
  }

  private static func print(_ history: HistoryFile, _ console: Console) async throws {
    let limit = try await history.capacity().limit
    try console.print(
      "\(PrintableText.of(history.url.path)): keeps \(Sentence.count(limit, "entry", "entries")) at "
        + "most")
  }
}
