import Foundation
import ModelStore

/// What stands for a model on a command line: a file, or a name in the store.
enum ModelReference {
  /// The file at a path where there is anything, and else the one of a model in the store, `NAME` or
  /// `NAME@VERSION`, whose SHA-256 was just compared.
  ///
  /// - Throws: ``CommandError``; for what is neither, that there is no such file.
  static func file(_ text: String, console: Console) throws(CommandError) -> URL {
    var status = stat()
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard lstat(text, &status) != 0, errno == ENOENT, parts.count <= 2,
      parts.allSatisfy(ModelManifest.isName), let models = ModelsFolder.usual(console)
    else { return try ModelFile.existing(text) }
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
}
