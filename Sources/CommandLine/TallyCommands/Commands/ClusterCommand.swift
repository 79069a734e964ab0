/// `tally cluster`: agglomerative clustering of rows.
enum ClusterCommand: Command {
  static let specification = CommandSpecification(
    words: ["cluster"],
    summary: "Group the rows of a NumPy file by how alike they are",
    discussion: [
      "Groups the rows of a two-dimensional array by cosine distance: starting with every row "
        + "alone, the two nearest groups become one until they are too far apart, or few enough. "
        + "Labels are numbered as scikit-learn's AgglomerativeClustering numbers them."
    ],
    operands: Operands(
      metavar: "FILE.npy", help: "A NumPy array of rows, float32 or float64.", isList: false),
    requiredUsage: "(--similarity X | --distance X | --clusters N)",
    groups: [
      OptionGroup("Where to stop (one of the three)", [similarity, distance, clusters]),
      OptionGroup("How", [linkage]),
      OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example("Group by likeness.", "tally cluster vectors.npy --similarity 0.8"),
      Example(
        "Make five groups, as JSON.", "tally cluster vectors.npy --clusters 5 --json"),
    ])

  static let similarity = Option(
    "similarity", .number("X", in: -1...1),
    help: "Merge groups while their cosine is above X, -1 to 1; the same as --distance 1-X.")
  static let distance = Option(
    "distance", .number("X", in: 0...2),
    help: "Merge groups while their cosine distance is below X, 0 to 2.")
  static let clusters = Option(
    "clusters", .integer("N", in: 1...1_000_000), help: "Merge until N groups are left.")
  static let linkage = Option(
    "linkage", .choice("NAME", ["average", "complete", "single"].map { ($0, $0) }),
    help: "The distance of two groups: their rows' mean (average), largest (complete) or "
      + "smallest (single) distance.", fallback: "average")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    throw CommandError(.software, "not built yet")
  }
}
