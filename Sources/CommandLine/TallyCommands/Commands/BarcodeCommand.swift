import Barcodes

/// `tally barcode`: what the bars and dots of a photo say.
enum BarcodeCommand: Command {
  static let specification = CommandSpecification(
    words: ["barcode"],
    summary: "Read the barcodes in photos",
    discussion: [
      "Reads EAN-13, EAN-8, UPC-A, UPC-E, QR, Code 128, Code 39 and interleaved 2 of 5, from the "
        + "top of each photo down. The digits of an add-on stand behind those of its code. An "
        + "EAN-13 is also read where it is out of focus, tiny or badly lit.",
      "Positions are in pixels of the upright photo. The ISBN is that of a book's code.",
    ],
    operands: BatchOptions.operands(),
    groups: [
      OptionGroup(
        "Output",
        [StandardOptions.json, overlay, StandardOptions.quiet, StandardOptions.threads]),
      BatchOptions.group,
    ],
    examples: [
      Example("Read the code of a book.", "tally barcode cover.jpg"),
      Example("Read many, one line of JSON each.", "tally barcode photos --json"),
      Example("Keep the codes of a folder in a table.", "tally barcode photos --results codes.csv"),
    ])

  static let overlay = PhotoOverlays.option(of: "the outlines of the codes")

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    try BatchOptions.check(arguments)
    let photos = try PhotoList(arguments, console: console)
    let overlays = try PhotoOverlays(arguments[overlay], photos: photos)
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
        barcodes: try await BarcodeScanner().barcodes(in: photo.image))
      return try await PhotoAnswer(report) { try overlays.write($0.overlay, over: photo) }
    }
  }
}
