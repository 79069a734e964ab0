import CommandKit
import Foundation
import ImageFiles
import Raster

/// A folder with a picture of each count that is clearly wrong, and a Markdown file that lists
/// them.
struct FailureFolder {
  /// The list's name.
  static let list = "failures.md"

  private let folder: URL
  /// The name of each photo's picture, by the photo's title.
  private let names: [String: String]
  private var failures: [EvaluatedPhoto] = []

  /// Makes the folder.
  ///
  /// - Throws: ``UsageError`` if it is one of the folders with photos, which would be overwritten;
  ///   ``CommandError`` if it cannot be made.
  init(_ path: String, for truth: TruthFolder, in folders: [String]) throws {
    func place(_ path: String) -> String {
      URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
    if let same = folders.first(where: { place($0) == place(path) }) {
      throw UsageError("--failures is '\(path)', the folder of photos '\(same)'; name another one")
    }
    try OutputFolder.make(path)
    folder = URL(fileURLWithPath: path)
    let titles = truth.photos.map(\.title)
    let stems = titles.map {
      ($0 as NSString).deletingPathExtension.replacingOccurrences(of: "/", with: "-")
    }
    names = Dictionary(
      zip(titles, SafeFileName.unique(for: stems).map { "\($0).png" }),
      uniquingKeysWith: { first, _ in first })
  }

  /// Writes the picture of a photo if its count is clearly wrong.
  ///
  /// - Parameter picture: draws it.
  mutating func add(_ photo: EvaluatedPhoto, picture: () throws -> Raster) throws {
    guard photo.isFailure, let name = names[photo.truth.title] else { return }
    try ImageFile.write(picture(), to: folder.appendingPathComponent(name))
    failures.append(photo)
  }

  /// The failures in Markdown, each with its picture, three per row.
  ///
  /// - Parameter path: the path of the pictures relative to the file with the list; empty for its
  ///   own folder.
  func lines(at path: String = "") -> [String] {
    let prefix = path.isEmpty ? "" : path.hasSuffix("/") ? path : "\(path)/"
    let columns = 3
    let rows = stride(from: 0, to: failures.count, by: columns).map { start -> [String] in
      let row = failures[start..<min(start + columns, failures.count)].map { photo in
        "![\(Markdown.cell(photo.truth.title))](\(prefix)\(names[photo.truth.title] ?? ""))<br>"
          + Markdown.sentence(of: photo)
      }
      return row + Array(repeating: "", count: columns - row.count)
    }
    guard !rows.isEmpty else { return [] }
    return [""] + Markdown.table(Array(repeating: " ", count: columns), rows)
  }

  /// Writes the list.
  ///
  /// - Throws: ``CommandError``.
  func finish() throws {
    let title = Sentence.count(failures.count, "count", "counts")
    let lines =
      [
        "# \(title) with an accuracy below 0.9", "",
        "What was counted is green, other kinds are blue, boxes on no object orange, missed objects red.",
      ] + lines()
    try OutputFile.write(
      Data((lines.joined(separator: "\n") + "\n").utf8),
      to: folder.appendingPathComponent(Self.list).path)
  }

  /// The relative path of the folder from a file if there is one; otherwise the folder's own path.
  func path(from file: String) -> String {
    let start = URL(fileURLWithPath: file).deletingLastPathComponent().standardizedFileURL
      .pathComponents
    let end = folder.standardizedFileURL.pathComponents
    let shared = zip(start, end).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: start.count - shared)
    return (up + end.dropFirst(shared)).joined(separator: "/")
  }
}

/// Text in the form of Markdown.
enum Markdown {
  /// Text for a cell of a table or the words of a link.
  static func cell(_ text: String) -> String {
    var result = ""
    for character in PrintableText.of(text) {
      if "\\`*_[]<>|#".contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }

  /// A table; every cell is Markdown already.
  static func table(_ titles: [String], _ rows: [[String]]) -> [String] {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    return [line(titles), "|" + titles.map { _ in "---" }.joined(separator: "|") + "|"]
      + rows.map(line)
  }

  /// The count and the truth, in a sentence.
  static func sentence(of photo: EvaluatedPhoto) -> String {
    var text = "\(cell(photo.truth.title)): \(photo.result.count) counted"
    if let interval = photo.interval {
      text += " (\(interval.lowerBound) to \(interval.upperBound))"
    }
    text += " of \(photo.truth.main)"
    if photo.truth.tolerance > 0 { text += " ± \(photo.truth.tolerance)" }
    let mistakes = photo.mistakesInWords
    return mistakes.isEmpty ? "\(text)." : "\(text); \(mistakes)."
  }
}
