import Foundation
import ModelStore

/// A model on a command line: a file, or a name in the store.
package enum ModelReference {
  /// The variable for the folder of models.
  package static let variable = "TALLY_MODEL_STORE"

  /// The file at a path if it exists, and else that of a model in the store, `NAME` or
  /// `NAME@VERSION`.
  ///
  /// The SHA-256 of a model in the store is checked.
  ///
  /// - Throws: ``CommandError``; if it is neither, the error is about a missing file.
  package static func file(_ text: String, console: Console) throws(CommandError) -> URL {
    var status = stat()
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard lstat(text, &status) != 0, errno == ENOENT, parts.count <= 2,
      parts.allSatisfy(ModelManifest.isName), let models = usualFolder(console)
    else { return try existing(text) }
    do {
      return try models.verified(parts[0], version: parts.count > 1 ? parts[1] : nil).file
    } catch .noModel {
      let isKnown = (try? ModelCatalogue.model(parts[0])) ?? nil != nil
      throw CommandError(
        .noInput, at: text,
        "there is no such file, and no such model in \(models.url.path)"
          + (isKnown ? "; 'tally models fetch \(parts[0])' fetches it" : ""))
    } catch {
      throw Failure.of(error)
    }
  }

  /// The folder of models from the environment, or nil.
  package static func usualFolder(_ console: Console) -> ModelFolder? {
    if let path = console.environment[variable], !path.isEmpty {
      return ModelFolder(URL(fileURLWithPath: path))
    }
    return ModelFolder.usual(environment: console.environment)
  }

  /// The file at `path`, which must exist and not be empty.
  package static func existing(_ path: String) throws(CommandError) -> URL {
    let url = try InputFile.existing(path)
    var status = stat()
    guard stat(path, &status) != 0 || status.st_size > 0 else {
      throw CommandError(.badData, at: path, "this is empty; it must be an ONNX model")
    }
    return url
  }
}
