import CommandKit
import Foundation
import SimilarityIndex

/// `tally library list`: what a library holds.
enum LibraryListCommand: Command {
  static let specification = CommandSpecification(
    words: ["library", "list"],
    summary: "Print the entries of a library",
    discussion: ["Prints the entries of a library, in the order in which they were added."],
    operands: Operands(
      metavar: "LIBRARY", help: "\(LibraryInputs.libraryHelp).", isList: false),
    groups: [OptionGroup("Output", [StandardOptions.json])],
    examples: [Example("What is in it?", "tally library list things.library")])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = arguments.operands[0]
    let library = try LibraryInputs.existing(path)
    let entries = try library.entries()
    if arguments[StandardOptions.json] {
      for entry in entries {
        try console.print(JSONText.object(LibraryInputs.members(entry)).text)
      }
      return .success
    }
    var lines = [LibraryInputs.summary(path, entries.count, library)]
    if !entries.isEmpty {
      var table = TextTable([("id", .left), ("name", .left), ("file", .left)])
      for entry in entries {
        table.add([
          entry.id.uuidString.lowercased(), entry.record.name ?? "-", entry.record.file ?? "-",
        ])
      }
      lines += table.lines.map { "  \($0)" }
    }
    try console.print(lines.joined(separator: "\n"))
    return .success
  }
}

/// `tally library remove`: entries that are no longer wanted.
enum LibraryRemoveCommand: Command {
  static let specification = CommandSpecification(
    words: ["library", "remove"],
    summary: "Remove entries from a library by their ids",
    discussion: [
      "Removes the entries with these ids, all at once. An unknown id gets an error line, and the "
        + "others are still removed."
    ],
    operands: Operands(
      metavar: "LIBRARY ID", help: "\(LibraryInputs.libraryHelp), then the UUIDs of entries.",
      isList: true),
    groups: [],
    examples: [
      Example(
        "Remove one.",
        "tally library remove things.library 6f1c2d1e-0a3b-4c5d-8e9f-001122334455")
    ], changesStore: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let (path, texts) = try arguments.oneAndOthers(of: specification, named: "ID")
    let ids = try IndexInputs.ids(texts)
    let library = try LibraryInputs.existing(path)
    let writer = try library.writer()
    let code = try IndexInputs.remove(ids, from: writer, at: path, console: console)
    if code == .success {
      try console.print(LibraryInputs.summary(path, writer.count, library))
    }
    return code
  }
}
