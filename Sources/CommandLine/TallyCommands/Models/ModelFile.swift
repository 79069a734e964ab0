import CommandKit
import Foundation
import ONNXRunner

/// Models as files.
enum ModelFile {
  static let precision = Option(
    "precision",
    .choice("P", SessionOptions.Precision.allCases.map { (word: $0.rawValue, value: $0) }),
    help: "The number type of products: float32, bfloat16, or the faster one on this machine.",
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

  /// What the file at `path`, or the model of that name in the store, holds, and the model made of
  /// it or why there is none.
  ///
  /// - Throws: ``CommandError``, with the path in its text, if the file, or one with its weights,
  ///   cannot be read or is damaged.
  static func inspected(
    _ path: String, console: Console
  ) throws -> (summary: ModelSummary, session: Result<InferenceSession, ModelError>) {
    let url = try ModelReference.file(path, console: console)
    do {
      let summary = try ModelSummary(contentsOf: url)
      do {
        let session = try InferenceSession(contentsOf: url, options: SessionOptions(threads: 1))
        return (summary, .success(session))
      } catch let error as ModelError where error.isAboutAWholeFile {
        return (summary, .failure(error))
      }
    } catch {
      throw Failure.of(error, at: path)
    }
  }
}

extension ModelError {
  /// Whether the file is whole, and cannot be run for what it says.
  fileprivate var isAboutAWholeFile: Bool {
    switch self {
    case .missingOperators, .unsupported, .unsupportedOpset, .invalidGraph, .invalidNode,
      .memoryLimit:
      true
    default: false
    }
  }
}
