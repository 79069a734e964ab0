import ImageFiles
import RectangleDetection
import Rectification
import SpineDetection

/// `tally spines`: the books of a shelf or a stack, by their spines.
enum SpinesCommand: Command {
  static let specification = CommandSpecification(
    words: ["spines"],
    summary: "Find the spines of books in photos of shelves and stacks",
    discussion: [
      "Finds the spines of books in each photo by their edges, without a model, and prints them in "
        + "reading order: row by row from the top, each row from left to right. Positions are in "
        + "pixels of the upright photo, and are not clipped to it.",
      "Each spine is a quadrilateral with four corners, as a photo shows a spine at an angle. "
        + "--crops writes each as the camera would see it from the front, turned for reading.",
    ],
    operands: Operands(metavar: "IMAGE", help: "A JPEG, PNG or HEIC file.", isList: true),
    groups: [
      OptionGroup(
        "Output", [StandardOptions.json, overlay, crops, textRuns, StandardOptions.quiet])
    ],
    examples: [
      Example("List the spines of a shelf.", "tally spines shelf.jpg"),
      Example("Look at what was found.", "tally spines shelf.jpg --overlay spines.png"),
      Example(
        "Cut the spines out of many photos, one line of JSON each.",
        "tally spines photos/*.jpg --json --crops spines"),
    ])

  static let overlay = Option(
    "overlay", .outputPath("FILE"),
    help: "Draw the result: the photo with the outlines of the spines, numbered in reading order; "
      + "\(DrawingFile.formats). With several photos FILE must hold {name}, which becomes "
      + "the photo's name without its extension, or be a folder, which gets NAME.png.")
  static let crops = Option(
    "crops", .outputPath("DIR"),
    help: "Write each spine into this folder, straightened, its long side horizontal: "
      + "NAME-01.png, NAME-02.png and so on in reading order.")
  static let textRuns = Option(
    "text-runs", .choice("WAY", SpineTextRun.allCases.map { (word: $0.rawValue, value: $0) }),
    help: "Which way text runs on standing spines, for --crops: down, as usual in English, or up, "
      + "as in French.",
    fallback: "down")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let images = arguments.operands
    let overlays = try arguments[overlay].map { pattern throws(UsageError) in
      try OutputPattern(
        pattern, option: overlay.name, extensions: DrawingFile.extensions, inputs: images)
    }
    let crops = try arguments[crops].map { folder throws(UsageError) in
      try SpineCrops(
        folder: folder, images: images, overlays: overlays?.paths ?? [],
        run: arguments[textRuns] ?? .down)
    }
    if crops == nil, arguments[textRuns] != nil {
      throw UsageError("--text-runs says how --crops are turned, and --crops is not given")
    }
    try overlays?.makeFolders()
    try crops?.makeFolder()

    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    let loop = InputLoop(console: console, progress: progress)
    return try await loop.forEach(images) { index, path in
      loop.show("looking for spines", index, of: images)
      let image = try ImageFile.load(contentsOf: InputFile.existing(path))
      let report = SpineReport(
        path: path, width: image.width, height: image.height,
        spines: try SpineDetector().spines(in: image))
      let text =
        arguments[StandardOptions.json]
        ? report.json(rectangles: try RectangleDetector().rectangles(in: image)).text
        : report.lines.joined(separator: "\n")
      progress.erase()
      try console.print(text)
      if let path = overlays?.paths[index] {
        try DrawingFile.write(report.overlay, over: image, to: path)
      }
      try crops?.write(report.spines.map(\.quad), of: image, at: index)
    }
  }
}
