import CommandKit
import Foundation
import NearestNeighbors
import SimilarityIndex

/// `tally index build`: a new index of the rows of a NumPy file.
enum IndexBuildCommand: Command {
  static let specification = CommandSpecification(
    words: ["index", "build"],
    summary: "Create an index of vectors, to search for the nearest ones",
    discussion: [
      "Creates the folder INDEX and stores in it each row of the array with an id and a payload. "
        + "With more than 50,000 entries it also builds a graph. Searches with it are fast, but "
        + "may miss an entry now and then."
    ],
    operands: Operands(
      metavar: IndexInputs.index, help: "The folder to create.", isList: false),
    requiredUsage: "--vectors FILE.npy",
    groups: [
      OptionGroup("Entries", [IndexInputs.vectors, IndexInputs.ids, IndexInputs.payloads]),
      OptionGroup("Index", [metric, precision]),
    ],
    examples: [
      Example(
        "Index what 'tally embed photos/*.jpg --output photos.npy' wrote, after 'ls photos/*.jpg > "
          + "names.txt'.",
        "tally index build photos.index --vectors photos.npy --payloads names.txt"),
      Example(
        "Use a quarter of the space.",
        "tally index build small.index --vectors photos.npy --precision int8"),
    ], changesStore: true)

  static let metric = Option(
    "metric", .choice("M", VectorMetric.allCases.map { (word: $0.word, value: $0) }),
    help: "The distance of two vectors: 1 - cosine; the negative inner product; or the squared "
      + "Euclidean distance.", fallback: "cosine")
  static let precision = Option(
    "precision",
    .choice("P", VectorPrecision.allCases.map { (word: $0.rawValue, value: $0) }),
    help: "The number type of stored values, with 4, 2 or 1 bytes.", fallback: "float32")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = arguments.operands[0]
    guard let vectors = arguments[IndexInputs.vectors] else {
      throw UsageError("--vectors is missing (see '\(specification.invocation) --help')")
    }
    let rows = try IndexInputs.rows(vectors)
    try IndexInputs.checkLists(rows, arguments)
    let folder = URL(fileURLWithPath: path)
    let writer = try SimilarityWriter(
      creating: folder, dimension: rows.dimension, metric: arguments[metric] ?? .cosine,
      precision: arguments[precision] ?? .float32)
    do {
      try IndexInputs.add(rows, arguments, to: writer)
    } catch {
      // It was not there before.
      writer.close()
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
    try console.print(IndexInputs.summary(path, writer.count, writer.layout))
    return .success
  }
}
