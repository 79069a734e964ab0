import CommandKit
import CountCommands
import Foundation
import ImageFiles
import SimilarityIndex

/// `tally library add`: photos of known objects.
enum LibraryAddCommand: Command {
  static let specification = CommandSpecification(
    words: ["library", "add"],
    summary: "Add photos of known objects to a library",
    discussion: [
      "Stores the embedder's vector of each photo, the name of the object and the path of the "
        + "photo in the folder LIBRARY, which is created if it does not exist. If the command is "
        + "stopped, nothing is added. The photos themselves are not stored.",
      "A library belongs to one embedder. Vectors of another embedder are refused, because they "
        + "cannot be compared.",
    ],
    operands: Operands(
      metavar: "LIBRARY IMAGE",
      help: "\(LibraryInputs.libraryHelp), then photos' files.", isList: true),
    groups: [
      OptionGroup("Entries", [name]),
      OptionGroup("Embedder", [CountOptions.embedder, CountOptions.embedderPreset]),
      OptionGroup(
        "Output", [StandardOptions.json, StandardOptions.quiet, StandardOptions.threads]),
    ],
    examples: [
      Example(
        "Several photos of one object.",
        "tally library add things.library tea-1.jpg tea-2.jpg --name 'green tea'"),
      Example("Files named after the objects.", "tally library add things.library *.jpg"),
    ], changesStore: true)

  static let name = Option(
    "name", .path("NAME"), help: "What the photos show.",
    fallback: "each file's name without its extension")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let (path, images) = try arguments.oneAndOthers(of: specification, named: "IMAGE")
    let folder = URL(fileURLWithPath: path)
    let (embedder, identity) = try LoadedModels.identifiedEmbedder(arguments, console: console)
    // What cannot be added to is found before photos are looked at.
    if try isThere(path) { try LikenessLibrary(folder: folder).check(identity) }

    var entries: [LikenessEntry] = []
    var vectors: [Float] = []
    let loop = InputLoop(on: console, isQuiet: arguments[StandardOptions.quiet])
    let code = try await loop.forEach(images) { index, file in
      loop.show("embedding", index, of: images)
      let image = try ImageFile.load(contentsOf: InputFile.existing(file))
      vectors += Array(try await embedder.embeddings(of: [image])[row: 0])
      let own = ((file as NSString).lastPathComponent as NSString).deletingPathExtension
      entries.append(
        LikenessEntry(
          id: UUID(), record: LikenessRecord(name: arguments[name] ?? own, file: file)))
    }
    guard !entries.isEmpty else { return code }

    let library = try LikenessLibrary(openingOrCreating: folder, embedder: identity)
    let writer = try library.writer()
    try writer.add(
      ids: entries.map(\.id), values: vectors, payloads: entries.map(\.record.payload))
    try writer.commit()
    if arguments[StandardOptions.json] {
      for entry in entries {
        try console.print(JSONText.object(LibraryInputs.members(entry)).text)
      }
    } else {
      try console.print(LibraryInputs.summary(path, writer.count, library))
    }
    return code
  }

  /// Whether a library is to be opened rather than made: there is anything but an empty folder.
  private static func isThere(_ path: String) throws -> Bool {
    guard !path.utf8.contains(0) else {
      throw CommandError(.noInput, at: path, "no path holds a zero byte")
    }
    guard FileManager.default.fileExists(atPath: path) else { return false }
    return try !FileManager.default.contentsOfDirectory(
      atPath: InputFile.existingFolder(path).path
    ).isEmpty
  }
}
