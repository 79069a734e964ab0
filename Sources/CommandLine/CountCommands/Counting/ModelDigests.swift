import CommandKit
import CountTemplates
import Counting
import Foundation
import ModelStore
import ReferenceModels

/// The identity of the models that a command line names, or of the bundled ones, by their bytes.
package enum ModelDigests {
  /// The SHA-256 of both files.
  ///
  /// - Throws: ``CommandError`` if one of them cannot be read.
  package static func of(
    _ arguments: ParsedArguments, console: Console
  ) throws -> CountTemplate.Models {
    CountTemplate.Models(
      detector: try digest(
        arguments[CountOptions.detector], else: BundledModels.detectorFile, console),
      embedder: try digest(
        arguments[CountOptions.embedder], else: BundledModels.embedderFile, console))
  }

  /// The word for the preparation of the embedder's pixels; nil if the model decides.
  static func embedderPreset(_ arguments: ParsedArguments) -> String? {
    guard let chosen = arguments[CountOptions.embedderPreset] else { return nil }
    return CountOptions.embedderPreset.kind.choices.first {
      CountOptions.embedderPreset.kind.parse($0) == chosen
    }
  }

  private static func digest(
    _ named: String?, else bundled: () throws -> URL, _ console: Console
  ) throws -> String {
    let file = try named.map { try ModelReference.file($0, console: console) } ?? bundled()
    do {
      return try SHA256Digest(contentsOf: file).description
    } catch {
      throw Failure.of(error, at: file.path)
    }
  }
}
