import CommandKit
import Foundation
import ONNXRunner

/// Models as files.
enum ModelFile {
  static let precision = Option(
    "precision",
    .choice("P", SessionOptions.Precision.allCases.map { (word: $0.rawValue, value: $0) }),
    help: "What products multiply: float32, bfloat16, or the fastest of the two here.",
    fallback: "float32")

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
}
