import Geometry
import VisionProtocols

/// What a ``BarcodeScanner`` found in a picture.
public struct BarcodeScan: Hashable, Sendable {
  /// The codes that were read, from the top of the picture down.
  public var barcodes: [RecognizedBarcode]
  /// The outlines of codes that were found and not read, from the top of the picture down.
  ///
  /// A hint to hold the camera closer, steadier or in better light. In a picture of stripes there
  /// may be some where no code is.
  public var unread: [Quadrilateral]

  /// Makes an answer.
  public init(barcodes: [RecognizedBarcode] = [], unread: [Quadrilateral] = []) {
    self.barcodes = barcodes
    self.unread = unread
  }

  /// Whether bars or dots were seen and not read.
  public var barsSeen: Bool { !unread.isEmpty }
}

/// How hard a ``BarcodeScanner`` looks.
public enum BarcodeEffort: String, CaseIterable, Hashable, Sendable, Codable {
  /// One scan of the picture as it is: for the frames of a camera, because the next one may be
  /// better.
  case fast
  /// One scan, one more of each place that may be a code of two dimensions, and many if a code is
  /// in doubt.
  ///
  /// Light bars on dark are read if the picture has no dark ones on light.
  case normal
  /// All scans in any case: for pictures with several codes, if some are hard to read.
  case thorough
}
