import Geometry
import VisionProtocols

/// The names of Vision's kinds of barcodes, and what Tally calls them.
///
/// Names are compared and not constants, because some constants are newer than the oldest systems.
enum VisionSymbologies {
  private static let prefix = "VNBarcodeSymbology"

  /// The kinds that both name, by Vision's name without its prefix.
  private static let known: [String: BarcodeSymbology] = [
    "Aztec": .aztec, "Codabar": .codabar, "Code39": .code39, "Code39Checksum": .code39,
    "Code39FullASCII": .code39, "Code39FullASCIIChecksum": .code39, "Code93": .code93,
    "Code93i": .code93, "Code128": .code128, "DataMatrix": .dataMatrix, "EAN8": .ean8,
    "EAN13": .ean13, "GS1DataBar": .dataBar, "GS1DataBarExpanded": .dataBarExpanded, "I2of5": .itf,
    "I2of5Checksum": .itf, "ITF14": .itf14, "PDF417": .pdf417, "QR": .qr, "UPCE": .upcE,
  ]

  /// The usual names of kinds that Tally has no constant for.
  private static let others = [
    "GS1DataBarLimited": "DataBar Limited", "MicroPDF417": "MicroPDF417", "MicroQR": "Micro QR",
    "MSIPlessey": "MSI Plessey",
  ]

  /// What Tally calls a kind.
  ///
  /// A kind that neither table has keeps Vision's name, without the prefix.
  static func symbology(ofVision name: String) -> BarcodeSymbology {
    let short = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
    return known[short] ?? BarcodeSymbology(rawValue: others[short] ?? short)
  }

  /// Vision's names of all kinds among which those that are wanted can be, sorted.
  static func visionNames(for symbologies: Set<BarcodeSymbology>) -> [String] {
    var wanted = symbologies
    // Vision reads a UPC-A as the EAN-13 with a leading zero that it is.
    if wanted.contains(.upcA) { wanted.insert(.ean13) }
    // And a carton's code perhaps as interleaved 2 of 5.
    if wanted.contains(.itf14) { wanted.insert(.itf) }
    if wanted.contains(.itf) { wanted.insert(.itf14) }
    let short =
      known.filter { wanted.contains($0.value) }.map(\.key)
      + others.filter { wanted.contains(BarcodeSymbology(rawValue: $0.value)) }.map(\.key)
    return short.sorted().map { prefix + $0 }
  }

  /// A barcode as the seams have it; nil if it says nothing.
  ///
  /// - Parameters:
  ///   - name: Vision's name of the kind.
  ///   - text: what it says, if it is text.
  ///   - bytes: what it holds, if that is known.
  ///   - addOn: the digits beside an EAN or UPC.
  ///   - outline: in pixels of the upright image.
  ///   - confidence: 0...1.
  static func barcode(
    ofVision name: String, text: String?, bytes: [UInt8]?, addOn: String?, outline: Quadrilateral,
    confidence: Float
  ) -> RecognizedBarcode? {
    var symbology = symbology(ofVision: name)
    guard var payload = text else {
      // As for other readers, bytes that are not text are read as Latin-1.
      guard let bytes, !bytes.isEmpty else { return nil }
      let latin = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
      return RecognizedBarcode(
        payload: latin, symbology: symbology, outline: outline, confidence: confidence,
        addOn: addOn, rawBytes: bytes.elementsEqual(latin.utf8) ? nil : bytes)
    }
    if symbology == .ean13, payload.utf8.count == 13, payload.hasPrefix("0") {
      symbology = .upcA
      payload = String(payload.dropFirst())
    } else if symbology == .itf, isITF14(payload) {
      symbology = .itf14
    }
    return RecognizedBarcode(
      payload: payload, symbology: symbology, outline: outline, confidence: confidence,
      addOn: addOn.flatMap { $0.isEmpty ? nil : $0 })
  }

  /// Whether fourteen digits end in their check digit: 3 and 1 by turns, from the left, to a
  /// multiple of ten.
  private static func isITF14(_ payload: String) -> Bool {
    let digits = payload.utf8.map { Int($0) - 0x30 }
    guard digits.count == 14, digits.allSatisfy((0...9).contains) else { return false }
    let weighted = digits.enumerated().map { $0.isMultiple(of: 2) ? 3 * $1 : $1 }
    return weighted.reduce(0, +).isMultiple(of: 10)
  }
}
