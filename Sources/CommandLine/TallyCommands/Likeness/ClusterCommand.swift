import Clustering
import CommandKit
import CountCommands
import LinearAlgebra
import NumPyFiles

/// `tally cluster`: clusters of rows, by merging, by density or around means.
enum ClusterCommand: Command {
  static let specification = CommandSpecification(
    words: ["cluster"],
    summary: "Cluster the rows of a NumPy file by similarity",
    discussion: [
      "Clusters the rows of a two-dimensional array. It starts with every row alone, and merges "
        + "the two nearest groups until they are too far apart, or few enough. Other methods find "
        + "crowded places (dbscan, hdbscan) or divide the rows around means (kmeans). Labels are "
        + "numbered as scikit-learn numbers them; -1 in JSON is noise.",
      "For merging, the distances of all pairs of rows are held in memory, except with average "
        + "linkage of cosine distances. The other methods do not hold them.",
    ],
    operands: Operands(
      metavar: "FILE.npy", help: "A NumPy array of rows, float32 or float64.", isList: false),
    requiredUsage: "(--similarity X | --distance X | --clusters N | --method NAME)",
    groups: [
      OptionGroup("How", [ClusterMethod.option, metric]),
      OptionGroup(
        "Merging: where to stop (one of the three), and how",
        [similarity, distance, clusters, linkage, connectivity]),
      OptionGroup("Other methods", ClusterMethod.options),
      OptionGroup("Output", [StandardOptions.json, dendrogram]),
    ],
    examples: [
      Example("Group by similarity.", "tally cluster vectors.npy --similarity 0.8"),
      Example(
        "Make five groups, as JSON.", "tally cluster vectors.npy --clusters 5 --json"),
      Example(
        "Find crowded places, and the noise between them.",
        "tally cluster vectors.npy --method hdbscan --min-cluster-size 10"),
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
    "clusters", .integer("N", in: 1...1_000_000),
    help: "Merge until N groups are left. For kmeans: the number of means.")
  static let linkage = Option(
    "linkage", .choice("NAME", Linkage.allCases.map { ($0.rawValue, $0) }),
    help: "The distance of two groups: their rows' mean (average), largest (complete) or smallest "
      + "(single) distance; the mean of their halves' distances (weighted); or the growth of the "
      + "variance within groups (ward).", fallback: "average")
  static let metric = Option(
    "metric", .choice("NAME", DistanceMetric.allCases.map { ($0.rawValue, $0) }),
    help: "The distance of two rows: 1 - cosine, or Euclidean.",
    fallback: "cosine, and euclidean for kmeans")
  static let connectivity = Option(
    "connectivity", .path("FILE.npy"),
    help: "Merge only along a graph: pairs of neighbours, as an array of two columns with the "
      + "numbers of rows, from 0.")

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
    let method = arguments[ClusterMethod.option] ?? .agglomerative
    try method.check(arguments)
    if let drawing = arguments[dendrogram] {
      try DrawingFile.check(drawing, option: dendrogram.name)
    }
    let outcome: ClusterOutcome
    do {
      outcome =
        method == .agglomerative
        ? try merged(arguments, path) : try found(by: method, arguments, path)
    } catch {
      throw Failure.of(error, at: path)
    }
    try console.print(
      arguments[StandardOptions.json]
        ? outcome.json.text : outcome.lines.joined(separator: "\n"))
    return .success
  }

  /// The clusters of a method that does not merge.
  private static func found(
    by method: ClusterMethod, _ arguments: ParsedArguments, _ path: String
  ) throws -> ClusterOutcome {
    let array = try NumPyArray(contentsOf: InputFile.existing(path))
    let (rows, columns) = try shape(of: array, most: mostRowsBySums)
    let matrix = try Matrix(rowCount: rows, columnCount: columns, elements: array.doubles)
    guard let outcome = try method.outcome(of: matrix, arguments) else {
      return try merged(arguments, path)
    }
    return outcome
  }

  /// The clusters that merging leaves.
  private static func merged(
    _ arguments: ParsedArguments, _ path: String
  ) throws -> ClusterOutcome {
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
    let graph = try arguments[connectivity].map { (path: $0, pairs: try pairs($0)) }
    let assignment = try fit(
      clustering, NumPyArray(contentsOf: InputFile.existing(path)), along: graph)
    if let path = arguments[dendrogram] {
      try DendrogramFile.write(assignment, of: clustering, to: path)
    }
    return ClusterOutcome(assignment)
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
    _ clustering: AgglomerativeClustering, _ array: NumPyArray,
    along graph: (path: String, pairs: [(Int, Int)])?
  ) throws -> ClusterAssignment {
    let needsNoDistances =
      clustering.linkage == .average && clustering.metric == .cosine && graph == nil
    let (rows, columns) = try shape(
      of: array, most: needsNoDistances ? mostRowsBySums : mostRows)
    if let graph {
      let matrix = try Matrix(rowCount: rows, columnCount: columns, elements: array.doubles)
      do {
        return try clustering.fit(
          matrix, connectivity: Connectivity(count: rows, pairs: graph.pairs))
      } catch {
        throw Failure.of(error, at: graph.path)
      }
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

  /// The pairs of row numbers in the file of a graph.
  private static func pairs(_ path: String) throws -> [(Int, Int)] {
    do {
      let array = try NumPyArray(contentsOf: InputFile.existing(path))
      guard array.shape.count == 2, array.shape[1] == 2 else {
        throw CommandError(
          .badData, "an array of shape \(array.shape); it must have two columns of row numbers")
      }
      let numbers = try array.doubles.map { number throws(CommandError) in
        guard let row = Int(exactly: number) else {
          throw CommandError(.badData, "\(NumberText.of(number)) is not the number of a row")
        }
        return row
      }
      return (0..<array.shape[0]).map { (numbers[2 * $0], numbers[2 * $0 + 1]) }
    } catch {
      throw Failure.of(error, at: path)
    }
  }

  /// The numbers of rows and columns of an array, which must have both and not too many rows.
  private static func shape(
    of array: NumPyArray, most: Int
  ) throws(CommandError) -> (rows: Int, columns: Int) {
    guard array.shape.count == 2 else {
      throw CommandError(
        .badData, "an array of shape \(array.shape); it must have two axes, rows and columns")
    }
    guard array.shape[0] <= most else {
      throw CommandError(.badData, "\(array.shape[0]) rows; at most \(most) can be clustered")
    }
    return (array.shape[0], array.shape[1])
  }
}
