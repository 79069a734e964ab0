import CommandKit
import CountReport
import Foundation

/// Files of what a person changed about a count.
enum CorrectionFile {
  /// The correction in the file at a path.
  ///
  /// - Throws: ``CommandError`` if the file is not there, or holds none.
  static func read(_ path: String) throws(CommandError) -> CountCorrection {
    let data = try InputFile.bytes(path, atMost: InputFile.largestNote)
    do {
      return try CountCorrection(json: data)
    } catch {
      throw CommandError(.badData, at: path, "\(error)")
    }
  }
}
