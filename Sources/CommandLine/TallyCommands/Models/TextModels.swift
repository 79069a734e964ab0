import CommandKit
import Foundation
import ModelStore
import ReferenceModels

/// The three models that read text.
enum TextModels {
  /// What one of them is called as a file and in the catalogue.
  struct Names {
    let file: String
    let model: String
  }

  /// In the order in which they work.
  static let all = [
    Names(file: TextModelFiles.names.detector, model: "pp-ocrv4-det"),
    Names(file: TextModelFiles.names.orientation, model: "ppocr-orientation"),
    Names(file: TextModelFiles.names.recognizer, model: "pp-ocrv4-rec"),
  ]

  /// The command that fetches them.
  static let fetching = "tally models fetch " + all.map(\.model).joined(separator: " ")

  /// Their files' paths: by their own names in a folder that is named, and else those in use in the
  /// store, whose SHA-256 was just compared.
  ///
  /// - Throws: ``CommandError`` that says how to get what is missing.
  static func files(in folder: String?, console: Console) throws(CommandError) -> [String] {
    var files: [String] = []
    for names in all {
      if let folder {
        let path = "\(folder.hasSuffix("/") ? String(folder.dropLast()) : folder)/\(names.file)"
        guard path.utf8.contains(0) || FileManager.default.fileExists(atPath: path) else {
          throw CommandError(
            .noInput, at: path,
            "this model is not here; '\(fetching)' fetches all three, to be used without --models")
        }
        _ = try ModelReference.existing(path)
        files.append(path)
      } else {
        files.append(try stored(names.model, console: console))
      }
    }
    return files
  }

  /// The first of them that no version of is in the store; nil if all are there.
  static func missing(console: Console) -> String? {
    let models = ModelReference.usualFolder(console)
    return all.map(\.model).first { name in
      guard let models else { return true }
      do throws(ModelStoreError) {
        _ = try models.model(name)
        return false
      } catch {
        if case .noModel = error { return true }
        return false
      }
    }
  }

  private static func stored(_ name: String, console: Console) throws(CommandError) -> String {
    guard let models = ModelReference.usualFolder(console) else {
      throw CommandError(
        .noInput, "no folder of models: name one with --models, or set \(ModelReference.variable)")
    }
    do {
      return try models.verified(name).file.path
    } catch .noModel {
      throw CommandError(
        .noInput,
        "the model \(name) is not in \(models.url.path); '\(fetching)' fetches all three")
    } catch {
      throw Failure.of(error)
    }
  }
}
