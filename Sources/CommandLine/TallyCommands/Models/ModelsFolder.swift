import CommandKit
import Foundation
import ModelStore

/// The folder of models.
enum ModelsFolder {
  static let folder = Option(
    "folder", .path("DIR"), help: "Where models are kept.",
    fallback: "$\(ModelReference.variable), or tally/models in $XDG_DATA_HOME or ~/.local/share")

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
