import CommandKit
import CountCommands
import Foundation
import ImageFiles
import SimilarityIndex

/// `tally library find`: the known objects that photos look most like.
enum LibraryFindCommand: Command {
  static let specification = CommandSpecification(
    words: ["library", "find"],
    summary: "Find the objects of a library that are most similar to photos",
    discussion: [
      "Prints the entries of a library that are most similar to each photo, most similar first, "
        + "with the cosine of both vectors; 1 means equal. The embedder must be the one that the "
        + "library was made with."
    ],
    operands: Operands(
      metavar: "LIBRARY IMAGE",
      help: "\(LibraryInputs.libraryHelp), then photos' files.", isList: true),
    groups: [
      OptionGroup("Search", [top]),
      OptionGroup("Embedder", [CountOptions.embedder, CountOptions.embedderPreset]),
      OptionGroup(
        "Output", [StandardOptions.json, StandardOptions.quiet, StandardOptions.threads]),
    ],
    examples: [
      Example("What is this?", "tally library find things.library photo.jpg"),
      Example(
        "The most similar entry for each photo, as JSON.",
        "tally library find things.library photos/*.jpg --top 1 --json"),
    ])

  static let top = Option(
    "top", .integer("K", in: 1...1_000_000), help: "How many to find.", fallback: "5")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let (path, images) = try arguments.oneAndOthers(of: specification, named: "IMAGE")
    let library = try LibraryInputs.existing(path)
    let reader = try library.reader()
    let (embedder, identity) = try LoadedModels.identifiedEmbedder(arguments, console: console)
    try library.check(identity)
    let searcher = try reader.map { try IndexLikenessSearcher($0, embedder: embedder) }

    let loop = InputLoop(on: console, isQuiet: arguments[StandardOptions.quiet])
    return try await loop.forEach(images) { index, file in
      loop.show("searching", index, of: images)
      let image = try ImageFile.load(contentsOf: InputFile.existing(file))
      let found =
        try await searcher?.entries(like: image, maximumCount: arguments[top] ?? 5) ?? []
      loop.progress.erase()
      try console.print(
        arguments[StandardOptions.json]
          ? json(found, file).text : lines(found, file).joined(separator: "\n"))
    }
  }

  private static func json(
    _ found: [(entry: LikenessEntry, cosine: Float)], _ file: String
  ) -> JSONText {
    .object([
      ("image", .string(file)),
      (
        "matches",
        .array(
          found.map { .object(LibraryInputs.members($0.entry) + [("cosine", .float($0.cosine))]) })
      ),
    ])
  }

  private static func lines(
    _ found: [(entry: LikenessEntry, cosine: Float)], _ file: String
  ) -> [String] {
    let title =
      "\(PrintableText.of(file)): \(Sentence.count(found.count, "entry", "entries"))"
    guard !found.isEmpty else { return [title] }
    var table = TextTable([
      ("", .right), ("cosine", .right), ("id", .left), ("name", .left), ("file", .left),
    ])
    for (index, match) in found.enumerated() {
      table.add([
        "\(index + 1)", NumberText.fixed(Double(match.cosine), digits: 4),
        match.entry.id.uuidString.lowercased(), match.entry.record.name ?? "-",
        match.entry.record.file ?? "-",
      ])
    }
    return [title] + table.lines.map { "  \($0)" }
  }
}
