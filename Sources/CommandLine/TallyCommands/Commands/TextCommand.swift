import Drawing
import ImageFiles
import Perception
import ReferenceModels
import SpineDetection

/// `tally text`: the text in photos.
enum TextCommand: Command {
  static let specification = CommandSpecification(
    words: ["text"],
    summary: "Read the text in photos",
    discussion: [
      "Reads the text in each photo with PP-OCRv4 and prints it line by line, from top to bottom "
        + "and from left to right. Text that runs up or down, as on the spines of books, is read "
        + "too. Positions are in pixels of the upright photo.",
      "The three models do not come with this program: '\(TextModels.fetching)' fetches them.",
    ],
    operands: Operands(metavar: "IMAGE", help: "A JPEG, PNG or HEIC file.", isList: true),
    groups: [
      OptionGroup("Reading", [TextReading.models, confidence, TextReading.bothTurns, spines]),
      OptionGroup(
        "Output",
        [StandardOptions.json, overlay, StandardOptions.quiet, StandardOptions.threads]),
    ],
    examples: [
      Example("Read a page.", "tally text page.jpg"),
      Example(
        "Read the spines of a shelf, whichever way their text runs.",
        "tally text shelf.jpg --spines --both-turns"),
      Example("Models in a folder of one's own.", "tally text page.jpg --models ocr"),
    ])

  static let confidence = Option(
    "confidence", .number("X", in: 0...1),
    help: "Print lines that are read with at least this confidence, 0 to 1.", fallback: "0.5")
  static let spines = Flag(
    "spines",
    help: "Find the spines of books, and read each by itself too, straightened: more is read on a "
      + "shelf, in three times the time.")
  static let overlay = Option(
    "overlay", .outputPath("FILE"),
    help: "Draw the result: the photo with the outlines of the lines, numbered as printed; "
      + "\(DrawingFile.formats). With several photos FILE must hold {name}, which becomes "
      + "the photo's name without its extension, or be a folder, which gets NAME.png.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let images = arguments.operands
    let overlays = try arguments[overlay].map { pattern throws(UsageError) in
      try OutputPattern(
        pattern, option: overlay.name, extensions: DrawingFile.extensions, inputs: images)
    }
    let reader = try TextReading.reader(
      arguments, minimumConfidence: arguments[confidence], console: console)
    try overlays?.makeFolders()

    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    let loop = InputLoop(console: console, progress: progress)
    return try await loop.forEach(images) { index, path in
      loop.show("reading text", index, of: images)
      let image = try ImageFile.load(contentsOf: InputFile.existing(path))
      let report = TextReport(
        path: path, width: image.width, height: image.height,
        texts: try await arguments[spines]
          ? reader.texts(in: image, along: SpineDetector().spines(in: image).map(\.quad))
          : reader.texts(in: image))
      progress.erase()
      try console.print(
        arguments[StandardOptions.json]
          ? report.json.text : report.lines.joined(separator: "\n"))
      if let path = overlays?.paths[index] {
        try DrawingFile.write(report.overlay, over: image, to: path)
      }
    }
  }
}
