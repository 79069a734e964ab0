import CommandKit
import Counting
import Evaluation
import Foundation
import ImageFiles
import Raster

/// `tally evaluate counts`: counts in photos with known truth, and measures the accuracy.
enum EvaluateCountsCommand: Command {
  static let specification = CommandSpecification(
    words: ["evaluate", "counts"],
    summary: "Count photos whose true counts are known, and print the accuracy",
    discussion: [
      "Counts every photo that DIR/truth.json names, as 'tally count' would, and compares the "
        + "counts with the true ones: {\"photo.jpg\": {\"main\": 12, \"all\": 20}, ...}. main is "
        + "the number of objects of the main kind, all is the number of all objects. "
        + "\"plus_or_minus\" is the uncertainty of the true number. \"boxes\" lists the boxes of "
        + "all objects as [left, top, right, bottom] in pixels, or with kinds as [left, top, "
        + "right, bottom, \"date\"]; \"kind\" names the main one. \"domain\" says what the photo "
        + "shows. These four are optional.",
      "The accuracy of a photo is 1 - |count - truth| / truth, at least 0; a count within "
        + "plus_or_minus is exact, and its accuracy is 1. Photos of one kind (main equals all) and "
        + "each domain have their own means. With points or boxes, precision and recall are "
        + "printed too, and the step at which each object of the main kind was lost. With boxes, "
        + "mistakes have names. A counted box is a part of an object, merged from several, a "
        + "duplicate, loose, or on nothing. An object is missed, taken for another kind (split "
        + "kind), or of another kind and counted (mixed kind).",
    ],
    operands: Operands(
      metavar: "DIR", help: "Folders with truth.json and the photos it names.", isList: true),
    groups: [
      OptionGroup("Truth", [points, minimumIoU]),
      OptionGroup("Exemplars", [exemplars, drawn, seed]),
    ]
      + countingGroups + [
        OptionGroup(
          "Output",
          [
            StandardOptions.json, sheet, failures, schematic, markdown, StandardOptions.quiet,
            StandardOptions.threads,
          ])
      ],
    examples: [
      Example("How right are counts of these photos?", "tally evaluate counts photos"),
      Example(
        "And are they right for the right reason?",
        "tally evaluate counts photos --points Fixtures/Truth/count_points.json"),
      Example(
        "Look at all of them at once.",
        "tally evaluate counts photos --points points.json --sheet sheet.png"),
      Example(
        "How right are they if a person draws three boxes on each, in haste?",
        "tally evaluate counts world --exemplars 3 --drawn badly"),
      Example(
        "Write the tables of Docs/Accuracy.md, with pictures of what went wrong.",
        "tally evaluate counts world --markdown Accuracy.md --failures bad --schematic"),
    ])

  static let points = Option(
    "points", .path("FILE.json"),
    help: "The centres of the objects: {\"photo.jpg\": {\"width\": W, \"height\": H, \"kinds\": "
      + "{\"NAME\": [[x, y, r], ...]}}}; r is about half an object's size. A box matches an object "
      + "if it contains the object's point and its centre is within r of that point.")
  static let minimumIoU = Option(
    "minimum-iou", .number("X", in: 0...1),
    help: "If truth.json has boxes: the least intersection over union of a box that matches an "
      + "object.",
    fallback: "0.5")
  static let exemplars = Option(
    "exemplars", .integer("N", in: 0...20),
    help: "Draw N boxes around objects of the main kind, as with 'tally count --like'. A single "
      + "box has the median area; several are spread over all areas. Photos without boxes in "
      + "truth.json are left out.",
    fallback: "0")
  static let drawn = Option(
    "drawn", .choice("HOW", ExemplarChoice.Manner.allCases.map { ($0.rawValue, $0) }),
    help: "How boxes are drawn: exactly; badly, 0.6 to 1.6 times as large and off by up to 0.4 of "
      + "the side; or nowhere, that is, on no object, so that nothing should be counted.",
    fallback: "exactly")
  static let seed = Option(
    "seed", .integer("N", in: 0...1_000_000),
    help: "The seed of the errors of drawn boxes: the same N gives the same boxes.", fallback: "1")
  static let sheet = Option(
    "sheet", .outputPath("FILE.png"),
    help: "Draw all photos on one sheet (.png or .jpg): what was counted in green, other kinds in "
      + "blue, boxes on no object in orange, missed objects in red.")
  static let failures = Option(
    "failures", .outputPath("DIR"),
    help: "Draw each photo whose accuracy is below 0.9 as on the sheet, one picture each, and list "
      + "them in DIR/\(FailureFolder.list).")
  static let schematic = Flag(
    "schematic",
    help: "Draw boxes on a plain ground without the photo; true boxes are dashed grey lines.")
  static let markdown = Option(
    "markdown", .outputPath("FILE.md"),
    help: "Count without exemplars, with one, with three, with one drawn badly and with one on "
      + "nothing, and write tables of all results to FILE. They replace the tables of the run "
      + "before; the rest of the file stays.")

  /// The options of `tally count` that are about the content of one photo.
  private static let ofOnePhoto: Set = ["like", "unlike", "region"]

  /// The options of `tally count` for the method of counting.
  private static var countingGroups: [OptionGroup] {
    CountCommand.specification.groups.filter {
      $0.title.hasPrefix("Models") || $0.title.hasPrefix("Thresholds")
    }.map { group in
      OptionGroup(
        group.title,
        group.options.filter { !ofOnePhoto.contains($0.name) }.map { option in
          option.name == SettingsInputs.chosen.name ? SettingsInputs.chosen : option
        })
    }
  }

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let choices = try choices(arguments)
    let truth = try TruthFolder(
      arguments.operands, points: arguments[points], minimumIoU: arguments[minimumIoU] ?? 0.5)
    let markdownPath = arguments[markdown]
    if let markdownPath { try ChapterFile.check(markdownPath) }
    let sheetPath = try sheetPath(arguments, truth: truth)
    var failureFolder = try arguments[failures].map {
      try FailureFolder($0, for: truth, in: arguments.operands)
    }
    // Figures should be the same for every user: settings are used only on request.
    let counter = try LoadedModels.counter(
      arguments, settings: try SettingsInputs.chosen(arguments, console), console: console)

    let loop = InputLoop(on: console, isQuiet: arguments[StandardOptions.quiet])
    let paths = truth.photos.map(\.path)
    var rounds = CountRounds(choices: choices, counter: counter)
    var sheet = ContactSheet()
    let code = try await loop.forEach(paths) { index, path in
      loop.show("counting", index, of: paths)
      let image = try ImageFile.load(contentsOf: InputFile.existing(path))
      let photo = truth.photos[index]
      try photo.check(image)
      guard let first = try await rounds.add(photo, image: image) else { return }
      func picture() throws -> Raster {
        let drawing = PhotoDrawing(photo: first)
        return try arguments[schematic] ? drawing.schematic() : drawing.drawn(over: image)
      }
      if sheetPath != nil { sheet.add(try picture()) }
      try failureFolder?.add(first, picture: picture)
    }
    guard let first = rounds.rounds.first, !first.photos.isEmpty else {
      if code == .success { throw Self.nothingToDraw(truth, arguments) }
      return code
    }
    try printReport(on: first, arguments, console)
    if let sheetPath { try ImageFile.write(sheet.drawn(), to: URL(fileURLWithPath: sheetPath)) }
    try failureFolder?.finish()
    if let markdownPath {
      try writeChapter(
        about: rounds.rounds, failureFolder, to: markdownPath,
        showsFailures: arguments[schematic])
    }
    return code
  }

  private static func printReport(
    on round: AccuracyChapter.Round, _ arguments: ParsedArguments, _ console: Console
  ) throws {
    let report = CountEvaluationReport(
      photos: round.photos,
      exemplars: round.choice.map {
        ExemplarFigures($0, round.photos, leftOut: round.leftOut)
      })
    try console.print(
      arguments[StandardOptions.json]
        ? report.json().text : report.lines().joined(separator: "\n"))
  }

  /// Writes the tables of all rounds.
  ///
  /// The pictures are of other people's photos, so a document shows only schematic drawings.
  private static func writeChapter(
    about rounds: [AccuracyChapter.Round], _ failureFolder: FailureFolder?, to path: String,
    showsFailures: Bool
  ) throws {
    let list = failureFolder.map { folder in
      showsFailures ? folder.lines(at: folder.path(from: path)) : []
    }
    try ChapterFile.write(AccuracyChapter(rounds: rounds).lines(failures: list ?? []), to: path)
  }

  /// The requested rounds, each over all photos.
  private static func choices(_ arguments: ParsedArguments) throws(UsageError) -> [ExemplarChoice?]
  {
    let number = arguments[exemplars] ?? 0
    if number == 0 {
      for (name, isGiven) in [
        (drawn.name, arguments[drawn] != nil), (seed.name, arguments[seed] != nil),
      ] where isGiven {
        throw UsageError("--\(name) says how exemplars are drawn; give --exemplars too")
      }
    }
    guard arguments[markdown] == nil else {
      guard arguments[exemplars] == nil else {
        throw UsageError("--markdown has its own exemplars; leave --exemplars out")
      }
      return AccuracyChapter.choices
    }
    guard number > 0 else { return [nil] }
    return [
      ExemplarChoice(
        count: number, manner: arguments[drawn] ?? .exactly, seed: UInt64(arguments[seed] ?? 1))
    ]
  }

  private static func nothingToDraw(
    _ truth: TruthFolder, _ arguments: ParsedArguments
  ) -> CommandError {
    CommandError(
      .badData, at: arguments.operands.joined(separator: ", "),
      "no photo has boxes of its main kind to take exemplars from")
  }

  /// The path of the sheet.
  private static func sheetPath(
    _ arguments: ParsedArguments, truth: TruthFolder
  ) throws -> String? {
    guard let path = arguments[sheet], let first = arguments.operands.first else { return nil }
    func pattern(_ path: String, input: String) throws -> OutputPattern {
      try OutputPattern(
        path, option: sheet.name, extensions: ["png", "jpg", "jpeg"], inputs: [input])
    }
    let folder = try pattern(path, input: first)
    // They are checked one by one, because sharing the sheet is not a conflict of names.
    for photo in truth.photos { _ = try pattern(folder.paths[0], input: photo.path) }
    try folder.makeFolders()
    return folder.paths[0]
  }
}
