import Foundation
import Geometry
import Testing
import VisionProtocols

@Suite("Values that recognizers answer with")
struct RecognizedValuesTests {
  private let outline = Quadrilateral(Box(x: 1, y: 2, width: 3, height: 4))

  @Test("They survive being stored")
  func coding() throws {
    func stored<Value: Codable>(_ value: Value) throws -> Value {
      try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }
    let text = RecognizedText(outline: outline, text: "Emma", confidence: 0.9)
    #expect(try stored(text) == text)
    let barcode = RecognizedBarcode(payload: "9780306406157", symbology: .ean13, outline: outline)
    #expect(try stored(barcode) == barcode && barcode.confidence == 1)
    #expect(barcode.addOn == nil && barcode.bytes == Array("9780306406157".utf8))
    let other = RecognizedBarcode(
      payload: "\u{E9}\0", symbology: .dataMatrix, outline: outline, addOn: "05",
      rawBytes: [0xE9, 0])
    #expect(try stored(other) == other && other.bytes == [0xE9, 0])
    let shape = DetectedOutline(outline: outline, confidence: 0.8, appearance: [1, 0])
    #expect(try stored(shape) == shape)
    let kind = Classification(label: "cup", index: 3, confidence: 0.9)
    #expect(try stored(kind) == kind)
    for name in ["Emma", nil] {
      let match = LikenessMatch(id: UUID(), name: name, cosine: -0.5)
      #expect(try stored(match) == match)
    }
  }

  @Test("A missing model is named")
  func missingModel() {
    #expect(
      "\(ModelNotLoadedError(model: "kinds"))"
        == "the model kinds is not loaded; it has to be loaded first")
  }

  @Test("A symbology is its name, in JSON and in print, and there may be more of them")
  func symbologies() throws {
    let json = try JSONEncoder().encode([BarcodeSymbology.ean13, .code128])
    #expect(String(decoding: json, as: UTF8.self) == #"["EAN-13","Code 128"]"#)
    let other = try JSONDecoder().decode([BarcodeSymbology].self, from: Data(#"["Aztec"]"#.utf8))
    #expect(other == [BarcodeSymbology(rawValue: "Aztec")] && "\(other[0])" == "Aztec")
    let known: [BarcodeSymbology] = [
      .ean13, .ean8, .upcA, .upcE, .qr, .code128, .code39, .itf, .itf14, .code93, .codabar,
      .dataBar, .dataBarExpanded, .dataMatrix, .aztec, .pdf417, .maxiCode,
    ]
    #expect(Set(known).count == 17)
  }
}
