import Geometry

/// One barcode that a ``BarcodeReader`` read.
public struct RecognizedBarcode: Hashable, Sendable, Codable {
  /// What it says; for EAN and UPC the digits, an add-on's behind them.
  public var payload: String
  /// The kind of bars or dots.
  public var symbology: BarcodeSymbology
  /// Where, in pixels of the upright image, origin at the top left.
  public var outline: Quadrilateral
  /// How sure the reader is, 0...1; 1 from readers that don't say.
  public var confidence: Float

  /// Makes a barcode.
  public init(
    payload: String, symbology: BarcodeSymbology, outline: Quadrilateral, confidence: Float = 1
  ) {
    self.payload = payload
    self.symbology = symbology
    self.outline = outline
    self.confidence = confidence
  }
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
  /// Interleaved 2 of 5.
  public static let itf = BarcodeSymbology(rawValue: "ITF")
}

extension BarcodeSymbology: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}
