import EANDecoding
import Geometry
import Raster
import VisionProtocols

/// Reads barcodes with ZBar and ZXing, and with `EANScanner` what neither can read or is sure of.
///
/// The kinds are those of ``everySymbology``. A payload of EAN or UPC is its digits, and those beside it are
/// the barcode's `addOn`; a UPC-E has eight and is not expanded. Interleaved 2 of 5 of fourteen digits with the
/// right check digit is ITF-14; all else of at least six digits is ITF. Codabar keeps its start and end
/// letters. DataBar begins with `01`, its application identifier; DataBar Expanded has each of its own in
/// parentheses, as `(01)98898765432106(3103)001750`. In other GS1 codes a separator of fields is U+001D.
///
/// **Text and bytes.** A code of two dimensions holds bytes. Its payload is their text by the character set that
/// the code names, or else by the one that fits them: bytes that are not text are taken for Latin-1, so that every
/// byte is one character. `rawBytes` has the bytes themselves if they are not the payload's UTF-8. Whoever made
/// the code chose them: NUL, control characters and anything else may be among them.
///
/// The picture as it is comes first. Codes that are read there on at least 16 scan lines, and those of two
/// dimensions, which correct themselves, are believed at once. Then places full of edges at right angles, as codes
/// of two dimensions are, are cut out upright, and each module is drawn again in black or white. If all that was
/// read is beyond doubt, that is the answer. Otherwise there are more looks: enlarged, reduced, turned by 45 degrees, inverted, and at every part that
/// looks like bars, turned upright and enlarged; and by `EANScanner`. A code is then believed if two looks agree or
/// `EANScanner` reads it. Of two codes in one place the one with more witnesses is kept.
///
/// **Confidence** is `1 - 1 / (1 + lines)`, `lines` being the scan lines on which the code was read: 0.94 at 16.
/// If `EANScanner` is surer, it is that one's. Codes of two dimensions correct themselves: 1.
public struct BarcodeScanner: BarcodeReader {
  /// The kinds that are looked for.
  public var symbologies: Set<BarcodeSymbology>
  /// How hard it looks.
  public var effort: BarcodeEffort

  /// Every kind that can be read.
  public static let everySymbology = Set(ZXingScan.kinds.map(\.symbology) + [.itf14])

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - symbologies: the kinds to look for; others are not answered, and fewer take less time. `.itf` includes
  ///     ITF-14, and a UPC-A is looked for as such: `.ean13` alone does not answer it. Kinds beyond
  ///     ``everySymbology`` are never found.
  ///   - effort: how hard to look.
  public init(
    symbologies: Set<BarcodeSymbology> = BarcodeScanner.everySymbology,
    effort: BarcodeEffort = .normal
  ) {
    self.symbologies = symbologies
    self.effort = effort
  }

  /// Every barcode that could be read, from the top of the picture down.
  ///
  /// - Parameter image: an upright picture of any number of channels.
  /// - Complexity: O(pixels), some 20 to 50 ms for 640 x 480 where a code is easy; up to 1 or 2 s if there
  ///   is none but much that looks like bars.
  /// - Throws: ``BarcodeError``; `CancellationError` if the task is cancelled.
  public func barcodes(in image: Raster) async throws -> [RecognizedBarcode] {
    try looks(at: image).answer
  }

  /// Every barcode that could be read, and if there are bars or dots that could not.
  ///
  /// - Parameter image: an upright picture of any number of channels.
  /// - Complexity: as ``barcodes(in:)``, and some 10 ms more.
  /// - Throws: ``BarcodeError``; `CancellationError` if the task is cancelled.
  public func scan(_ image: Raster) async throws -> BarcodeScan {
    var witnesses = try looks(at: image)
    if witnesses.areas == nil {
      witnesses.areas = try BarArea.areas(in: image, limit: ScanLooks.areaLimit(effort))
    }
    return BarcodeScan(
      barcodes: witnesses.answer, unread: witnesses.unread(in: image.width, image.height))
  }

  private func looks(at image: Raster) throws -> Witnesses {
    try Task.checkCancellation()
    var looks = ScanLooks(
      at: try image.converted(toChannels: 1), symbologies: symbologies, effort: effort)
    try looks.run()
    return looks.witnesses
  }
}
