import CommandKit
import Foundation
import SimilarityIndex

/// `tally index search`: the entries most like a query.
enum IndexSearchCommand: Command {
  static let specification = CommandSpecification(
    words: ["index", "search"],
    summary: "Find the entries of an index that are nearest to a query",
    discussion: [
      "Prints the entries nearest to each row of the array, or to an entry of the index, nearest "
        + "first. With the cosine metric the distance is 1 - cosine, 0 to 2. With the inner "
        + "product it is the negative inner product. Otherwise it is the squared Euclidean "
        + "distance.",
      "Up to 50,000 entries the search is exact. With more entries it uses the graph, if there is "
        + "one; 'tally index stats' prints its recall.",
    ],
    operands: Operands(metavar: IndexInputs.index, help: IndexInputs.indexHelp, isList: false),
    requiredUsage: "(--vectors FILE.npy | --id UUID)",
    groups: [
      OptionGroup("Query (one of the two)", [vectors, id]),
      OptionGroup("Search", [top, exact]), OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example(
        "Which photos are similar to that of 'tally embed new.jpg --output new.npy'?",
        "tally index search photos.index --vectors new.npy"),
      Example(
        "Which entries are nearest to another one?",
        "tally index search photos.index --id 6f1c2d1e-0a3b-4c5d-8e9f-001122334455"),
    ])

  static let vectors = Option(
    "vectors", .path("FILE.npy"), help: "A NumPy array of rows, each of them a query.")
  static let id = Option(
    "id", .path("UUID"), help: "An entry of the index. The entry itself is not in the results.")
  static let top = Option(
    "top", .integer("K", in: 1...1_000_000), help: "How many to find.", fallback: "10")
  static let exact = Flag("exact", help: "Compare with all entries, however many there are.")

  /// A query and its results.
  private struct Answer {
    let label: JSONText
    let title: String
    let matches: [SimilarityMatch]
  }

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = arguments.operands[0]
    guard arguments.has(vectors) != arguments.has(id) else {
      let number = arguments.has(id) ? "both are" : "none is"
      throw UsageError(
        "one of --vectors and --id is needed, and \(number) given "
          + "(see '\(specification.invocation) --help')")
    }
    let wanted = try arguments[id].map { text throws(UsageError) in
      try IndexInputs.id(text, "--id")
    }
    let reader = try SimilarityReader(
      folder: try IndexInputs.folder(path),
      options: arguments[exact] ? .exact : .standard)
    let count = arguments[top] ?? 10
    if let wanted {
      let label = wanted.uuidString.lowercased()
      guard let entry = try reader.entry(wanted) else {
        throw CommandError(.noInput, at: path, "there is no entry \(label)")
      }
      let matches = try reader.search(try entry.vector(), k: count) { $0.id != wanted }
      try print(
        Answer(label: .string(label), title: label, matches: matches), arguments, console)
    } else if let file = arguments[vectors] {
      try search(reader, file, count) { try print($0, arguments, console) }
    }
    return .success
  }

  private static func search(
    _ reader: SimilarityReader, _ file: String, _ count: Int, _ body: (Answer) throws -> Void
  ) throws {
    let rows = try IndexInputs.rows(file)
    let dimension = reader.layout.dimension
    guard rows.dimension == dimension else {
      throw CommandError(
        .badData, at: file,
        "rows of \(rows.dimension) values; this index has vectors of \(dimension)")
    }
    for row in 0..<rows.count {
      let query = Array(rows.values[(row * dimension)..<((row + 1) * dimension)])
      do {
        try body(
          Answer(
            label: .integer(row), title: "query \(row)",
            matches: try reader.search(query, k: count)))
      } catch {
        throw IndexInputs.located(error, file, firstRow: row)
      }
    }
  }

  private static func print(
    _ answer: Answer, _ arguments: ParsedArguments, _ console: Console
  ) throws {
    guard arguments[StandardOptions.json] else {
      var table = TextTable([
        ("", .right), ("distance", .right), ("id", .left), ("payload", .left),
      ])
      for (index, match) in answer.matches.enumerated() {
        table.add([
          "\(index + 1)", NumberText.fixed(Double(match.distance), digits: 6),
          match.id.uuidString.lowercased(), match.text ?? "\(match.payload.count) bytes",
        ])
      }
      let found = Sentence.count(answer.matches.count, "entry", "entries")
      try console.print(
        (["\(answer.title): \(found)"]
          + (answer.matches.isEmpty ? [] : table.lines.map { "  \($0)" }))
          .joined(separator: "\n"))
      return
    }
    try console.print(
      JSONText.object([
        ("query", answer.label),
        (
          "results",
          .array(
            answer.matches.map { match in
              .object([
                ("id", .string(match.id.uuidString.lowercased())),
                ("distance", .float(match.distance)),
                match.text.map { ("payload", .string($0)) }
                  ?? ("payloadBase64", .string(match.payload.base64EncodedString())),
              ])
            })
        ),
      ]).text)
  }
}
