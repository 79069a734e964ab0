import CommandKit
import Evaluation

/// `tally evaluate`: compares boxes with the true ones.
enum EvaluateBoxesCommand: Command {
  static let specification = CommandSpecification(
    words: ["evaluate"],
    summary: "Compare predicted boxes with the true ones, and two predictions with each other",
    discussion: [
      "Compares the boxes in one file with the true boxes in another, image by image. Prints "
        + "precision, recall and F1 of the matches, average precision by COCO's rules "
        + "(AP@[.5:.95], AP50, AP75), and the accuracy of the counts.",
      "A file has one object per image, one per line or in {\"images\": [...]}: "
        + "{\"image\": \"a.jpg\", \"boxes\": [{\"box\": [left, top, right, bottom], \"score\": 0.9, "
        + "\"class\": \"book\"}, ...]}, where a box may also be the four numbers alone. Scores "
        + "belong to predictions; \"crowd\" and \"ignore\" may be true of true boxes. The lines of "
        + "'tally detect --json' are such a file, and COCO's annotations and results are read too.",
      "With --against, a second prediction is compared with the first. A two-proportion z test "
        + "says whether the differences in recall and precision are significant.",
    ],
    operands: .none,
    requiredUsage: "--truth FILE --predictions FILE",
    groups: [
      OptionGroup("Files", [truth, predictions, against]),
      OptionGroup(
        "How to compare", [minimumIoU, confidence, maximumDetections, anyClass, significance]),
      OptionGroup("Output", [StandardOptions.json]),
    ],
    examples: [
      Example(
        "How right is a detector?",
        "tally evaluate --truth truth.json --predictions found.json"),
      Example(
        "Is the new one better than the old one?",
        "tally evaluate --truth truth.json --predictions new.json --against old.json"),
    ])

  static let truth = Option("truth", .path("FILE"), help: "The true boxes.")
  static let predictions = Option("predictions", .path("FILE"), help: "The predicted boxes.")
  static let against = Option(
    "against", .path("FILE"), help: "Other predictions for the same images, to compare with.")
  static let minimumIoU = Option(
    "iou", .number("X", in: 0...1),
    help: "The least intersection over union of a prediction and its true box. Average precision "
      + "has its own thresholds.", fallback: "0.5")
  static let confidence = Option(
    "confidence", .number("X", in: 0...1),
    help: "Leave out predictions with a lower score. Average precision uses them all.",
    fallback: "0, which takes all")
  static let maximumDetections = Option(
    "max-detections", .integer("N", in: 1...1_000_000),
    help: "The number of best predictions per image and class that average precision uses.",
    fallback: "100, as COCO's figures do")
  static let anyClass = Flag("any-class", help: "Treat all boxes as boxes of one class.")
  static let significance = Option(
    "significance", .number("X", in: 1e-9...0.5),
    help: "The significance level: a difference counts if p is below X. Intervals have level 1 - "
      + "X.",
    fallback: "0.05")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let truthPath = try required(truth, arguments)
    let predictionsPath = try required(predictions, arguments)
    let settings = BoxEvaluation.Settings(
      minimumIoU: arguments[minimumIoU] ?? 0.5, confidence: arguments[confidence] ?? 0,
      maximumDetections: arguments[maximumDetections] ?? 100, isAnyClass: arguments[anyClass])
    let truthFile = try BoxFile(truthPath, role: .truth)
    func evaluation(_ path: String) throws -> BoxEvaluation {
      let file = try BoxFile(path, role: .predictions)
      return try BoxEvaluation(of: file, truth: truthFile, settings: settings)
    }
    let report = BoxEvaluationReport(
      settings: settings, predictions: try evaluation(predictionsPath),
      against: try arguments[against].map(evaluation),
      significance: arguments[significance] ?? 0.05)
    try console.print(
      arguments[StandardOptions.json]
        ? report.json().text : report.lines().joined(separator: "\n"))
    return .success
  }

  private static func required(
    _ option: Option<String>, _ arguments: ParsedArguments
  ) throws(UsageError) -> String {
    if let path = arguments[option] { return path }
    throw UsageError(
      "--\(option.name) is needed: --\(option.name) FILE (see '\(specification.invocation) --help')"
    )
  }
}
