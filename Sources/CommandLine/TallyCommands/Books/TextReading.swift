import CommandKit
import Foundation
import ReferenceModels
import SpineHeuristics
import TextDecode

/// The options of all commands that read text, and the reader that they ask for.
enum TextReading {
  static let models = Option(
    "models", .path("DIR"),
    help: "A folder that holds the three models as "
      + Sentence.all(TextModels.all.map(\.file)) + ".",
    fallback: "those that 'tally models' keeps")

  static let correctWords = Flag(
    "correct-words",
    help: "Prefer readings that make known words, and find spaces that are lost between them. "
      + "The words are frequent ones and names, most of them English. A rare word or name can "
      + "become a known one.")

  /// The files of the models, by their names.
  static func modelFiles(
    _ arguments: ParsedArguments, console: Console
  ) throws -> [(name: String, file: URL)] {
    let files = try TextModels.files(in: arguments[models], console: console)
    return zip(TextModels.all, files).map { ($0.model, URL(fileURLWithPath: $1)) }
  }

  /// With the models that are named or kept, for lines that are read with at least a confidence.
  ///
  /// - Throws: ``CommandError`` if one is missing, which says how to get it, or no such model.
  static func reader(
    _ arguments: ParsedArguments, minimumConfidence: Double?, console: Console
  ) throws -> TextReader {
    var configuration = TextReaderConfiguration.rapidOCR
    if let minimumConfidence { configuration.minimumConfidence = Float(minimumConfidence) }
    configuration.bothTurnsBelow = TextReaderConfiguration.spines.bothTurnsBelow
    if arguments[correctWords] {
      configuration.beamSearch = CTCBeamConfiguration(
        lexicon: WordLexicon(Lexicon.readableWords()))
    }
    // All are looked for before any is loaded.
    let files = try TextModels.files(in: arguments[models], console: console)
    let sessions = try files.map {
      try ModelFile.session(
        $0, threads: arguments[StandardOptions.threads], console: console)
    }
    do {
      return try TextReader(
        detector: sessions[0], orientation: sessions[1], recognizer: sessions[2],
        configuration: configuration)
    } catch {
      throw Failure.of(error)
    }
  }
}
