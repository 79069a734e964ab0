import Geometry
import VisionProtocols

/// A code that one reader read in one scan of a picture.
struct Sighting: Sendable {
  /// The reader that read it.
  enum Reader: Hashable, Sendable {
    case zbar
    case zxing
  }

  /// What kinds there are for us: codes, and what stands beside them.
  enum Kind: Hashable, Sendable {
    case code(BarcodeSymbology)
    /// Two or five digits beside an EAN or UPC code.
    case addOn
  }

  var reader: Reader
  var kind: Kind
  var payload: String
  /// What the code holds, byte by byte.
  var bytes: [UInt8]
  /// The digits beside the code, if the reader says them with the code.
  var addOn: String?
  /// The outline in pixels of the scanned picture.
  var outline: Quadrilateral
  /// On how many scan lines it was read; of two-dimensional codes always 1.
  var lines: Int
}
