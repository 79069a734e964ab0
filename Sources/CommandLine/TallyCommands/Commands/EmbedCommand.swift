/// `tally embed`: the embedder alone.
enum EmbedCommand: Command {
  static let specification = CommandSpecification(
    words: ["embed"],
    summary: "Print a vector that says what each photo looks like",
    discussion: [
      "Turns each photo into a vector of length 1: the cosine (here the dot product) of two "
        + "vectors says how alike the two photos look."
    ],
    operands: Operands(metavar: "IMAGE", help: "A JPEG, PNG or HEIC file.", isList: true),
    groups: [
      OptionGroup("Embedder", [CountOptions.embedder, CountOptions.embedderPreset]),
      OptionGroup(
        "Output",
        [output, StandardOptions.json, StandardOptions.quiet, StandardOptions.threads]),
    ],
    examples: [
      Example(
        "Collect vectors, then group the photos.",
        "tally embed photos/*.jpg --embedder tinyclip.onnx --output vectors.npy"),
      Example("One line of JSON for each photo.", "tally embed a.jpg b.jpg --json"),
    ])

  static let output = Option(
    "output", .path("FILE.npy"),
    help: "Also write all vectors to a NumPy file, one row for each photo, as 'tally cluster' "
      + "reads it.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    throw CommandError(.software, "not built yet")
  }
}
