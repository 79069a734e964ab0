import CommandKit
import Foundation
import SimilarityIndex

/// `tally index add`: more rows for an index.
enum IndexAddCommand: Command {
  static let specification = CommandSpecification(
    words: ["index", "add"],
    summary: "Add vectors to an index, or replace those with the same ids",
    discussion: [
      "Adds each row of the array as an entry. If the command fails or is stopped, nothing is "
        + "added."
    ],
    operands: Operands(metavar: IndexInputs.index, help: IndexInputs.indexHelp, isList: false),
    requiredUsage: "--vectors FILE.npy",
    groups: [
      OptionGroup("Entries", [IndexInputs.vectors, IndexInputs.ids, IndexInputs.payloads])
    ],
    examples: [
      Example(
        "Add new vectors.", "tally index add photos.index --vectors new.npy --payloads new.txt")
    ], changesStore: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = arguments.operands[0]
    guard let vectors = arguments[IndexInputs.vectors] else {
      throw UsageError("--vectors is missing (see '\(specification.invocation) --help')")
    }
    let folder = try IndexInputs.folder(path)
    let rows = try IndexInputs.rows(vectors)
    let writer = try SimilarityWriter(opening: folder)
    guard rows.dimension == writer.layout.dimension else {
      throw CommandError(
        .badData, at: vectors,
        "rows of \(rows.dimension) values; this index has vectors of \(writer.layout.dimension)")
    }
    try IndexInputs.add(rows, arguments, to: writer)
    try console.print(IndexInputs.summary(path, writer.count, writer.layout))
    return .success
  }
}

/// `tally index remove`: entries that are no longer wanted.
enum IndexRemoveCommand: Command {
  static let specification = CommandSpecification(
    words: ["index", "remove"],
    summary: "Remove entries from an index by their ids",
    discussion: [
      "Removes the entries with these ids, all at once. An unknown id gets an error line, and the "
        + "others are still removed. 'tally index compact' frees their space."
    ],
    operands: Operands(
      metavar: "INDEX ID", help: "The folder of an index, then the UUIDs of entries.",
      isList: true),
    groups: [],
    examples: [
      Example(
        "Remove one.", "tally index remove photos.index 6f1c2d1e-0a3b-4c5d-8e9f-001122334455")
    ], changesStore: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let (path, texts) = try arguments.oneAndOthers(of: specification, named: "ID")
    let ids = try IndexInputs.ids(texts)
    let writer = try SimilarityWriter(opening: try IndexInputs.folder(path))
    let code = try IndexInputs.remove(ids, from: writer, at: path, console: console)
    if code == .success {
      try console.print(IndexInputs.summary(path, writer.count, writer.layout))
    }
    return code
  }
}

/// `tally index compact`: an index without what is dead.
enum IndexCompactCommand: Command {
  static let specification = CommandSpecification(
    words: ["index", "compact"],
    summary: "Rewrite an index without removed and replaced entries",
    discussion: [
      "Rewrites the index without removed and replaced entries. If there are more than 50,000 "
        + "entries, it also builds a graph of all. The new index replaces the old one in one step; "
        + "until then there must be space for both."
    ],
    operands: Operands(metavar: IndexInputs.index, help: IndexInputs.indexHelp, isList: false),
    groups: [],
    examples: [Example("Give room back.", "tally index compact photos.index")], changesStore: true)

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = arguments.operands[0]
    let folder = try IndexInputs.folder(path)
    let writer = try SimilarityWriter(opening: folder)
    let before = try SimilarityReader(folder: folder).statistics.bytes
    try writer.compact()
    let after = try SimilarityReader(folder: folder).statistics.bytes
    try console.print(
      IndexInputs.summary(path, writer.count, writer.layout)
        + "; \(after) bytes where there were \(before)")
    return .success
  }
}

/// `tally index salvage`: what can be read of a damaged index.
enum IndexSalvageCommand: Command {
  static let specification = CommandSpecification(
    words: ["index", "salvage"],
    summary: "Copy what can be read of a damaged index into a new one",
    discussion: [
      "Copies each undamaged entry into a new index and does not change the damaged one. If the "
        + "record of a removal is damaged, the removed entry is there again.",
      "If the record of the last commit is damaged, the entries of that commit are saved too. "
        + "Changes that were never committed are not.",
    ],
    operands: Operands(
      metavar: IndexInputs.index, help: "The folder of the damaged index.", isList: false),
    requiredUsage: "--to DIR",
    groups: [OptionGroup("Output", [target])],
    examples: [
      Example("Save the undamaged entries.", "tally index salvage photos.index --to saved.index")
    ], changesStore: true)

  static let target = Option(
    "to", .path("DIR"), help: "The folder to create for the new index.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = arguments.operands[0]
    guard let to = arguments[target] else {
      throw UsageError("--to is missing (see '\(specification.invocation) --help')")
    }
    let salvage = try SimilaritySalvage(
      of: try IndexInputs.folder(path), into: URL(fileURLWithPath: to))
    let behind = salvage.savedBehindLastCommit
    try console.print(
      "\(PrintableText.of(to)): \(Sentence.count(salvage.saved, "entry", "entries")) saved, "
        + "\(salvage.lost) lost, "
        + Sentence.count(salvage.damagedRecords, "damaged record", "damaged records")
        + " passed over"
        + (behind > 0 ? "; \(behind) of those saved are of a commit whose record is damaged" : ""))
    return .success
  }
}
