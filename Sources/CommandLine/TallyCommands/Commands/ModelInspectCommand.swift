/// `tally model inspect`: what a model file holds.
enum ModelInspectCommand: Command {
  static let specification = CommandSpecification(
    words: ["model", "inspect"],
    summary: "Print what an ONNX model takes, gives and is made of",
    discussion: [
      "Prints a model's inputs and outputs, its operators and what it says of itself."
    ],
    operands: Operands(metavar: "FILE", help: "An .onnx file.", isList: false),
    groups: [OptionGroup("Output", [StandardOptions.json])],
    examples: [Example("Look at a model.", "tally model inspect yolox_nano.onnx")])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    throw CommandError(.software, "not built yet")
  }
}
