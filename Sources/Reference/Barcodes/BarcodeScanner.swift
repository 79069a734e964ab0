import Geometry
import Perception
import Raster
import ScanLines

/// Reads barcodes with ZBar, and with `EANScanner` what ZBar cannot read or is not sure of.
///
/// EAN-13, EAN-8, UPC-A, UPC-E, QR, Code 128, Code 39 and interleaved 2 of 5. A payload of EAN or UPC is its
/// digits, those of an add-on behind them; a UPC-E has eight and is not expanded. What ZBar has no
/// reader for that can be relied on (Data Matrix, Aztec, PDF417) is not read.
///
/// The picture as it is comes first. Codes that ZBar reads there on at least 16 scan lines are believed at once,
/// and where all are such, that is the answer. Otherwise the picture is looked at again enlarged, reduced and
/// turned by 45 degrees, and by `EANScanner`. A code is then believed where two looks of ZBar agree or
/// `EANScanner` reads it. Of two codes in one place the one with more witnesses is kept.
///
/// **Confidence** is `1 - 1 / (1 + lines)`, `lines` being the scan lines on which ZBar read the code: 0.94 at 16.
/// Where the other scanner is surer, it is that one's (see `EANScanner`). QR codes correct themselves: 1.
public struct BarcodeScanner: BarcodeReader {
  /// Makes a reader.
  public init() {}

  /// The longest side that ZBar looks at; longer pictures are reduced to it.
  private static let mostSide = 2400.0
  /// Pictures up to this side are also looked at enlarged.
  private static let smallSide = 1200.0

  /// Every barcode that could be read, from the top of the picture down.
  ///
  /// - Parameter image: an upright picture of any number of channels.
  /// - Complexity: O(pixels), some 10 to 30 ms for 640 x 480 where a code is easy; up to 1 or 2 s where there
  ///   is none but much that looks like bars.
  /// - Throws: ``BarcodeError``; `CancellationError` where the task is cancelled.
  public func barcodes(in image: Raster) async throws -> [RecognizedBarcode] {
    try Task.checkCancellation()
    let grey = try image.converted(toChannels: 1)
    let side = Double(max(grey.width, grey.height))
    let scale = min(1, Self.mostSide / side)
    var witnesses = Witnesses()
    witnesses.add(try ScanView(of: grey, scale: scale).symbols())
    if !witnesses.suffice {
      for factor in [side <= Self.smallSide ? 2 : 0, side >= 320 ? 0.5 * scale : 0] where factor > 0
      {
        try Task.checkCancellation()
        witnesses.add(try ScanView(of: grey, scale: factor).symbols())
      }
      try Task.checkCancellation()
      witnesses.add(try ScanView(diagonalOf: grey, scale: scale).symbols())
      try Task.checkCancellation()
      witnesses.add(try EANScanner().codes(in: grey))
    }
    return witnesses.barcodes
  }
}
