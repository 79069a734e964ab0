import Clustering
import CommandKit
import CountCommands
import LinearAlgebra
import NumPyFiles

/// `tally cluster`: agglomerative clustering of rows.
enum ClusterCommand: Command {
  static let specification = CommandSpecification(
    words: ["cluster"],
    summary: "Cluster the rows of a NumPy file by similarity",
    discussion: [
      "Clusters the rows of a two-dimensional array. It starts with every row alone, and merges "
        + "the two nearest groups until they are too far apart, or few enough. Labels are numbered "
        + "as scikit-learn's AgglomerativeClustering numbers them.",
      "The distances of all pairs of rows are held in memory, except with average linkage of "
        + "cosine distances, which has no such limit.",
    ],
    operands: Operands(
      metavar: "FILE.npy", help: "A NumPy array of rows, float32 or float64.", isList: false),
    requiredUsage: "(--similarity X | --distance X | --clusters N)",
    groups: [
      OptionGroup("Where to stop (one of the three)", [similarity, distance, clusters]),
      OptionGroup("How", [linkage, metric]),
      OptionGroup("Output", [StandardOptions.json, dendrogram]),
    ],
    examples: [
      Example("Group by similarity.", "tally cluster vectors.npy --similarity 0.8"),
      Example(
        "Make five groups, as JSON.", "tally cluster vectors.npy --clusters 5 --json"),
      Example(
        "Draw the dendrogram.",
        "tally cluster vectors.npy --similarity 0.8 --dendrogram tree.svg"),
    ])

  static let similarity = Option(
    "similarity", .number("X", in: -1...1),
    help: "Merge groups while their cosine is above X, -1 to 1; the same as --distance 1-X.")
  static let distance = Option(
    "distance", .number("X", in: 0...1e30),
    help: "Merge groups while their distance is below X.")
  static let clusters = Option(
    "clusters", .integer("N", in: 1...1_000_000), help: "Merge until N groups are left.")
  static let linkage = Option(
    "linkage", .choice("NAME", Linkage.allCases.map { ($0.rawValue, $0) }),
    help: "The distance of two groups: their rows' mean (average), largest (complete) or smallest "
      + "(single) distance; the mean of their halves' distances (weighted); or the growth of the "
      + "variance within groups (ward).", fallback: "average")
  static let metric = Option(
    "metric", .choice("NAME", DistanceMetric.allCases.map { ($0.rawValue, $0) }),
    help: "The distance of two rows: 1 - cosine, or Euclidean.", fallback: "cosine")

  static let dendrogram = Option(
    "dendrogram", .outputPath("FILE"),
    help: "Draw the tree of merges, with groups in colours and the cut as a dashed line, as "
      + "\(DrawingFile.formats). If there are many rows, draw the last "
      + "\(DendrogramFile.mostLeaves) groups.")

  /// More rows than this need more memory for their distances than most machines have.
  static let mostRows = 25_000
  /// The limit if distances are not kept.
  static let mostRowsBySums = 1_000_000
  /// More rows of float64 than this are clustered as float32, for their distances are not held.
  static let mostDoubleRows = 3000

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let path = arguments.operands[0]
    if let drawing = arguments[dendrogram] {
      try DrawingFile.check(drawing, option: dendrogram.name)
    }
    let clustering = AgglomerativeClustering(
      linkage: arguments[linkage] ?? .average, metric: arguments[metric] ?? .cosine,
      cut: try cut(arguments))
    if clustering.linkage == .ward, clustering.metric != .euclidean {
      throw UsageError("--linkage ward is about Euclidean distances: add --metric euclidean")
    }
    if clustering.metric == .cosine, let value = arguments[distance], value > 2 {
      throw UsageError("--distance is \(value); cosine distances are 0 to 2")
    }
    if clustering.metric != .cosine, arguments[similarity] != nil {
      throw UsageError("--similarity is about cosines: with --metric euclidean give --distance")
    }
    let assignment: ClusterAssignment
    do {
      assignment = try fit(clustering, NumPyArray(contentsOf: InputFile.existing(path)))
    } catch {
      throw Failure.of(error, at: path)
    }
    if let path = arguments[dendrogram] {
      try DendrogramFile.write(assignment, of: clustering, to: path)
    }
    try console.print(
      arguments[StandardOptions.json]
        ? json(assignment).text : try lines(assignment).joined(separator: "\n"))
    return .success
  }

  private static func cut(_ arguments: ParsedArguments) throws(UsageError) -> DendrogramCut {
    let cuts: [DendrogramCut?] = [
      arguments[similarity].map { .similarity($0) }, arguments[distance].map { .distance($0) },
      arguments[clusters].map { .count($0) },
    ]
    let given = cuts.compactMap { $0 }
    guard given.count == 1 else {
      let number = given.isEmpty ? "none" : "\(given.count)"
      throw UsageError(
        "one of --similarity, --distance and --clusters is needed, and \(number) is given "
          + "(see '\(specification.invocation) --help')")
    }
    return given[0]
  }

  private static func fit(
    _ clustering: AgglomerativeClustering, _ array: NumPyArray
  ) throws -> ClusterAssignment {
    guard array.shape.count == 2 else {
      throw CommandError(
        .badData, "an array of shape \(array.shape); it must have two axes, rows and columns")
    }
    let (rows, columns) = (array.shape[0], array.shape[1])
    let needsNoDistances = clustering.linkage == .average && clustering.metric == .cosine
    let most = needsNoDistances ? mostRowsBySums : mostRows
    guard rows <= most else {
      throw CommandError(.badData, "\(rows) rows; at most \(most) can be clustered")
    }
    switch array.elements {
    case .float32, .float16,
      _ where needsNoDistances && rows > mostDoubleRows:
      return try clustering.fit(
        Matrix(rowCount: rows, columnCount: columns, elements: array.floats))
    default:
      return try clustering.fit(
        Matrix(rowCount: rows, columnCount: columns, elements: array.doubles))
    }
  }

  private static func json(_ assignment: ClusterAssignment) -> JSONText {
    .object([
      ("labels", .array(assignment.labels.map { .integer($0) })),
      ("clusters", .integer(assignment.clusterCount)),
    ])
  }

  private static func lines(_ assignment: ClusterAssignment) throws -> [String] {
    var report = ReportText()
    for cluster in try ClusterSummary(labels: assignment.labels).clusters {
      report.add(
        "cluster \(cluster.label) (\(cluster.size))",
        cluster.members.map(String.init).joined(separator: ", "))
    }
    let rows = Sentence.count(assignment.labels.count, "row", "rows")
    let clusters = Sentence.count(assignment.clusterCount, "cluster", "clusters")
    return ["\(rows) in \(clusters); rows count from 0"] + report.lines
  }
}
