import Foundation
import ONNXRunner

/// Models as files.
enum ModelFile {
  /// The model at `path`, ready to run.
  ///
  /// - Throws: ``CommandError``, with the path in its text.
  static func session(_ path: String, threads: Int?) throws -> InferenceSession {
    let url = try InputFile.existing(path)
    do {
      return try InferenceSession(contentsOf: url, options: SessionOptions(threads: threads))
    } catch {
      throw Failure.of(error, at: path)
    }
  }
}
