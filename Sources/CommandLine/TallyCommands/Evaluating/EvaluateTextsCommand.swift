import CommandKit

/// `tally evaluate texts`: compares the text of images with the true one.
enum EvaluateTextsCommand: Command {
  static let specification = CommandSpecification(
    words: ["evaluate", "texts"],
    summary: "Compare the text read in photos with the true text",
    discussion: [
      "Compares what 'tally text --json' or 'tally recognize --json' printed with the true text of "
        + "each photo. Prints the character error rate (CER) and the word error rate (WER): the "
        + "number of characters or words that are substituted, missing or too many, divided by "
        + "the number of true ones. Then it prints the photos with errors.",
      "A file has one object per line, {\"image\": \"a.jpg\", \"text\": \"best before 05/27\"}, or "
        + "is CSV with the columns image and text. \"lines\" may have a list of lines in place of "
        + "\"text\". Photos are joined by name, or by the last part of the path. Ends of lines and "
        + "several spaces count as one space, and the order of the lines matters.",
    ],
    operands: .none,
    requiredUsage: AnswerKind.requiredUsage,
    groups: [
      AnswerKind.files, OptionGroup("How to compare", [ignoreCase]),
      OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example("Keep what is read.", "tally text photos/*.jpg --json > found.jsonl"),
      Example(
        "How well is text read?",
        "tally evaluate texts --truth texts.csv --predictions found.jsonl"),
    ])

  static let ignoreCase = Flag("ignore-case", help: "Treat capital letters as small ones.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let answers = try AnswerKind.text.answers(arguments, of: specification)
    let report = TextEvaluationReport(answers, ignoresCase: arguments[ignoreCase])
    try console.print(
      arguments[StandardOptions.json] ? report.json.text : report.lines.joined(separator: "\n"))
    return .success
  }
}
