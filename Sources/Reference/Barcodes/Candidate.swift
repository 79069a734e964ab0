import Geometry
import Perception

/// A code that was read at least once, and what speaks for it.
struct Candidate {
  var payload: String
  var symbology: BarcodeSymbology
  var outline: Quadrilateral
  /// The most scan lines of one view.
  var lines: Int
  /// In how many views it was read.
  var views: Int
  /// What the scanner that paints codes says of it, where it was asked and found it.
  var scanned: Float?
  var addOn: String?

  /// Scan lines of one view that need no further witness.
  static let strong = 16
  /// The least for kinds without a check digit, or with one digit among few.
  private static let leastOfWeakKinds = 10

  /// Whether one look sufficed.
  var isStrong: Bool {
    switch symbology {
    case .qr: true
    case .code128: lines >= 4
    default: lines >= Self.strong
    }
  }

  /// Whether it is to be believed.
  var isBelieved: Bool {
    if isStrong || scanned != nil { return true }
    switch symbology {
    case .ean13, .upcA: return views >= 2
    case .code128: return lines >= 2 || views >= 2
    case .code39, .itf, .ean8, .upcE: return views >= 2 && lines >= Self.leastOfWeakKinds
    default: return true
    }
  }

  /// 1 - 1 / (1 + lines), or what the other scanner says where that is more.
  var confidence: Float {
    let own: Float = symbology == .qr ? 1 : 1 - 1 / (1 + Float(max(lines, 0)))
    return max(own, scanned ?? 0)
  }

  /// Whether the two are in one place: only one of them can be there.
  func overlaps(_ other: Candidate) -> Bool {
    outline.contains(other.outline.center) || other.outline.contains(outline.center)
  }
}
