import CommandKit

/// `tally evaluate dates`: compares the dates of images with the true ones.
enum EvaluateDatesCommand: Command {
  static let specification = CommandSpecification(
    words: ["evaluate", "dates"],
    summary: "Compare the dates read in photos with the true ones",
    discussion: [
      "Compares the dates that 'tally recognize --json' printed with the true dates of each photo. "
        + "Prints precision and recall, the number of photos with exactly the true dates, and "
        + "each date that is missing or wrong.",
      "A file has one object per line, {\"image\": \"a.jpg\", \"dates\": [\"2027-05-31\"]}, or is "
        + "CSV with the columns image and date. CSV has one row per date, and a row with an empty "
        + "date for a photo without any. Dates are in ISO 8601: 2027-05-31, or 2027-05 for a "
        + "month. Photos are joined by name, or by the last part of the path. A date that is read "
        + "twice counts once. Name all dates of a photo, because others are counted as wrong.",
    ],
    operands: .none,
    requiredUsage: AnswerKind.requiredUsage,
    groups: [AnswerKind.files, OptionGroup("Output", [StandardOptions.json])],
    examples: [
      Example(
        "Keep what is read.",
        "tally recognize photos/*.jpg --dates day-first --json > found.jsonl"),
      Example(
        "How well are dates read?",
        "tally evaluate dates --truth dates.csv --predictions found.jsonl"),
    ])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let answers = try AnswerKind.dates.answers(arguments, of: specification)
    let report = ListEvaluationReport(answers, of: "dates", countsEachOnce: true)
    try console.print(
      arguments[StandardOptions.json] ? report.json.text : report.lines.joined(separator: "\n"))
    return .success
  }
}
