import CommandKit

/// `tally evaluate barcodes`: compares the barcodes of images with the true ones.
enum EvaluateBarcodesCommand: Command {
  static let specification = CommandSpecification(
    words: ["evaluate", "barcodes"],
    summary: "Compare the barcodes read in photos with the true ones",
    discussion: [
      "Compares what 'tally barcode --json' or 'tally recognize --json' printed with the true "
        + "payloads of each photo. Prints precision and recall, the number of photos with exactly "
        + "the true barcodes, and each barcode that is missing or wrong.",
      "A file has one object per line, {\"image\": \"a.jpg\", \"payloads\": [\"9780306406157\"]}, "
        + "or is CSV with the columns image and payload. CSV has one row per barcode, and a row "
        + "with an empty payload for a photo without any. Photos are joined by name, or by the "
        + "last part of the path. A payload that a photo has twice must be read twice.",
    ],
    operands: .none,
    requiredUsage: AnswerKind.requiredUsage,
    groups: [AnswerKind.files, OptionGroup("Output", [StandardOptions.json])],
    examples: [
      Example("Keep what is read.", "tally barcode photos/*.jpg --json > found.jsonl"),
      Example(
        "How well are barcodes read?",
        "tally evaluate barcodes --truth codes.csv --predictions found.jsonl"),
    ])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let answers = try AnswerKind.payloads.answers(arguments, of: specification)
    let report = ListEvaluationReport(answers, of: "barcodes")
    try console.print(
      arguments[StandardOptions.json] ? report.json.text : report.lines.joined(separator: "\n"))
    return .success
  }
}
