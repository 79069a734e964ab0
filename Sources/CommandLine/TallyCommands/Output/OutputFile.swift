import Foundation

/// Files of results.
enum OutputFile {
  /// Writes a whole file, or none.
  ///
  /// - Throws: ``CommandError``.
  static func write(_ data: Data, to path: String) throws {
    do {
      try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw CommandError(
        .inputOutput, at: path, "cannot be written: \(error.localizedDescription)")
    }
  }
}
