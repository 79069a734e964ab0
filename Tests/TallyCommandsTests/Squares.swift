import Foundation
import TestSupport

/// The small photo and models that `Fixtures/generate/tally_commands.py` makes: 12 white and 5 yellow
/// squares, a detector that sees bright cells, an embedder that tells colours apart.
enum Squares {
  static let folder = Folders.goldens.appendingPathComponent("TallyCommands")
  static let png = folder.appendingPathComponent("squares.png").path
  static let jpeg = folder.appendingPathComponent("squares.jpg").path
  static let detector = folder.appendingPathComponent("detector.onnx").path
  static let embedder = folder.appendingPathComponent("embedder.onnx").path

  /// The options that name both models.
  static let models = ["--detector", detector, "--embedder", embedder]

  /// `tally count` with both models and the standard set, unless arguments name one or a file: the
  /// detector sees bright cells, not things, so that there is nothing in looking closely.
  static func count(_ arguments: String..., isWatched: Bool = false) async -> CommandRun {
    let namesSet = arguments.contains("--set") || arguments.contains("--config")
    let set = namesSet ? [] : ["--set", "standard"]
    return await tally(["count"] + arguments + set + models, isWatched: isWatched)
  }
}
