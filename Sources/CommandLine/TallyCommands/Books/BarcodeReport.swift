import Geometry
import ISBN
import Perception

/// The barcodes of a photo as text for people and as JSON for machines.
struct BarcodeReport: PhotoReport {
  let path: String
  let width: Int
  let height: Int
  /// From the top down.
  let barcodes: [RecognizedBarcode]

  /// The ISBN of a book's code, nil for every other.
  static func isbn(of barcode: RecognizedBarcode) -> ISBN13? {
    guard barcode.symbology == .ean13 else { return nil }
    return try? EANPayload(barcode.payload).isbn
  }

  /// One object.
  var json: JSONText {
    .object(
      JSONText.members(ofImage: path, width: width, height: height) + [
        ("barcodes", .array(barcodes.map { .object(Self.members(of: $0)) }))
      ])
  }

  /// A barcode's payload, place and ISBN.
  static func members(of barcode: RecognizedBarcode) -> [(String, JSONText)] {
    [
      ("payload", .string(barcode.payload)),
      ("symbology", .string(barcode.symbology.rawValue)),
      ("quad", .corners(of: barcode.outline)),
      ("confidence", .float(barcode.confidence)),
      ("isbn13", .optional(isbn(of: barcode)) { .string($0.description) }),
    ]
  }

  /// The number of barcodes, and a table of them.
  var lines: [String] {
    let number =
      barcodes.isEmpty
      ? "no barcodes" : Sentence.count(barcodes.count, "barcode", "barcodes")
    let title = "\(PrintableText.of(path)): \(number) (\(width) x \(height) pixels)"
    return [title] + (barcodes.isEmpty ? [] : Self.table(of: barcodes))
  }

  /// A line a barcode, below one of titles.
  static func table(of barcodes: [RecognizedBarcode]) -> [String] {
    var table = TextTable([
      ("  payload", .left), ("symbology", .left), ("confidence", .right), ("isbn", .right),
      ("left", .right), ("top", .right), ("right", .right), ("bottom", .right),
    ])
    for barcode in barcodes {
      let box = barcode.outline.boundingBox
      let sides = [box.minX, box.minY, box.maxX, box.maxY].map(Double.init)
      table.add(
        [
          "  " + PrintableText.of(barcode.payload), barcode.symbology.rawValue,
          NumberText.fixed(Double(barcode.confidence), digits: 4),
          isbn(of: barcode)?.description ?? "-",
        ] + sides.map { NumberText.fixed($0, digits: 1) })
    }
    return table.lines
  }
}
