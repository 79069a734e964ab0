import CommandKit
import ReferenceModels
import SpineDetection
import VisionProtocols

/// `tally text`: the text in photos.
enum TextCommand: Command {
  static let specification = CommandSpecification(
    words: ["text"],
    summary: "Read the text in photos",
    discussion: [
      "Reads the text in each photo with PP-OCRv4 and prints it line by line, from top to bottom "
        + "and from left to right. It also reads text that runs up or down, as on the spines of "
        + "books. Positions are in pixels of the upright photo.",
      "The three models are not bundled: '\(TextModels.fetching)' fetches them.",
    ],
    operands: BatchOptions.operands(),
    groups: [
      OptionGroup(
        "Reading", [TextReading.models, confidence, spines, TextReading.correctWords]),
      OptionGroup(
        "Output",
        [StandardOptions.json, overlay, StandardOptions.quiet, StandardOptions.threads]),
      BatchOptions.group,
    ],
    examples: [
      Example("Read a page.", "tally text page.jpg"),
      Example("Read the spines of a shelf.", "tally text shelf.jpg --spines"),
      Example("Correct misread English words.", "tally text page.jpg --correct-words"),
      Example("Use models in your own folder.", "tally text page.jpg --models ocr"),
    ])

  static let confidence = Option(
    "confidence", .number("X", in: 0...1),
    help: "Print lines that are read with at least this confidence, 0 to 1.", fallback: "0.5")
  static let spines = Flag(
    "spines",
    help: "Find the spines of books, and also read each one straightened. This reads more on a "
      + "shelf, and takes three times as long.")
  static let overlay = PhotoOverlays.option(of: "the outlines of the lines, numbered as printed")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    try BatchOptions.check(arguments)
    let photos = try PhotoList(arguments, console: console)
    let overlays = try PhotoOverlays(arguments[overlay], photos: photos)
    let capacity = PhotoCapacity(arguments, photos: photos.paths.count, for: .reading)
    let reader = try TextReading.reader(
      capacity.shared(arguments), minimumConfidence: arguments[confidence], console: console)
    try overlays.makeFolders()
    let loop = try PhotoLoop<TextReport>(
      arguments, photos: photos, capacity: capacity, activity: "reading text", console: console
    ) {
      try ResultsSettings(
        of: specification, arguments, files: TextReading.modelFiles(arguments, console: console))
    }
    let isAlongSpines = arguments[spines]
    return try await loop.run { photo in
      let image = photo.image
      let report = TextReport(
        path: photo.path, width: image.width, height: image.height,
        texts: try await isAlongSpines
          ? reader.texts(in: image, along: SpineDetector().spines(in: image).map(\.quad))
          : reader.texts(in: image))
      return try await PhotoAnswer(report) { try overlays.write($0.overlay, over: photo) }
    }
  }
}
