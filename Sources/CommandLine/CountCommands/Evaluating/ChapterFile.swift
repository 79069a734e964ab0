import CommandKit
import Foundation

/// A Markdown file with a part that a program makes.
///
/// The part is between two invisible lines; the text outside them belongs to a person and does not
/// change.
enum ChapterFile {
  /// The line before the part.
  static let begin = "<!-- made by tally evaluate counts: begin -->"
  /// The line after it.
  static let end = "<!-- made by tally evaluate counts: end -->"

  /// Writes the part.
  ///
  /// A file without the two lines gets them and the part at its end; a missing file is made.
  ///
  /// - Throws: ``CommandError`` if the file is not text, has only one of the two lines, or cannot
  ///   be written.
  static func write(_ lines: [String], to path: String) throws {
    try OutputFile.write(Data(text(with: lines, in: old(path), path).utf8), to: path)
  }

  /// Throws for a file that the part cannot be written to, before any work.
  static func check(_ path: String) throws {
    _ = try text(with: [], in: old(path), path)
  }

  private static func old(_ path: String) throws -> String {
    guard FileManager.default.fileExists(atPath: path) else { return "" }
    let data = try InputFile.bytes(path, atMost: InputFile.largestNote)
    guard let text = String(data: data, encoding: .utf8) else {
      throw CommandError(.badData, at: path, "is not text in UTF-8")
    }
    return text
  }

  private static func text(with lines: [String], in old: String, _ path: String) throws -> String {
    let part = ([begin] + lines + [end]).joined(separator: "\n")
    guard let start = old.range(of: begin) else {
      guard old.range(of: end) == nil else {
        throw CommandError(.badData, at: path, "has the line '\(end)' and not the one before it")
      }
      if old.isEmpty { return part + "\n" }
      return old + (old.hasSuffix("\n") ? "\n" : "\n\n") + part + "\n"
    }
    guard let stop = old.range(of: end, range: start.upperBound..<old.endIndex) else {
      throw CommandError(.badData, at: path, "has the line '\(begin)' and not the one after it")
    }
    return old.replacingCharacters(in: start.lowerBound..<stop.upperBound, with: part)
  }
}
