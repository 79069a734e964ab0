import Barcodes
import CommandKit
import Geometry
import ISBN
import VisionProtocols

/// The barcodes of a photo as text for people and as JSON for machines.
struct BarcodeReport: PhotoReport {
  let path: String
  let width: Int
  let height: Int
  /// From the top down.
  let barcodes: [RecognizedBarcode]
  /// The outlines of bars or dots that were found and not read, from the top down.
  let barsSeen: [Quadrilateral]
  /// Whether people get the payloads alone.
  let isRaw: Bool

  /// Makes the report of a photo.
  init(path: String, width: Int, height: Int, scan: BarcodeScan, isRaw: Bool = false) {
    self.path = path
    self.width = width
    self.height = height
    barcodes = scan.barcodes
    barsSeen = scan.unread
    self.isRaw = isRaw
  }

  /// The ISBN of a book's code, nil for every other.
  static func isbn(of barcode: RecognizedBarcode) -> ISBN13? {
    guard barcode.symbology == .ean13 else { return nil }
    return try? EANPayload(barcode.payload).isbn
  }

  /// One object.
  var json: JSONText {
    .object(
      JSONText.members(ofImage: path, width: width, height: height) + [
        ("barcodes", .array(barcodes.map { .object(Self.members(of: $0)) })),
        ("barsSeen", .array(barsSeen.map { .corners(of: $0) })),
      ])
  }

  /// A barcode's payload, add-on, place and ISBN.
  static func members(of barcode: RecognizedBarcode) -> [(String, JSONText)] {
    [
      ("payload", .string(barcode.payload)),
      ("addOn", .optional(barcode.addOn) { .string($0) }),
      ("symbology", .string(barcode.symbology.rawValue)),
      ("quad", .corners(of: barcode.outline)),
      ("confidence", .float(barcode.confidence)),
      ("isbn13", .optional(isbn(of: barcode)) { .string($0.description) }),
    ]
  }

  /// The number of barcodes, a table of them, and if there are bars that could not be read; or the
  /// payloads.
  var lines: [String] {
    if isRaw { return barcodes.map { PrintableText.of($0.payload) } }
    let number =
      barcodes.isEmpty
      ? "no barcodes" : Sentence.count(barcodes.count, "barcode", "barcodes")
    let title = "\(PrintableText.of(path)): \(number) (\(width) x \(height) pixels)"
    return [title] + (barcodes.isEmpty ? [] : Self.table(of: barcodes))
      + barsSeen.map(Self.line(ofBarsSeen:))
  }

  /// Says where bars were seen.
  private static func line(ofBarsSeen place: Quadrilateral) -> String {
    let box = place.boundingBox
    let sides = [box.minX, box.minY, box.maxX, box.maxY].map {
      NumberText.fixed(Double($0), digits: 1)
    }
    return "  bars or dots that could not be read: left \(sides[0]), top \(sides[1]), "
      + "right \(sides[2]), bottom \(sides[3])"
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
          "  " + PrintableText.of(barcode.payload) + (barcode.addOn.map { " + \($0)" } ?? ""),
          barcode.symbology.rawValue,
          NumberText.fixed(Double(barcode.confidence), digits: 4),
          isbn(of: barcode)?.description ?? "-",
        ] + sides.map { NumberText.fixed($0, digits: 1) })
    }
    return table.lines
  }
}
