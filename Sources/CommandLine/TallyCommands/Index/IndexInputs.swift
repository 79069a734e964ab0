import CommandKit
import Foundation
import NearestNeighbors
import NumPyFiles
import SimilarityIndex

/// The files that vectors, ids and payloads come from, and what all commands of `tally index`
/// share.
enum IndexInputs {
  static let index = "INDEX"
  static let indexHelp = "The folder of an index."

  static let vectors = Option(
    "vectors", .path("FILE.npy"),
    help: "The vectors: a NumPy array of rows, as 'tally embed --output' writes it.")
  static let ids = Option(
    "ids", .path("FILE"),
    help: "The ids of the rows, one UUID per line. If an id is already in the index, its entry is "
      + "replaced.", fallback: "new random ones")
  static let payloads = Option(
    "payloads", .path("FILE"),
    help: "The payloads of the rows, one line of text per row: a name, or a JSON object.",
    fallback: "empty")

  /// The most rows that are handed on at once.
  private static let batch = 4096

  /// Rows of numbers, and what names them.
  struct Rows {
    let path: String
    let count: Int
    let dimension: Int
    let values: [Float]
  }

  /// The rows of a `.npy` file; an array of one axis is one row.
  static func rows(_ path: String) throws -> Rows {
    do {
      let array = try NumPyArray(contentsOf: InputFile.existing(path))
      guard (1...2).contains(array.shape.count), let dimension = array.shape.last else {
        throw CommandError(
          .badData, "an array of shape \(array.shape); it must have two axes, rows and columns")
      }
      guard dimension > 0 else {
        throw CommandError(.badData, "an array of shape \(array.shape); its rows have no values")
      }
      return Rows(
        path: path, count: array.shape.count == 1 ? 1 : array.shape[0], dimension: dimension,
        values: array.floats)
    } catch {
      throw Failure.of(error, at: path)
    }
  }

  /// Adds the rows that the options of a command name, and commits.
  static func add(
    _ rows: Rows, _ arguments: ParsedArguments, to writer: SimilarityWriter
  ) throws {
    let ids =
      try arguments[ids].map { try Self.ids($0, count: rows.count) }
      ?? (0..<rows.count).map { _ in UUID() }
    let payloads = try arguments[payloads].map { try lines($0, count: rows.count) } ?? []
    for start in stride(from: 0, to: rows.count, by: batch) {
      let range = start..<min(start + batch, rows.count)
      do {
        try writer.add(
          ids: Array(ids[range]),
          values: Array(
            rows.values[(range.lowerBound * rows.dimension)..<(range.upperBound * rows.dimension)]),
          payloads: payloads.isEmpty ? [] : Array(payloads[range]))
      } catch {
        throw located(error, rows.path, firstRow: start)
      }
    }
    try writer.commit()
  }

  /// An error, which names the row of a file where it is about one.
  static func located(_ error: any Error, _ path: String, firstRow: Int) -> any Error {
    guard case SimilarityIndexError.invalidVector(let index, let reason) = error else {
      return error
    }
    return CommandError(.badData, at: path, "row \(firstRow + index): \(reason)")
  }

  /// Checks what the options name before anything is made.
  static func checkLists(_ rows: Rows, _ arguments: ParsedArguments) throws {
    _ = try arguments[ids].map { try ids($0, count: rows.count) }
    _ = try arguments[payloads].map { try lines($0, count: rows.count) }
  }

  private static func ids(_ path: String, count: Int) throws -> [UUID] {
    try lines(path, count: count).enumerated().map { index, line in
      let text = String(decoding: line, as: UTF8.self)
      guard let id = UUID(uuidString: text.trimmingCharacters(in: .whitespaces)) else {
        throw CommandError(
          .badData, at: path, "line \(index + 1): '\(text.prefix(60))' is not a UUID")
      }
      return id
    }
  }

  /// The lines of a file, which must have the given number of lines.
  private static func lines(_ path: String, count: Int) throws(CommandError) -> [Data] {
    let data = try JSONFile.data(path)
    var lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // The last line ends too.
    if lines.last?.isEmpty == true { lines.removeLast() }
    guard lines.count == count else {
      throw CommandError(
        .badData, at: path,
        "\(Sentence.count(lines.count, "line", "lines")), and there are "
          + Sentence.count(count, "vector", "vectors"))
    }
    return lines.map { Data($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) }
  }

  /// The id that a text is.
  static func id(_ text: String, _ name: String) throws(UsageError) -> UUID {
    guard let id = UUID(uuidString: text) else {
      throw UsageError("\(name) is '\(text)'; it must be a UUID")
    }
    return id
  }

  /// The ids that operands are.
  static func ids(_ texts: [String]) throws(UsageError) -> [UUID] {
    try texts.map { text throws(UsageError) in try id(text, "ID") }
  }

  /// Removes entries, all at once; one that is not there gets an error line.
  static func remove(
    _ ids: [UUID], from writer: SimilarityWriter, at path: String, console: Console
  ) throws -> ExitCode {
    var code = ExitCode.success
    for id in ids where try !writer.remove(id: id) {
      console.report("\(path): there is no entry \(id.uuidString.lowercased())")
      code = .noInput
    }
    try writer.commit()
    return code
  }

  /// The folder of an index that is there.
  static func folder(_ path: String) throws(CommandError) -> URL {
    try InputFile.existingFolder(path)
  }

  /// The type of an index's vectors, in a few words.
  static func description(of layout: VectorLayout) -> String {
    "\(layout.dimension) \(layout.dimension == 1 ? "value" : "values") each, "
      + "\(layout.metric.word), \(layout.precision.rawValue)"
  }

  /// The content of an index, in one line.
  static func summary(_ path: String, _ count: Int, _ layout: VectorLayout) -> String {
    "\(PrintableText.of(path)): \(Sentence.count(count, "entry", "entries")), "
      + description(of: layout)
  }
}

extension VectorMetric {
  /// Its word in options and results.
  var word: String {
    switch self {
    case .cosine: "cosine"
    case .innerProduct: "inner-product"
    case .squaredEuclidean: "euclidean"
    }
  }
}
