import Foundation
import ONNXRunner

/// Models as files.
enum ModelFile {
  /// The model at `path`, or of that name in the store, ready to run.
  ///
  /// - Throws: ``CommandError``, with the path in its text.
  static func session(
    _ path: String, threads: Int?, precision: SessionOptions.Precision? = nil, console: Console
  ) throws -> InferenceSession {
    let url = try ModelReference.file(path, console: console)
    var options = SessionOptions(threads: threads)
    options.precision = precision ?? .float32
    do {
      return try InferenceSession(contentsOf: url, options: options)
    } catch {
      throw Failure.of(error, at: path)
    }
  }

  /// The file at `path`, which is there and not empty.
  static func existing(_ path: String) throws(CommandError) -> URL {
    let url = try InputFile.existing(path)
    var status = stat()
    guard stat(path, &status) != 0 || status.st_size > 0 else {
      throw CommandError(.badData, at: path, "this is empty; it must be an ONNX model")
    }
    return url
  }
}
