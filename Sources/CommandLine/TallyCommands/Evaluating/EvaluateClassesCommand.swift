import CommandKit

/// `tally evaluate classes`: compares the classes of images with the true ones.
enum EvaluateClassesCommand: Command {
  static let specification = CommandSpecification(
    words: ["evaluate", "classes"],
    summary: "Compare the classes of photos with the true ones",
    discussion: [
      "Compares what 'tally classify --json' or 'tally recognize --json' printed with the true "
        + "class of each photo. Prints precision, recall and F1 of each class, accuracy, balanced "
        + "accuracy, Cohen's kappa and the Matthews correlation, the classes that are mixed up "
        + "most often, and the photos with a wrong answer.",
      "A file has one object per line, {\"image\": \"a.jpg\", \"label\": \"cat\"}, or is CSV with "
        + "the columns image and label. Photos are joined by name, or by the last part of the "
        + "path. A photo without an answer is wrong. Top-K accuracy also uses the alternatives "
        + "that were printed, and those of photos without an answer.",
    ],
    operands: .none,
    requiredUsage: AnswerKind.requiredUsage,
    groups: [
      AnswerKind.files, OptionGroup("Figures", [top]),
      OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example(
        "Keep what a classifier answers.",
        "tally classify photos/*.jpg --model m.onnx --json > found.jsonl"),
      Example(
        "How right is a classifier?",
        "tally evaluate classes --truth labels.csv --predictions found.jsonl"),
    ])

  static let top = Option(
    "top", depths,
    help: "Print the share of photos whose true class is among the first K, for each K. 'tally "
      + "classify' prints four classes, or the number of its --top.", fallback: "1,3")

  /// Whole numbers with commas between.
  private static let depths = ValueKind<[Int]>(
    metavar: "K,...", expectation: "whole numbers from 1 to 1000000 with commas between",
    parse: { text in
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      let depths = numbers.compactMap { $0 }.filter { (1...1_000_000).contains($0) }
      return depths.count == numbers.count ? depths : nil
    })

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let answers = try AnswerKind.label.answers(arguments, of: specification)
    let report = try ClassEvaluationReport(answers, depths: arguments[top] ?? [1, 3])
    try console.print(
      arguments[StandardOptions.json] ? report.json.text : report.lines.joined(separator: "\n"))
    return .success
  }
}
