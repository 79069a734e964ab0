import Barcodes
import CommandKit
import Foundation
import ReferenceModels
import ShelfReading

/// `tally scan`: the books of a shelf by their titles.
enum ScanCommand: Command {
  static let specification = CommandSpecification(
    words: ["scan"],
    summary: "Read the books of a shelf: titles, authors, ISBNs",
    discussion: [
      "Finds the spines of books in each photo of a shelf, a stack or a single book, reads what is "
        + "on each, and proposes a title and an author. ISBNs are taken from barcodes and from "
        + "text. Spines are listed in reading order; positions are in pixels of the upright photo.",
      "With --catalogue, spines are matched with a list of your books. A spine that matches gets "
        + "the title and author of the list. Books of the list that are not seen are listed as "
        + "missing. Each copy in the list matches at most one spine.",
      "The three models that read text are not bundled: '\(TextModels.fetching)' fetches them.",
    ],
    operands: BatchOptions.operands(),
    groups: [
      OptionGroup(
        "Reading", [TextReading.models, catalogue, SpineFinding.edgesOnly, barcodeEffort]),
      OptionGroup(
        "Output",
        [StandardOptions.json, overlay, StandardOptions.quiet, StandardOptions.threads]),
      BatchOptions.group,
    ],
    examples: [
      Example("List the books of a shelf.", "tally scan shelf.jpg"),
      Example("See which title was read where.", "tally scan shelf.jpg --overlay titles.png"),
      Example(
        "See which of your books are on the shelf, and which are missing.",
        "tally scan shelf.jpg --catalogue books.csv"),
      Example("Print one line of JSON per photo.", "tally scan photos/*.jpg --json"),
    ])

  static let overlay = PhotoOverlays.option(
    of: "the outlines of the spines, numbered as printed, and their titles if they fit")

  static let barcodeEffort = Option(
    "barcode-effort", .choice("E", BarcodeEffort.allCases.map { ($0.rawValue, $0) }),
    help: "The effort for barcodes, as that of 'tally barcode'.",
    fallback: "fast if there are books, and otherwise normal")

  static let catalogue = Option(
    "catalogue", .path("FILE"),
    help: "A table of books as CSV in UTF-8. The first line names the columns: 'title' and, if "
      + "there are any, 'author', 'subtitle', 'isbn' and 'id'.")

  /// More than a million books.
  private static let largestCatalogue = 512 << 20

  /// The books of the file that is named.
  private static func books(_ arguments: ParsedArguments) throws -> BookCatalogue? {
    guard let path = arguments[catalogue] else { return nil }
    let bytes = try InputFile.bytes(path, atMost: largestCatalogue)
    do {
      return try BookCatalogue(csv: bytes)
    } catch {
      throw Failure.of(error, at: path)
    }
  }

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    try BatchOptions.check(arguments)
    let photos = try PhotoList(arguments, console: console)
    let books = try books(arguments)
    let overlays = try PhotoOverlays(arguments[overlay], photos: photos)
    let capacity = PhotoCapacity(arguments, photos: photos.paths.count, for: .readingShelves)
    let reader = ShelfReader(finding: try SpineFinding.detector(capacity.shared(arguments)))
      .recognizingText(
        with: try TextReading.reader(
          capacity.shared(arguments), minimumConfidence: nil, console: console)
      )
      .readingBarcodes(
        with: BarcodeScanner(effort: arguments[barcodeEffort] ?? .fast),
        closeUps: arguments[barcodeEffort] == nil ? BarcodeScanner() : nil)
    try overlays.makeFolders()
    let loop = try PhotoLoop<ScanReport>(
      arguments, photos: photos, capacity: capacity, activity: "reading books", console: console
    ) {
      try ResultsSettings(
        of: specification, arguments,
        files: TextReading.modelFiles(arguments, console: console)
          + SpineFinding.modelFiles(arguments)
          + (arguments[catalogue].map { [(name: "catalogue", file: URL(fileURLWithPath: $0))] }
            ?? []))
    }
    return try await loop.run { photo in
      let shelf = try await reader.shelf(in: photo.image)
      let report = ScanReport(
        path: photo.path, width: photo.image.width, height: photo.image.height, shelf: shelf,
        known: books.map { (catalogue: $0, matches: $0.matches(of: shelf)) })
      return try await PhotoAnswer(report) { try overlays.write($0.overlay, over: photo) }
    }
  }
}
