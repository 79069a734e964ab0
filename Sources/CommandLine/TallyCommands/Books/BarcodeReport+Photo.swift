import CommandKit
import Drawing
import VisionProtocols

extension BarcodeReport {
  static let columns = [
    "payload", "addOn", "symbology", "confidence", "isbn13", "left", "top", "right", "bottom",
  ]

  var found: Int { barcodes.count }

  var records: [[String]] {
    barcodes.map { barcode in
      [
        CSVText.text(barcode.payload), CSVText.text(barcode.addOn ?? ""),
        barcode.symbology.rawValue, JSONText.float(barcode.confidence).text,
        Self.isbn(of: barcode)?.description ?? "",
      ] + CSVText.sides(of: barcode.outline.boundingBox)
    }
  }

  /// The outlines of the codes with what they say.
  var overlay: Overlay {
    Overlay(
      marks: barcodes.enumerated().map { index, barcode in
        Overlay.Mark(
          quad: barcode.outline, label: Self.label(of: barcode), shortLabel: "\(index + 1)",
          color: .green)
      }, caption: Sentence.count(barcodes.count, "barcode", "barcodes"))
  }

  /// The payload, and after it the add-on if there is one.
  static func label(of barcode: RecognizedBarcode) -> String {
    [barcode.payload, barcode.addOn].compactMap { $0 }.joined(separator: " ")
  }
}
