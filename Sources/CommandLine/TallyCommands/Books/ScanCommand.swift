import Barcodes
import CommandKit
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
    operands: BatchOptions.operands(),
    groups: [
      OptionGroup(
        "Reading", [TextReading.models, TextReading.bothTurns, SpineFinding.edgesOnly]),
      OptionGroup(
        "Output",
        [StandardOptions.json, overlay, StandardOptions.quiet, StandardOptions.threads]),
      BatchOptions.group,
    ],
    examples: [
      Example("List the books of a shelf.", "tally scan shelf.jpg"),
      Example("See which title was read where.", "tally scan shelf.jpg --overlay titles.png"),
      Example("A line of JSON a photo, for a catalogue.", "tally scan photos/*.jpg --json"),
    ])

  static let overlay = PhotoOverlays.option(
    of: "the outlines of the spines, numbered as printed, and their titles if they fit")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    try BatchOptions.check(arguments)
    let photos = try PhotoList(arguments, console: console)
    let overlays = try PhotoOverlays(arguments[overlay], photos: photos)
    let capacity = PhotoCapacity(arguments, photos: photos.paths.count)
    let reader = ShelfReader(finding: try SpineFinding.detector(capacity.shared(arguments)))
      .recognizingText(
        with: try TextReading.reader(
          capacity.shared(arguments), minimumConfidence: nil, console: console)
      )
      .readingBarcodes(with: BarcodeScanner())
    try overlays.makeFolders()
    let loop = try PhotoLoop<ScanReport>(
      arguments, photos: photos, capacity: capacity, activity: "reading books", console: console
    ) {
      try ResultsSettings(
        of: specification, arguments,
        files: TextReading.modelFiles(arguments, console: console)
          + SpineFinding.modelFiles(arguments))
    }
    return try await loop.run { photo in
      let report = ScanReport(
        path: photo.path, width: photo.image.width, height: photo.image.height,
        shelf: try await reader.shelf(in: photo.image))
      return try await PhotoAnswer(report) { try overlays.write($0.overlay, over: photo) }
    }
  }
}
