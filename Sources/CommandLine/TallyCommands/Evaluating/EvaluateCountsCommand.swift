import Counting
import Evaluation
import Foundation
import ImageFiles
import Raster

/// `tally evaluate counts`: counts in photos whose truth is known, and how right they are.
enum EvaluateCountsCommand: Command {
  static let specification = CommandSpecification(
    words: ["evaluate", "counts"],
    summary: "Count in photos whose truth is known, and say how right it is",
    discussion: [
      "Counts in every photo that DIR/truth.json names, as 'tally count' would, and compares with the "
        + "truth: {\"photo.jpg\": {\"main\": 12, \"all\": 20}, ...}, where main is the number of "
        + "objects of the main kind and all that of all objects. \"plus_or_minus\" may say how far "
        + "the truth itself is in doubt: a count that close is exact. \"boxes\" may list the boxes "
        + "of all objects as [left, top, right, bottom] in pixels.",
      "The accuracy of a photo is 1 - |count - truth| / truth, at least 0. One-kind photos (main and "
        + "all are one number) have a mean of their own. Where points or boxes are known, so are "
        + "precision and recall of what was counted, and the step at which each object of the main "
        + "kind was lost.",
    ],
    operands: Operands(
      metavar: "DIR", help: "A folder with truth.json and the photos it names.", isList: false),
    groups: [OptionGroup("Truth", [points, minimumIoU])]
      + countingGroups + [
        OptionGroup(
          "Output",
          [StandardOptions.json, sheet, StandardOptions.quiet, StandardOptions.threads])
      ],
    examples: [
      Example("How right are counts of these photos?", "tally evaluate counts photos"),
      Example(
        "And are they right for the right reason?",
        "tally evaluate counts photos --points Fixtures/Truth/count_points.json"),
      Example(
        "Look at all of them at once.",
        "tally evaluate counts photos --points points.json --sheet sheet.png"),
    ])

  static let points = Option(
    "points", .path("FILE.json"),
    help: "The centres of the objects: {\"photo.jpg\": {\"width\": W, \"height\": H, \"kinds\": "
      + "{\"NAME\": [[x, y, r], ...]}}}, r being about half an object's size. A box is an object "
      + "where it holds its point and has its centre within r of it.")
  static let minimumIoU = Option(
    "minimum-iou", .number("X", in: 0...1),
    help: "Where truth.json has boxes: the least intersection over union of a box that is an "
      + "object.",
    fallback: "0.5")
  static let sheet = Option(
    "sheet", .path("FILE.png"),
    help: "Draw all photos on one sheet (.png or .jpg): what was counted in green, other kinds in "
      + "blue, boxes on no object in orange, missed objects in red.")

  /// The options of `tally count` that say how to count; an exemplar belongs to one photo only.
  private static var countingGroups: [OptionGroup] {
    CountCommand.specification.groups.filter {
      $0.title.hasPrefix("Models") || $0.title.hasPrefix("Thresholds")
    }.map { group in
      OptionGroup(
        group.title,
        group.options.filter { $0.name != CountOptions.like.name }.map { option in
          option.name == SettingsInputs.chosen.name ? SettingsInputs.chosen : option
        })
    }
  }

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let truth = try TruthFolder(
      arguments.operands[0], points: arguments[points],
      minimumIoU: arguments[minimumIoU] ?? 0.5)
    let sheetPath = try sheetPath(arguments, truth: truth)
    // Figures are to be the same for everybody: settings count where they are asked for.
    let counter = try LoadedModels.counter(
      arguments, settings: try SettingsInputs.chosen(arguments, console), console: console)

    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    let loop = InputLoop(console: console, progress: progress)
    let paths = truth.photos.map(\.path)
    var evaluated: [EvaluatedPhoto] = []
    var sheet = ContactSheet()
    let code = try await loop.forEach(paths) { index, path in
      loop.show("counting", index, of: paths)
      let image = try ImageFile.load(contentsOf: InputFile.existing(path))
      let photo = truth.photos[index]
      try photo.check(image)
      let survivors = Survivors()
      let result = try await counter.count(
        in: image, survivors: { step, left in survivors.record(step, left) })
      let evaluation = try EvaluatedPhoto(photo, result: result, survivors: survivors.stages)
      evaluated.append(evaluation)
      if sheetPath != nil { try sheet.add(evaluation, image: image) }
    }
    guard !evaluated.isEmpty else { return code }
    let report = CountEvaluationReport(photos: evaluated)
    try console.print(
      arguments[StandardOptions.json]
        ? report.json().text : report.lines().joined(separator: "\n"))
    if let sheetPath { try ImageFile.write(sheet.drawn(), to: URL(fileURLWithPath: sheetPath)) }
    return code
  }

  /// Where the sheet goes; the folder it goes to is made.
  private static func sheetPath(
    _ arguments: ParsedArguments, truth: TruthFolder
  ) throws -> String? {
    guard let path = arguments[sheet] else { return nil }
    func pattern(_ path: String, input: String) throws -> OutputPattern {
      try OutputPattern(
        path, option: sheet.name, extensions: ["png", "jpg", "jpeg"], inputs: [input])
    }
    let folder = try pattern(path, input: arguments.operands[0])
    // One by one, for that all photos share the sheet is no clash of names.
    for photo in truth.photos { _ = try pattern(folder.paths[0], input: photo.path) }
    try folder.makeFolders()
    return folder.paths[0]
  }
}
