import Barcodes
import CommandKit

/// `tally barcode`: what the bars and dots of a photo say.
enum BarcodeCommand: Command {
  static let specification = CommandSpecification(
    words: ["barcode"],
    summary: "Read the barcodes in photos",
    discussion: [
      "Reads EAN-13, EAN-8, UPC-A, UPC-E, QR, Data Matrix, Aztec, PDF417, MaxiCode, Code 128, "
        + "Code 39, Code 93, Codabar, DataBar, DataBar Expanded, ITF-14 and other interleaved 2 of "
        + "5, from the top of each photo down. The digits beside an EAN or UPC are its add-on. An "
        + "EAN-13 is also read if it is out of focus, tiny or badly lit.",
      "Positions are in pixels of the upright photo. The code of a book gives its ISBN. If a code "
        + "was found but could not be read, this is printed too.",
    ],
    operands: BatchOptions.operands(),
    groups: [
      OptionGroup("Reading", [symbologies, effort]),
      OptionGroup(
        "Output",
        [StandardOptions.json, raw, overlay, StandardOptions.quiet, StandardOptions.threads]),
      BatchOptions.group,
    ],
    examples: [
      Example("Read the code of a book.", "tally barcode cover.jpg"),
      Example("Read many, one line of JSON each.", "tally barcode photos --json"),
      Example(
        "Print what the QR codes of a folder say.", "tally barcode photos --symbologies qr --raw"),
      Example("Keep the codes of a folder in a table.", "tally barcode photos --results codes.csv"),
    ])

  static let symbologies = Option(
    "symbologies", .symbologies("LIST"),
    help: "The symbologies to read, separated by commas: "
      + SymbologyNames.all.map(\.name).joined(separator: ", ") + ". Fewer take less time.",
    fallback: "all")
  static let effort = Option(
    "effort", .choice("E", BarcodeEffort.allCases.map { ($0.rawValue, $0) }),
    help: "The effort: fast is one scan; normal scans again if the first scan leaves a code in "
      + "doubt; thorough does all scans. Thorough is for photos with several codes if some are "
      + "hard to read or light on dark.", fallback: "normal")
  static let raw = Flag(
    "raw", help: "Print only the payloads of the codes, one per line, without add-ons.")
  static let overlay = PhotoOverlays.option(of: "the outlines of the codes")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    try BatchOptions.check(arguments)
    let isRaw = arguments[raw]
    if isRaw,
      arguments[StandardOptions.json] || arguments.has(BatchOptions.format)
        || arguments.has(BatchOptions.results)
    {
      throw UsageError("--raw prints payloads alone; leave out --json, --format and --results")
    }
    let scanner = BarcodeScanner(
      symbologies: arguments[symbologies] ?? BarcodeScanner.everySymbology,
      effort: arguments[effort] ?? .normal)
    let photos = try PhotoList(arguments, console: console)
    let overlays = try PhotoOverlays(arguments[overlay], photos: photos)
    try overlays.makeFolders()
    let loop = try PhotoLoop<BarcodeReport>(
      arguments, photos: photos,
      capacity: PhotoCapacity(arguments, photos: photos.paths.count),
      activity: "reading barcodes", console: console
    ) {
      try ResultsSettings(of: specification, arguments)
    }
    return try await loop.run { photo in
      let report = BarcodeReport(
        path: photo.path, width: photo.image.width, height: photo.image.height,
        scan: try await scanner.scan(photo.image), isRaw: isRaw)
      return try await PhotoAnswer(report) { try overlays.write($0.overlay, over: photo) }
    }
  }
}
