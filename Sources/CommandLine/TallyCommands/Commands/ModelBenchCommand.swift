/// `tally model bench`: how long a model takes.
enum ModelBenchCommand: Command {
  static let specification = CommandSpecification(
    words: ["model", "bench"],
    summary: "Time an ONNX model on made-up input",
    discussion: [
      "Loads a model, runs it a few times on made-up tensors of the shapes it declares, and prints "
        + "the median and the shortest time. One run beforehand is not counted."
    ],
    operands: Operands(metavar: "FILE", help: "An .onnx file.", isList: false),
    groups: [
      OptionGroup("Input", [batch, shape]),
      OptionGroup("Running", [StandardOptions.threads, runs]),
      OptionGroup("Output", [StandardOptions.json, StandardOptions.quiet]),
    ],
    examples: [
      Example("Time a model on one thread.", "tally model bench yolox_nano.onnx --threads 1"),
      Example(
        "Give a shape that the model leaves open.",
        "tally model bench text.onnx --shape x=1x3x48x320 --json"),
    ])

  static let batch = Option(
    "batch", .integer("N", in: 1...4096), help: "The first side of every input.",
    fallback: "as declared, or 1")
  static let shape = Option(
    "shape", .namedShape, help: "The shape of an input, where the model leaves sides open.",
    isRepeatable: true)
  static let runs = Option(
    "runs", .integer("N", in: 1...100_000), help: "How many runs are timed.", fallback: "20")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    throw CommandError(.software, "not built yet")
  }
}
