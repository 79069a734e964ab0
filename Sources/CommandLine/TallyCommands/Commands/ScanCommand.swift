import Barcodes
import Drawing
import ImageFiles
import ReferenceModels
import ShelfReading

/// `tally scan`: the books of a shelf by their titles.
enum ScanCommand: Command {
  static let specification = CommandSpecification(
    words: ["scan"],
    summary: "Read the books of a shelf: titles, authors, ISBNs",
    discussion: [
      "Finds the spines of books in each photo of a shelf, a stack or a single book, reads what is "
        + "on each, and proposes which of it is the title and which the author. ISBNs are "
        + "taken from barcodes and from text. Spines are listed in reading order; positions are in "
        + "pixels of the upright photo.",
      "The three models that read text do not come with this program: '\(TextModels.fetching)' "
        + "fetches them.",
    ],
    operands: Operands(metavar: "IMAGE", help: "A JPEG, PNG or HEIC file.", isList: true),
    groups: [
      OptionGroup("Reading", [TextReading.models, TextReading.bothTurns]),
      OptionGroup(
        "Output",
        [StandardOptions.json, overlay, StandardOptions.quiet, StandardOptions.threads]),
    ],
    examples: [
      Example("List the books of a shelf.", "tally scan shelf.jpg"),
      Example("See which title was read where.", "tally scan shelf.jpg --overlay titles.png"),
      Example("A line of JSON a photo, for a catalogue.", "tally scan photos/*.jpg --json"),
    ])

  static let overlay = Option(
    "overlay", .outputPath("FILE"),
    help: "Draw the result: the photo with the outlines of the spines, numbered as printed, and "
      + "their titles where they fit; \(DrawingFile.formats). With several photos FILE "
      + "must hold {name}, which becomes the photo's name without its extension, or be a folder, "
      + "which gets NAME.png.")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let images = arguments.operands
    let overlays = try arguments[overlay].map { pattern throws(UsageError) in
      try OutputPattern(
        pattern, option: overlay.name, extensions: DrawingFile.extensions, inputs: images)
    }
    let reader = ShelfReader(finding: SpineOutlineDetector())
      .recognizingText(
        with: try TextReading.reader(arguments, minimumConfidence: nil, console: console)
      )
      .readingBarcodes(with: BarcodeScanner())
    try overlays?.makeFolders()

    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    let loop = InputLoop(console: console, progress: progress)
    return try await loop.forEach(images) { index, path in
      loop.show("reading books", index, of: images)
      let image = try ImageFile.load(contentsOf: InputFile.existing(path))
      let report = ScanReport(
        path: path, width: image.width, height: image.height,
        shelf: try await reader.shelf(in: image))
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
