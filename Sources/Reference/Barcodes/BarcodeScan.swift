import Geometry
import VisionProtocols

/// What a ``BarcodeScanner`` found in a picture.
public struct BarcodeScan: Hashable, Sendable {
  /// The codes that were read, from the top of the picture down.
  public var barcodes: [RecognizedBarcode]
  /// Where bars or dots of a code were seen and not read, from the top of the picture down.
  ///
  /// A hint to hold the camera closer, steadier or in better light. In a picture of stripes there may be some
  /// where no code is.
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
  /// One look at the picture as it is: for the frames of a camera, where the next one may be better.
  case fast
  /// One look, one more at each place that looks like a code of two dimensions, and many if that does not
  /// read everything beyond doubt. Light bars on dark are read if the picture has no dark ones on light.
  case normal
  /// Every look, whatever was read: for pictures with several codes, some of them hard.
  case thorough
}
