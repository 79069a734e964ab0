/// `tally model test`: ONNX's own tests.
enum ModelTestCommand: Command {
  static let specification = CommandSpecification(
    words: ["model", "test"],
    summary: "Run folders of ONNX's backend tests",
    discussion: [
      "Runs tests in the form of ONNX's backend tests: a folder holds model.onnx and folders "
        + "test_data_set_0, ..., each with input_0.pb, ... and output_0.pb, .... A test passes "
        + "where every output agrees; where the runner does not know an operator or a type, it is "
        + "unsupported rather than failed."
    ],
    operands: Operands(
      metavar: "DIR", help: "A test's folder, or a folder of such folders.", isList: true),
    groups: [OptionGroup("Output", [StandardOptions.json, StandardOptions.quiet])],
    examples: [
      Example("Run two tests.", "tally model test node/test_relu node/test_conv"),
      Example("Run all, for a machine to read.", "tally model test node --json"),
    ])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    throw CommandError(.software, "not built yet")
  }
}
