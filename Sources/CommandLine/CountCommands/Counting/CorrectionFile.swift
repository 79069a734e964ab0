import CommandKit
import CountReport
import Foundation

/// Files of a person's changes to a count.
enum CorrectionFile {
  /// The correction in the file at a path.
  ///
  /// - Throws: ``CommandError`` if the file does not exist, or is not a correction.
  static func read(_ path: String) throws(CommandError) -> CountCorrection {
    let data = try InputFile.bytes(path, atMost: InputFile.largestNote)
    try JSONFile.check(data, path)
    do {
      return try CountCorrection(json: data)
    } catch {
      throw CommandError(.badData, at: path, "\(error)")
    }
  }
}
