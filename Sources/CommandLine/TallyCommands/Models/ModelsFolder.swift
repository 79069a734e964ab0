import CommandKit
import Foundation
import ModelStore

/// The folder of models.
enum ModelsFolder {
  static let folder = Option(
    "folder", .path("DIR"), help: "Where models are kept.",
    fallback: "$\(ModelReference.variable), or tally/models in $XDG_DATA_HOME or ~/.local/share")

  // MARK: Downloads

  /// The options of a download.
  static var downloads: [any OptionDeclaration] { [idle, total, attempts] }

  static let idle = Option(
    "idle-timeout", .number("SECONDS", in: 0.1...3600),
    help: "Give up an attempt if no data comes for this time.", fallback: "30")
  static let total = Option(
    "timeout", .number("SECONDS", in: 0.1...86_400),
    help: "Give up if the whole download takes longer than this.", fallback: "3600")

  static let attempts = Option(
    "attempts", .integer("N", in: 1...100),
    help: "The number of attempts. Each continues where the last one stopped.", fallback: "5")

  /// The limits that a command line says.
  static func limits(_ arguments: ParsedArguments) -> FetchLimits {
    var limits = FetchLimits()
    limits.idleSeconds = arguments[idle] ?? limits.idleSeconds
    limits.totalSeconds = arguments[total] ?? limits.totalSeconds
    limits.attempts = arguments[attempts] ?? limits.attempts
    return limits
  }

  /// The manifests in a file or at an address.
  static func manifests(at place: String, limits: FetchLimits) async throws -> [ModelManifest] {
    do {
      if place.contains("://") {
        return try await ModelManifest.fetch(from: place, limits: limits)
      }
      return try ModelManifest.offered(json: Array(try JSONFile.data(place)))
    } catch ModelStoreError.invalidManifest(let field, let reason) {
      throw Failure.of(
        ModelStoreError.invalidManifest(field: field, reason: reason), at: shown(place))
    }
  }

  /// A file or an address as messages show it: without the part after `?`, which may be a key.
  static func shown(_ place: String) -> String {
    place.contains("://") ? String(place.prefix { $0 != "?" }) : place
  }

  // MARK: Naming

  /// The folder that a command line or the environment says.
  static func of(_ arguments: ParsedArguments, _ console: Console) throws(UsageError) -> ModelFolder
  {
    if let path = arguments[folder] { return ModelFolder(URL(fileURLWithPath: path)) }
    guard let models = ModelReference.usualFolder(console) else {
      throw UsageError(
        "there is no place for models: give --folder, or set \(ModelReference.variable), XDG_DATA_HOME or HOME"
      )
    }
    return models
  }

  /// A model as a line says it: `pp-ocrv4-det 4`.
  static func title(_ manifest: ModelManifest) -> String {
    "\(manifest.name) \(manifest.version)"
  }

  /// The members of a model in JSON, and where its file is.
  static func members(_ stored: StoredModel) -> [(String, JSONText)] {
    members(stored.manifest) + [("file", .string(stored.file.path))]
  }

  /// The members of a manifest in JSON.
  static func members(_ manifest: ModelManifest) -> [(String, JSONText)] {
    [
      ("name", .string(manifest.name)), ("version", .string(manifest.version)),
      ("sha256", .string(manifest.digest.description)), ("size", .integer(manifest.size)),
      ("task", .string(manifest.task)),
      ("licence", .optional(manifest.licence) { .string($0) }),
    ]
  }
}
