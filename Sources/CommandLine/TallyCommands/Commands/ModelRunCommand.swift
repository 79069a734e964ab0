/// `tally model run`: NumPy files in, NumPy files out.
enum ModelRunCommand: Command {
  static let specification = CommandSpecification(
    words: ["model", "run"],
    summary: "Run an ONNX model on NumPy files",
    discussion: [
      "Runs a model once and writes every output to DIR/NAME.npy. In file names, what is no "
        + "ASCII letter, digit, '.', '-' or '_' becomes '_', so that no output leaves DIR."
    ],
    operands: Operands(metavar: "FILE", help: "An .onnx file.", isList: false),
    requiredUsage: "--input NAME=FILE.npy ... --output-dir DIR",
    groups: [
      OptionGroup("Tensors", [input, outputDirectory]),
      OptionGroup("Running", [StandardOptions.threads, profile]),
    ],
    examples: [
      Example(
        "Run a detector on a prepared image.",
        "tally model run model.onnx --input images=image.npy --output-dir out"),
      Example(
        "See which operators take the time.",
        "tally model run model.onnx --input images=image.npy --output-dir out --profile"),
    ])

  static let input = Option(
    "input", .namedFile, help: "The tensor for one of the model's inputs.", isRepeatable: true)
  static let outputDirectory = Option(
    "output-dir", .path("DIR"), help: "Where the outputs go; made where it does not exist.")
  static let profile = Flag(
    "profile", help: "Print how long each operator took.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    throw CommandError(.software, "not built yet")
  }
}
