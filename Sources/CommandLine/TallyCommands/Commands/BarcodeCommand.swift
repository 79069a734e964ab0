import Barcodes
import ImageFiles

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
    operands: Operands(metavar: "IMAGE", help: "A JPEG, PNG or HEIC file.", isList: true),
    groups: [OptionGroup("Output", [StandardOptions.json, StandardOptions.quiet])],
    examples: [
      Example("Read the code of a book.", "tally barcode cover.jpg"),
      Example("Read many, one line of JSON each.", "tally barcode photos/*.jpg --json"),
    ])

  static func run(_ arguments: ParsedArguments, console: Console) async throws -> ExitCode {
    let images = arguments.operands
    let progress = ProgressLine(on: console, isQuiet: arguments[StandardOptions.quiet])
    let loop = InputLoop(console: console, progress: progress)
    return try await loop.forEach(images) { index, path in
      loop.show("reading barcodes", index, of: images)
      let image = try ImageFile.load(contentsOf: InputFile.existing(path))
      let report = BarcodeReport(
        path: path, width: image.width, height: image.height,
        barcodes: try await BarcodeScanner().barcodes(in: image))
      let text =
        arguments[StandardOptions.json] ? report.json.text : report.lines.joined(separator: "\n")
      progress.erase()
      try console.print(text)
    }
  }
}
