import Geometry
import Testing
import VisionProtocols

@testable import AppleVision

@Suite("Vision's barcodes")
struct SymbologyTests {
  private static let kinds: [(String, BarcodeSymbology)] = [
    ("Aztec", .aztec), ("Codabar", .codabar), ("Code128", .code128), ("Code39", .code39),
    ("Code39Checksum", .code39), ("Code39FullASCII", .code39),
    ("Code39FullASCIIChecksum", .code39), ("Code93", .code93), ("Code93i", .code93),
    ("DataMatrix", .dataMatrix), ("EAN13", .ean13), ("EAN8", .ean8), ("GS1DataBar", .dataBar),
    ("GS1DataBarExpanded", .dataBarExpanded),
    ("GS1DataBarLimited", BarcodeSymbology(rawValue: "DataBar Limited")), ("I2of5", .itf),
    ("I2of5Checksum", .itf), ("ITF14", .itf14),
    ("MSIPlessey", BarcodeSymbology(rawValue: "MSI Plessey")),
    ("MicroPDF417", BarcodeSymbology(rawValue: "MicroPDF417")),
    ("MicroQR", BarcodeSymbology(rawValue: "Micro QR")), ("PDF417", .pdf417), ("QR", .qr),
    ("UPCE", .upcE),
  ]

  private let outline = Quadrilateral(Box(minX: 0, minY: 0, maxX: 20, maxY: 10))

  private func barcode(
    _ kind: String, _ text: String?, bytes: [UInt8]? = nil, addOn: String? = nil
  ) -> RecognizedBarcode? {
    VisionSymbologies.barcode(
      ofVision: "VNBarcodeSymbology" + kind, text: text, bytes: bytes, addOn: addOn,
      outline: outline, confidence: 0.5)
  }

  @Test("Every kind of Vision has Tally's name", arguments: kinds)
  func names(kind: String, symbology: BarcodeSymbology) {
    #expect(VisionSymbologies.symbology(ofVision: "VNBarcodeSymbology" + kind) == symbology)
  }

  @Test("A kind that is newer than this has Vision's name without its prefix")
  func newKinds() {
    let symbology = VisionSymbologies.symbology(ofVision: "VNBarcodeSymbologyDotCode")
    #expect(symbology.rawValue == "DotCode")
    #expect(VisionSymbologies.symbology(ofVision: "Other").rawValue == "Other")
  }

  @Test("To ask for a kind asks Vision for each of its variants, and for those it is read as")
  func asked() {
    func names(_ kinds: BarcodeSymbology...) -> [String] {
      VisionSymbologies.visionNames(for: Set(kinds)).map { String($0.dropFirst(18)) }
    }
    #expect(
      names(.code39) == ["Code39", "Code39Checksum", "Code39FullASCII", "Code39FullASCIIChecksum"])
    #expect(names(.upcA) == ["EAN13"])
    #expect(names(.itf14) == ["I2of5", "I2of5Checksum", "ITF14"])
    #expect(names(.itf) == ["I2of5", "I2of5Checksum", "ITF14"])
    #expect(names(.qr, .ean8) == ["EAN8", "QR"])
    #expect(names(BarcodeSymbology(rawValue: "Micro QR")) == ["MicroQR"])
    // Vision reads none.
    #expect(names(.maxiCode) == [])
    let all = Self.kinds.map(\.1)
    #expect(
      VisionSymbologies.visionNames(for: Set(all))
        == Self.kinds.map { "VNBarcodeSymbology" + $0.0 }.sorted())
  }

  @Test("An EAN-13 with a leading zero is the UPC-A that it is bar by bar")
  func upcA() throws {
    let code = try #require(barcode("EAN13", "0036000291452"))
    #expect(code.symbology == .upcA)
    #expect(code.payload == "036000291452")
    #expect(code.outline == outline)
    #expect(code.confidence == 0.5)
    #expect(code.rawBytes == nil)
    #expect(barcode("EAN13", "9780306406157")?.symbology == .ean13)
    #expect(barcode("EAN8", "01234565")?.payload == "01234565")
  }

  @Test("Interleaved 2 of 5 with fourteen digits is ITF-14 if the check digit is right")
  func itf14() {
    #expect(barcode("I2of5", "15400141288763")?.symbology == .itf14)
    #expect(barcode("I2of5Checksum", "15400141288764")?.symbology == .itf)
    #expect(barcode("I2of5", "1540014128")?.symbology == .itf)
    #expect(barcode("I2of5", "1540014128876x")?.symbology == .itf)
    #expect(barcode("QR", "15400141288763")?.symbology == .qr)
  }

  @Test("Bytes that are not text are Latin-1, so that each is a character")
  func binary() throws {
    let code = try #require(barcode("QR", nil, bytes: [0x41, 0xE9, 0x00, 0xFF]))
    #expect(code.payload.unicodeScalars.map(\.value) == [0x41, 0xE9, 0, 0xFF])
    #expect(code.bytes == [0x41, 0xE9, 0x00, 0xFF])
    #expect(barcode("QR", nil, bytes: [0x41])?.rawBytes == nil)
    // A carriage return and a line feed are two bytes, and one character of Swift.
    #expect(barcode("QR", nil, bytes: [13, 10])?.bytes == [13, 10])
  }

  @Test("A code that says nothing is left out; text is kept whatever the bytes are")
  func nothing() {
    #expect(barcode("QR", nil) == nil)
    #expect(barcode("QR", nil, bytes: []) == nil)
    #expect(barcode("QR", "")?.payload == "")
    #expect(barcode("QR", "abc", bytes: [1, 2])?.rawBytes == nil)
  }

  @Test("The digits beside a code are kept")
  func addOn() {
    #expect(barcode("EAN13", "9780306406157", addOn: "51299")?.addOn == "51299")
    #expect(barcode("EAN13", "9780306406157", addOn: "")?.addOn == nil)
  }
}
