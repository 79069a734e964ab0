import CommandKit
import Foundation
import ModelStore

/// `tally models check`: whether kept models have newer versions.
enum ModelsCheckCommand: Command {
  static let specification = CommandSpecification(
    words: ["models", "check"],
    summary: "Check whether a manifest has newer versions of kept models",
    discussion: [
      "Reads a manifest, or an array of them, and compares each with the version in use. Models "
        + "that are not kept are passed over. Nothing else is downloaded: 'tally models fetch "
        + "--manifest URL' takes a newer version.",
      "The order is that of semantic versioning: 1.9 is older than 1.10, and 2.0-rc.1 is older "
        + "than 2.0.",
    ],
    operands: Operands(
      metavar: "FILE|URL", help: "The file or address of the manifest.", isList: false),
    groups: [
      OptionGroup("Models", [ModelsFolder.folder]),
      OptionGroup("Downloads", ModelsFolder.downloads),
      OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example(
        "Is there a newer version?", "tally models check https://example.org/shelf-detector.json")
    ])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let models = try ModelsFolder.of(arguments, console)
    let place = arguments.operands[0]
    let offered = try await ModelsFolder.manifests(
      at: place, limits: ModelsFolder.limits(arguments))
    let kept = Set(try models.list().map(\.name))
    let updates = try offered.filter { kept.contains($0.name) }.map { try models.check($0) }
    guard !updates.isEmpty else {
      throw CommandError(
        .noInput, at: ModelsFolder.shown(place),
        offered.isEmpty
          ? "the list is empty"
          : "none of these models is kept: \(Sentence.all(offered.map(\.name)))")
    }
    for update in updates {
      try console.print(
        arguments[StandardOptions.json] ? json(of: update).text : text(of: update))
    }
    return .success
  }

  private static func text(of update: ModelUpdate) -> String {
    let version = "version \(update.offered.version)"
    let finding =
      switch update.kind {
      case .newer:
        "\(version) is newer, \(update.offered.size) bytes, SHA-256 \(update.offered.digest)"
          + (update.isKept ? ", and is kept" : "")
      case .same: "up to date"
      case .older: "\(version) is older"
      case .changed: "the same version is there with another content, which is not allowed"
      case .unordered: "\(version) is there, and no order says which is newer"
      }
    return "\(ModelsFolder.title(update.current)): \(finding)"
  }

  private static func json(of update: ModelUpdate) -> JSONText {
    .object([
      ("name", .string(update.current.name)), ("version", .string(update.current.version)),
      ("state", .string(update.kind.rawValue)), ("kept", .bool(update.isKept)),
      ("offered", .object(ModelsFolder.members(update.offered))),
    ])
  }
}
