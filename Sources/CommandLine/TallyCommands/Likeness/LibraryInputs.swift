import CommandKit
import Foundation
import ModelStore
import SimilarityIndex

/// The common part of all commands of `tally library`.
enum LibraryInputs {
  static let libraryHelp = "The folder of a library"

  /// The library at a path, which is there.
  static func existing(_ path: String) throws -> LikenessLibrary {
    try LikenessLibrary(folder: try InputFile.existingFolder(path))
  }

  /// What tells the entries of the library at a path from others, as a number in hexadecimal
  /// digits.
  static func digest(of path: String) throws -> String {
    let ids = try existing(path).entries().map(\.id.uuidString).sorted()
    return SHA256Digest(of: Data(ids.joined().utf8)).description
  }

  /// The members of an entry that JSON shows.
  static func members(_ entry: LikenessEntry) -> [(String, JSONText)] {
    [
      ("id", .string(entry.id.uuidString.lowercased())),
      ("name", .optional(entry.record.name) { .string($0) }),
      ("file", .optional(entry.record.file) { .string($0) }),
    ]
  }

  /// The content of a library, in one line.
  static func summary(_ path: String, _ count: Int, _ library: LikenessLibrary) -> String {
    "\(PrintableText.of(path)): \(Sentence.count(count, "entry", "entries")), by "
      + PrintableText.of(library.embedder.name)
  }
}
