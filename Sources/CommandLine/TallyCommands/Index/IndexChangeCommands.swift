import CommandKit
import Foundation
import SimilarityIndex

/// `tally index add`: more rows for an index.
enum IndexAddCommand: Command {
  static let specification = CommandSpecification(
    words: ["index", "add"],
    summary: "Add vectors to an index, or replace those of the same ids",
    discussion: [
      "Adds each row of the array as an entry. All of it holds once the command ends with success, "
        + "and none of it where it fails or is stopped."
    ],
    operands: Operands(metavar: IndexInputs.index, help: IndexInputs.indexHelp, isList: false),
    requiredUsage: "--vectors FILE.npy",
    groups: [
      OptionGroup("Entries", [IndexInputs.vectors, IndexInputs.ids, IndexInputs.payloads])
    ],
    examples: [
      Example(
        "Add what is new.", "tally index add photos.index --vectors new.npy --payloads new.txt")
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
      "Removes the entries with these ids, all at once. An id that is not there gets an error line, "
        + "and the others are still removed. 'tally index compact' gives their room back."
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
    summary: "Write an index anew without what was removed or replaced",
    discussion: [
      "Writes the index anew without what was removed or replaced, and with a graph of all entries "
        + "where there are more than 50,000. It takes the place of the old one in one step; for a "
        + "while there must be room for both."
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
      "Copies each entry that is whole into a new index and leaves the damaged one as it is. Where a "
        + "removal is among what was damaged, its entry is there again."
    ],
    operands: Operands(
      metavar: IndexInputs.index, help: "The folder of the damaged index.", isList: false),
    requiredUsage: "--to DIR",
    groups: [OptionGroup("Output", [target])],
    examples: [
      Example("Save what there is.", "tally index salvage photos.index --to saved.index")
    ], changesStore: true)

  static let target = Option(
    "to", .path("DIR"), help: "The folder to make for the new index.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = arguments.operands[0]
    guard let to = arguments[target] else {
      throw UsageError("--to is missing (see '\(specification.invocation) --help')")
    }
    let salvage = try SimilaritySalvage(
      of: try IndexInputs.folder(path), into: URL(fileURLWithPath: to))
    try console.print(
      "\(PrintableText.of(to)): \(Sentence.count(salvage.saved, "entry", "entries")) saved, "
        + "\(salvage.lost) lost, "
        + Sentence.count(salvage.damagedRecords, "damaged record", "damaged records")
        + " passed over")
    return .success
  }
}
