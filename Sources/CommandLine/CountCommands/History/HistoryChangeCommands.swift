import CommandKit
import CountHistory
import Foundation

/// `tally history favorite`: marks entries that stay.
enum HistoryFavoriteCommand: Command {
  static let specification = CommandSpecification(
    words: ["history", "favorite"],
    summary: "Make saved counts favourites, which stay when others make room",
    discussion: [
      "Marks entries as favourites, or removes the mark with --off. A favourite is not removed "
        + "when a new entry needs room. An unknown id gets an error line, and the others are still "
        + "changed."
    ],
    operands: HistoryInputs.ids,
    groups: [OptionGroup("History", [HistoryInputs.file, off])],
    examples: [
      Example("Keep one.", "tally history favorite 6f1c2d1e")
    ], changesStore: true)

  static let off = Flag("off", help: "Remove the mark.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let isFavorite = !arguments[off]
    return try await HistoryChange(said: isFavorite ? "favourite" : "no favourite")
      .run(arguments, console: console) { history, id in
        try await history.setFavorite(isFavorite, id)
      }
  }
}

/// `tally history delete`: deletes entries.
enum HistoryDeleteCommand: Command {
  static let specification = CommandSpecification(
    words: ["history", "delete"],
    summary: "Delete saved counts, favourites too",
    discussion: [
      "Deletes entries one by one. An unknown id gets an error line, and the others are still "
        + "deleted."
    ],
    operands: HistoryInputs.ids,
    groups: [OptionGroup("History", [HistoryInputs.file])],
    examples: [
      Example("Delete one.", "tally history delete 6f1c2d1e")
    ], changesStore: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    try await HistoryChange(said: "deleted")
      .run(arguments, console: console) { history, id in try await history.remove(id) }
  }
}

/// `tally history clear`: deletes all entries.
enum HistoryClearCommand: Command {
  static let specification = CommandSpecification(
    words: ["history", "clear"],
    summary: "Delete all saved counts, favourites too",
    discussion: [
      "Deletes all entries at once, favourites too. They cannot be restored. At a terminal you are "
        + "asked first; a script needs --yes."
    ],
    operands: .none,
    groups: [OptionGroup("History", [HistoryInputs.file, Confirmation.yes])],
    examples: [
      Example("Start again.", "tally history clear"),
      Example("Start again without a question.", "tally history clear --yes"),
    ], changesStore: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let history = try HistoryInputs.existing(arguments, console)
    let path = PrintableText.of(history.url.path)
    let there = try await history.entries().count
    let deed = "delete all entries of \(path), \(there) with the favourites"
    // If there are no entries, nothing is lost.
    guard try there == 0 || Confirmation.isGiven(to: deed, arguments, console) else {
      try console.print("\(path): nothing was deleted")
      return .success
    }
    let count = try await history.removeAll()
    try console.print("\(path): \(Sentence.count(count, "entry", "entries")) deleted")
    return .success
  }
}

/// A change of each named entry.
private struct HistoryChange {
  /// The text about a changed entry.
  let said: String

  /// Changes the entries one after the other.
  ///
  /// - Parameter change: returns whether the entry exists.
  func run(
    _ arguments: ParsedArguments, console: Console,
    _ change: (HistoryFile, UUID) async throws -> Bool
  ) async throws -> ExitCode {
    let references = try arguments.operands.map(EntryReference.init)
    let history = try HistoryInputs.existing(arguments, console)
    let entries = try await history.entries()
    var code = ExitCode.success
    for reference in references {
      do {
        let id = try reference.entry(among: entries, of: history).id
        guard try await change(history, id) else {
          throw CommandError(
            .noInput, at: history.url.path, "there is no entry \(reference.text) any more")
        }
        try console.print("\(HistoryInputs.text(of: id)): \(said)")
      } catch let error as CommandError {
        console.report(error.message)
        code = error.code
      }
    }
    return code
  }
}
