import Barcodes
import CommandKit
import Foundation
import VisionProtocols

/// The kinds of barcodes as words of a command line: `ean-13` for EAN-13, `data-matrix` for Data
/// Matrix.
enum SymbologyNames {
  /// Every kind that can be read, by its word.
  static let all: [(name: String, symbology: BarcodeSymbology)] = BarcodeScanner.everySymbology.map
  {
    (name: word(of: $0), symbology: $0)
  }.sorted { $0.name < $1.name }

  private static func word(of symbology: BarcodeSymbology) -> String {
    symbology.rawValue.lowercased().replacingOccurrences(of: " ", with: "-")
  }

  /// The kinds of a list with commas; nil if one is not known, or there is none.
  ///
  /// Hyphens and capital letters make no difference: `EAN13` is `ean-13`.
  static func symbologies(in list: String) -> Set<BarcodeSymbology>? {
    func bare(_ word: some StringProtocol) -> String {
      String(word.lowercased().filter { $0 != "-" && $0 != " " })
    }
    var result: Set<BarcodeSymbology> = []
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let known = all.first(where: { bare($0.name) == bare(word) }) else { return nil }
      result.insert(known.symbology)
    }
    return result.isEmpty ? nil : result
  }
}

extension ValueKind where Value == Set<BarcodeSymbology> {
  /// Kinds of barcodes with commas between them.
  static func symbologies(_ metavar: String) -> ValueKind {
    ValueKind(
      metavar: metavar,
      expectation: "kinds of barcodes with commas between them, of "
        + Sentence.either(SymbologyNames.all.map(\.name)),
      parse: SymbologyNames.symbologies)
  }
}
