import CommandKit
import Foundation
import SimilarityIndex

/// `tally index stats`: what an index holds.
enum IndexStatsCommand: Command {
  static let specification = CommandSpecification(
    words: ["index", "stats"],
    summary: "Print statistics of an index, and check its files",
    discussion: [
      "Prints the number of entries, the dimension, metric and precision of the vectors, the size "
        + "in bytes, the share of removed data, and the recall of the graph, if there is one. With "
        + "--verify it checks every committed byte, and fails at the first damage.",
      "If an interrupted write left changes that were never committed, a line on standard error "
        + "says so.",
    ],
    operands: Operands(metavar: IndexInputs.index, help: IndexInputs.indexHelp, isList: false),
    groups: [
      OptionGroup("What to check", [verify]), OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example("What is in it?", "tally index stats photos.index"),
      Example("Is it undamaged?", "tally index stats photos.index --verify"),
    ])

  static let verify = Flag("verify", help: "Check every vector, every payload and the graph.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = arguments.operands[0]
    let reader = try SimilarityReader(folder: try IndexInputs.folder(path))
    if arguments[verify] { try reader.verify() }
    let statistics = reader.statistics
    try console.print(
      arguments[StandardOptions.json]
        ? json(statistics).text : lines(statistics, path).joined(separator: "\n"))
    if statistics.uncommittedBytes > 0 {
      console.note(
        "warning: \(path): the log ends with \(statistics.uncommittedBytes) bytes of changes that "
          + "were never committed; a command is writing now, or one was interrupted, and then the "
          + "next change of the index deletes them")
    }
    return .success
  }

  private static func lines(_ statistics: SimilarityStatistics, _ path: String) -> [String] {
    var report = ReportText()
    report.add("values each", "\(statistics.dimension)")
    report.add("metric", statistics.metric.word)
    report.add("precision", statistics.precision.rawValue)
    report.add("bytes", "\(statistics.bytes)")
    report.add("dead", "\(NumberText.fixed(100 * statistics.deadShare, digits: 1)) %")
    report.add("commit", "\(statistics.commit)")
    if statistics.uncommittedBytes > 0 {
      report.add("uncommitted", "\(statistics.uncommittedBytes) bytes of the log")
    }
    if let graph = statistics.graph {
      report.add(
        "graph",
        "of \(graph.rows) rows, \(graph.bytes) bytes; it found "
          + "\(NumberText.fixed(100 * graph.recall, digits: 1)) % of the ten nearest of "
          + Sentence.count(graph.queries, "entry", "entries"))
    }
    report.add("search", statistics.isApproximate ? "through the graph" : "exact")
    let entries = Sentence.count(statistics.entries, "entry", "entries")
    return ["\(PrintableText.of(path)): \(entries)"] + report.lines
  }

  private static func json(_ statistics: SimilarityStatistics) -> JSONText {
    .object([
      ("entries", .integer(statistics.entries)), ("dimension", .integer(statistics.dimension)),
      ("metric", .string(statistics.metric.word)),
      ("precision", .string(statistics.precision.rawValue)),
      ("bytes", .integer(statistics.bytes)), ("vectorBytes", .integer(statistics.vectorBytes)),
      ("payloadBytes", .integer(statistics.payloadBytes)),
      ("deadShare", .double(statistics.deadShare)), ("commit", .integer(Int(statistics.commit))),
      ("uncommittedBytes", .integer(statistics.uncommittedBytes)),
      (
        "graph",
        .optional(statistics.graph) { graph in
          .object([
            ("rows", .integer(graph.rows)), ("bytes", .integer(graph.bytes)),
            ("recallAt10", .double(graph.recall)), ("queries", .integer(graph.queries)),
          ])
        }
      ),
      ("approximate", .bool(statistics.isApproximate)),
    ])
  }
}

/// `tally index export`: the entries for other programs.
enum IndexExportCommand: Command {
  static let specification = CommandSpecification(
    words: ["index", "export"],
    summary: "Print an index as SQL for PostgreSQL with pgvector, or as CSV",
    discussion: [
      "Prints all entries, in the order they were added. The format pgvector is one file for psql: "
        + "the table, its rows, and the search as a prepared statement, tally_search.",
      "Vectors are printed as they are stored: in the precision of the index and, for the cosine "
        + "metric, of length 1. If not all payloads are text, they are printed as bytes: \\x and "
        + "hexadecimal digits.",
    ],
    operands: Operands(metavar: IndexInputs.index, help: IndexInputs.indexHelp, isList: false),
    requiredUsage: "--format FORM",
    groups: [OptionGroup("Output", [format])],
    examples: [
      Example(
        "Move an index into a database.",
        "tally index export photos.index --format pgvector > photos.sql"),
      Example(
        "Look at it as a table.", "tally index export photos.index --format csv > photos.csv"),
    ])

  static let format = Option(
    "format",
    .choice("FORM", SimilarityExport.Format.allCases.map { (word: $0.rawValue, value: $0) }),
    help: "pgvector or csv.")

  /// The amount of text that is printed at once.
  private static let chunk = 1 << 16

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = arguments.operands[0]
    guard let format = arguments[format] else {
      throw UsageError("--format is missing (see '\(specification.invocation) --help')")
    }
    let reader = try SimilarityReader(folder: try IndexInputs.folder(path))
    // Half an export is useless, and would look like a whole one.
    try reader.verify()
    var waiting = ""
    try SimilarityExport(reader).write(format) { text in
      waiting += text
      if waiting.utf8.count >= chunk {
        try console.output.write(waiting)
        waiting = ""
      }
    }
    try console.output.write(waiting)
    return .success
  }
}
