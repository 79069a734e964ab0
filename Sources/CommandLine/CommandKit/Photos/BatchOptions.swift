/// The options of all commands for photos, about their number and the form of the output.
package enum BatchOptions {
  package static let recursive = Flag(
    "recursive", short: "r", help: "Take the photos of subfolders too.")
  package static let null = Flag(
    "null", help: "Paths of the list on standard input (-) end with zero bytes, not line ends.")
  package static let format = Option(
    "format", .choice("NAME", RowFormat.allCases.map { ($0.rawValue, $0) }),
    help: "The format of the output, if it is not text: "
      + Sentence.either(RowFormat.allCases.map(\.rawValue)) + ". --json is --format json.")
  package static let results = Option(
    "results", .outputPath("FILE"),
    help: "Append each photo's result to a file, .jsonl or .csv, as soon as it and those before it "
      + "are done. Photos that are in it are left out, so an interrupted run continues.")
  package static let retryFailed = Flag(
    "retry-failed", help: "With --results: remove the photos that failed, and try them again.")
  package static let jobs = Option(
    "jobs", .integer("N", in: 1...64), short: "j",
    help: "How many photos are processed at once, each on its share of the threads.",
    fallback: "one per thread")
  package static let memory = Option(
    "memory", .integer("MB", in: 100...1_000_000),
    help: "Process only as many photos at once as fit in this many megabytes, and skip a photo "
      + "that alone does not fit.",
    fallback: "\(usualMemory)")
  /// The megabytes for photos if no other number is given.
  package static let usualMemory = 400
  package static let stream = Flag(
    "stream",
    help: "Print one line of JSON per line of standard input, in order and at once. A line is a "
      + "path, or an image in base64, with a name before it or without "
      + "(data:image/jpeg;name=17;base64,...).")

  /// The options of every command for photos, in the order of the help text.
  package static let ofPhotos: [any OptionDeclaration] = [
    recursive, null, format, results, retryFailed, jobs, memory, StandardOptions.atLeast,
  ]
  /// The options of `tally count`.
  package static let all: [any OptionDeclaration] = ofPhotos + [stream]

  /// The group of every command for photos.
  package static let group = OptionGroup("Many photos", ofPhotos)

  /// The operands of such a command.
  package static func operands(replacement: (any OptionDeclaration)? = nil) -> Operands {
    Operands(
      metavar: "IMAGE",
      help: "A JPEG, PNG, HEIC, WebP or TIFF file; a folder of such files; a pattern in quotes, as "
        + "'photos/*.jpg'; or - for standard input. That is an image or a list of paths, one a "
        + "line.",
      isList: true, replacement: replacement)
  }

  /// Throws for options that contradict each other.
  package static func check(_ arguments: ParsedArguments) throws(UsageError) {
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
    if arguments.has(results), arguments.has(StandardOptions.atLeast) {
      throw UsageError(
        "--at-least looks at this run's photos, and --results leaves out those of runs before; "
          + "give one of them")
    }
  }
}
