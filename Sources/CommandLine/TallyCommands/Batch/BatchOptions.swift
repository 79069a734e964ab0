/// The options of `tally count` that are about many photos.
enum BatchOptions {
  static let recursive = Flag(
    "recursive", help: "Take the photos of folders below a folder too.")
  static let null = Flag(
    "null", help: "The list that - stands for ends its paths with zero bytes, not line ends.")
  static let format = Option(
    "format", .choice("NAME", RowFormat.allCases.map { ($0.rawValue, $0) }),
    help: "How photos are printed where it is not one line of text each: "
      + Sentence.either(RowFormat.allCases.map(\.rawValue)) + "; --json prints JSON Lines.")
  static let results = Option(
    "results", .outputPath("FILE"),
    help: "Append each photo's line to a file, .jsonl or .csv, as soon as it and those before it "
      + "are counted. Photos that are in it are not counted again: a run that was cut off goes on.")
  static let retryFailed = Flag(
    "retry-failed", help: "With --results: take out the photos that failed, and try them again.")
  static let jobs = Option(
    "jobs", .integer("N", in: 1...64),
    help: "How many photos are counted at once, each on its share of --threads.",
    fallback: "one per thread")
  static let memory = Option(
    "memory", .integer("MB", in: 100...1_000_000),
    help: "Count no more photos at once than fit in so many megabytes, but always one.",
    fallback: "400")
  static let stream = Flag(
    "stream",
    help: "Print a line of JSON for each line of standard input, in order and at once. A line is a "
      + "path, an image in base64, or one with a name before it "
      + "(data:image/jpeg;name=17;base64,...).")

  /// All of them, in the order of the help text.
  static let all: [any OptionDeclaration] = [
    recursive, null, format, results, retryFailed, jobs, memory, stream,
  ]

  /// Whether options alone say that many photos are meant.
  static func askForMany(_ arguments: ParsedArguments) -> Bool {
    all.contains { arguments.has($0) }
  }

  /// Refuses what contradicts itself.
  static func check(_ arguments: ParsedArguments) throws(UsageError) {
    if arguments[stream] { try checkStream(arguments) }
    if arguments[null], !arguments.operands.contains("-") {
      throw UsageError("--null is about the list that - stands for, and - is not given")
    }
    if arguments.has(format), arguments[StandardOptions.json] {
      throw UsageError("--format and --json exclude each other; give one of them")
    }
    if arguments[retryFailed], !arguments.has(results) {
      throw UsageError("--retry-failed is about --results, and that is not given")
    }
    if arguments.has(results), arguments.has(format) || arguments[StandardOptions.json] {
      throw UsageError(
        "--results says by its file's name how lines look; leave out --format and --json")
    }
  }

  private static func checkStream(_ arguments: ParsedArguments) throws(UsageError) {
    let others: [any OptionDeclaration] =
      CountPlots.options + [
        recursive, null, format, results, retryFailed, CountOptions.overlay, CountOptions.thumbnail,
        CountOptions.report, CountOptions.labels, CountOptions.correction, CountOptions.save,
        HistoryInputs.file,
      ]
    if let option = others.first(where: { arguments.has($0) }) {
      throw UsageError(
        "--stream answers each line of standard input by one of JSON, and --\(option.name) has no "
          + "place there")
    }
  }
}
