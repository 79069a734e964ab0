import Geometry

/// One barcode that a ``BarcodeReader`` read.
public struct RecognizedBarcode: Hashable, Sendable, Codable {
  /// What it says as text, such as the digits of an EAN or UPC without those of an add-on.
  ///
  /// Whoever made the code chose it: it may hold any character, NUL and what moves a terminal's
  /// cursor too.
  public var payload: String
  /// The kind of bars or dots.
  public var symbology: BarcodeSymbology
  /// The outline in pixels of the upright image, origin at the top left.
  public var outline: Quadrilateral
  /// How sure the reader is, 0...1; 1 from readers that don't say.
  public var confidence: Float
  /// The two or five digits beside an EAN or UPC, such as a magazine's issue or a book's price.
  public var addOn: String?
  /// What the code holds byte by byte, if that is not the payload's UTF-8: another character set,
  /// or no text.
  public var rawBytes: [UInt8]?

  /// Makes a barcode.
  public init(
    payload: String, symbology: BarcodeSymbology, outline: Quadrilateral, confidence: Float = 1,
    addOn: String? = nil, rawBytes: [UInt8]? = nil
  ) {
    self.payload = payload
    self.symbology = symbology
    self.outline = outline
    self.confidence = confidence
    self.addOn = addOn
    self.rawBytes = rawBytes
  }

  /// What the code holds, byte by byte.
  public var bytes: [UInt8] { rawBytes ?? Array(payload.utf8) }
}

/// A kind of barcode, by its usual name.
///
/// Not an enumeration: a reader may know kinds that are not named here.
public struct BarcodeSymbology: RawRepresentable, Hashable, Sendable, Codable {
  /// The name.
  public let rawValue: String

  /// Names a kind.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// EAN-13, which books have.
  public static let ean13 = BarcodeSymbology(rawValue: "EAN-13")
  /// EAN-8.
  public static let ean8 = BarcodeSymbology(rawValue: "EAN-8")
  /// UPC-A.
  public static let upcA = BarcodeSymbology(rawValue: "UPC-A")
  /// UPC-E.
  public static let upcE = BarcodeSymbology(rawValue: "UPC-E")
  /// QR code.
  public static let qr = BarcodeSymbology(rawValue: "QR")
  /// Code 128.
  public static let code128 = BarcodeSymbology(rawValue: "Code 128")
  /// Code 39.
  public static let code39 = BarcodeSymbology(rawValue: "Code 39")
  /// Interleaved 2 of 5, of any even number of digits.
  public static let itf = BarcodeSymbology(rawValue: "ITF")
  /// Interleaved 2 of 5 of fourteen digits of which the last is their check digit, as cartons have
  /// it.
  public static let itf14 = BarcodeSymbology(rawValue: "ITF-14")
  /// Code 93.
  public static let code93 = BarcodeSymbology(rawValue: "Code 93")
  /// Codabar.
  public static let codabar = BarcodeSymbology(rawValue: "Codabar")
  /// GS1 DataBar, which was RSS-14.
  public static let dataBar = BarcodeSymbology(rawValue: "DataBar")
  /// GS1 DataBar Expanded.
  public static let dataBarExpanded = BarcodeSymbology(rawValue: "DataBar Expanded")
  /// Data Matrix.
  public static let dataMatrix = BarcodeSymbology(rawValue: "Data Matrix")
  /// Aztec.
  public static let aztec = BarcodeSymbology(rawValue: "Aztec")
  /// PDF417.
  public static let pdf417 = BarcodeSymbology(rawValue: "PDF417")
  /// MaxiCode.
  public static let maxiCode = BarcodeSymbology(rawValue: "MaxiCode")
}

extension BarcodeSymbology: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}
