import EANDecoding
import Geometry
import Raster
import VisionProtocols

/// Reads barcodes with ZBar and ZXing, and with `EANScanner` for codes that these cannot read
/// reliably.
///
/// The kinds are those of ``everySymbology``. The payload of an EAN or UPC is its digits, and the
/// digits beside it are the barcode's `addOn`. A UPC-E has eight digits and is not expanded.
/// Interleaved 2 of 5 with fourteen digits and the right check digit is ITF-14; others of at least
/// six digits are ITF. Codabar keeps its start and end letters. DataBar begins with `01`, its
/// application identifier; DataBar Expanded has each of its own in parentheses, as
/// `(01)98898765432106(3103)001750`. In other GS1 codes a separator of fields is U+001D.
///
/// **Text and bytes.** A code of two dimensions holds bytes. Its payload is their text in the
/// character set that the code names, or else in the one that fits. Bytes that are not text are
/// read as Latin-1, so that every byte is one character. `rawBytes` has the bytes themselves if
/// they are not the payload's UTF-8. The bytes are not trusted: NUL, control characters and
/// anything else may be among them.
///
/// The first scan is of the picture as it is. Codes that are read there on at least 16 scan lines,
/// and codes of two dimensions, which correct errors, are accepted at once. Then places full of
/// edges at right angles, as in codes of two dimensions, are cut out upright, and each module is
/// drawn again in black or white. If no code is in doubt, this is the result. Otherwise there are
/// more scans: enlarged, reduced, turned by 45 degrees, inverted, of every part that looks like
/// bars (turned upright and enlarged), and by `EANScanner`. A code is then accepted if two scans
/// agree or `EANScanner` reads it. If two codes are in one place, the one with more evidence is
/// kept.
///
/// **Confidence** is `1 - 1 / (1 + lines)`, where `lines` is the number of scan lines on which the
/// code was read: 0.94 at 16. If that of `EANScanner` is higher, it is used. Codes of two
/// dimensions have 1.
public struct BarcodeScanner: BarcodeReader {
  /// The kinds that are looked for.
  public var symbologies: Set<BarcodeSymbology>
  /// The effort of a scan.
  public var effort: BarcodeEffort

  /// Every kind that can be read.
  public static let everySymbology = Set(ZXingScan.kinds.map(\.symbology) + [.itf14])

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - symbologies: the kinds to read; others are not returned, and fewer take less time. `.itf`
  ///     includes ITF-14. A UPC-A is a kind of its own: `.ean13` alone does not return it. Kinds
  ///     beyond ``everySymbology`` are never found.
  ///   - effort: the effort of a scan.
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
  /// - Complexity: O(pixels), about 20 to 50 ms for 640 x 480 if a code is easy to read; up to 1 or
  ///   2 s if there is none and much looks like bars.
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
