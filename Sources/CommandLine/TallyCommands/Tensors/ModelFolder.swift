import Foundation

/// The folder of the models that do not come with the program.
///
/// A plain folder with the files in it by their own names: nothing else decides where a model is looked
/// for.
struct ModelFolder: Sendable {
  private let path: String

  /// The folder that is named, or the user's own.
  init(named path: String?) {
    self.path = path ?? Self.standard(ProcessInfo.processInfo.environment)
  }

  /// Where data of a user's programs goes by the XDG Base Directory Specification: `XDG_DATA_HOME`, or
  /// `.local/share` in the user's folder.
  ///
  /// A relative `XDG_DATA_HOME` counts as none, as the specification has it.
  static func standard(_ environment: [String: String]) -> String {
    let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
    return "\(data ?? "\(home)/.local/share")/tally/models"
  }

  /// The path of a model in the folder, which is there and not empty.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - source: where the model can be had, as the end of the sentence "it comes ...".
  /// - Throws: ``CommandError`` that says how to get it.
  func existing(_ name: String, from source: String) throws(CommandError) -> String {
    let file = "\(path.hasSuffix("/") ? String(path.dropLast()) : path)/\(name)"
    guard path.utf8.contains(0) || FileManager.default.fileExists(atPath: file) else {
      throw CommandError(
        .noInput, at: file,
        "this model is not here: it comes \(source); put it into this folder, or name the folder "
          + "that holds it with --models")
    }
    _ = try ModelFile.existing(file)
    return file
  }
}
