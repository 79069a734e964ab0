/// `tally detect`: the detector alone.
enum DetectCommand: Command {
  static let specification = CommandSpecification(
    words: ["detect"],
    summary: "Print the objects a detector finds in photos",
    discussion: [
      "Finds objects in each photo and prints those that are left after suppressing duplicates, "
        + "best first. Boxes are in pixels of the upright photo, and are not clipped to it."
    ],
    operands: Operands(metavar: "IMAGE", help: "A JPEG, PNG or HEIC file.", isList: true),
    groups: [
      OptionGroup(
        "Detector",
        [
          CountOptions.detector, CountOptions.decodedHead, CountOptions.confidence,
          CountOptions.nms,
        ]),
      OptionGroup(
        "Output", [StandardOptions.json, StandardOptions.quiet, StandardOptions.threads]),
    ],
    examples: [
      Example(
        "Print what is found for sure.",
        "tally detect tartlets.jpg --detector yolox_nano.onnx --confidence 0.3"),
      Example(
        "One line of JSON for each photo.",
        "tally detect photos/*.jpg --detector yolox_nano.onnx --json"),
    ])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    throw CommandError(.software, "not built yet")
  }
}
