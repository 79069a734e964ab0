import Geometry
import VisionProtocols

/// A code that was read at least once, and what speaks for it.
struct Candidate {
  var payload: String
  var bytes: [UInt8]
  var symbology: BarcodeSymbology
  var outline: Quadrilateral
  /// The greatest number of scan lines in one scan.
  var lines: Int
  /// The number of scans that read it, counted for each of the two readers.
  var views: Int
  /// The confidence of `EANScanner`, if it was used and found the code.
  var scanned: Float?
  var addOn: String?

  /// The number of scan lines in one scan that need no further evidence.
  static let strong = 16
  /// The least for kinds without a check digit, or with one digit among few.
  private static let leastOfWeakKinds = 10
  /// The fewest digits of interleaved 2 of 5: a line that leaves a longer code at a slant reads as
  /// a short one.
  private static let leastOfITF = 6
  /// The fewest characters of Codabar with its start and end, for it has no check digit either.
  private static let leastOfCodabar = 5

  /// Whether it is of two dimensions, which have words of error correction.
  var isMatrix: Bool { ZXingScan.matrixKinds.contains(symbology) }

  /// Whether one scan sufficed.
  var isStrong: Bool {
    switch symbology {
    case _ where isMatrix: true
    case .code128: lines >= 4
    default: lines >= Self.strong && !isTooShort
    }
  }

  /// Whether it is to be believed.
  var isBelieved: Bool {
    if isTooShort { return false }
    if isStrong || scanned != nil { return true }
    switch symbology {
    case .ean13, .upcA: return views >= 2
    case .code128: return lines >= 2 || views >= 2
    case .dataBar, .dataBarExpanded, .code93: return views >= 2 && lines >= 4
    case .code39, .itf, .ean8, .upcE, .codabar:
      return views >= 2 && lines >= Self.leastOfWeakKinds
    default: return false
    }
  }

  /// Whether it says less than any line through a longer code of its kind might.
  private var isTooShort: Bool {
    switch symbology {
    case .itf: payload.utf8.count < Self.leastOfITF
    case .codabar: payload.utf8.count < Self.leastOfCodabar
    default: false
    }
  }

  /// 1 - 1 / (1 + lines), or that of `EANScanner` if it is higher.
  var confidence: Float {
    let own: Float = isMatrix ? 1 : 1 - 1 / (1 + Float(max(lines, 0)))
    return max(own, scanned ?? 0)
  }

  /// Whether the two are in one place: only one of them can be there.
  func overlaps(_ other: Candidate) -> Bool {
    outline.contains(other.outline.center) || other.outline.contains(outline.center)
  }

  /// Whether both are one code: of one kind and one payload, in one place.
  ///
  /// A code that is UPC-A for ZBar may be EAN-13 with a zero in another scan, and the two readers
  /// may decode the bytes of one QR code to different texts.
  func isSameCode(as other: Candidate) -> Bool {
    if symbology == .pdf417, other.symbology == .pdf417, payload == other.payload {
      // ZXing now and then says the place of one end only.
      let length = max(
        outline.meanWidth, outline.meanHeight, other.outline.meanWidth, other.outline.meanHeight)
      return outline.center.distance(to: other.outline.center) < 0.75 * length
    }
    let share = outline.intersectionArea(other.outline)
    let smaller = min(abs(outline.signedArea), abs(other.outline.signedArea))
    // Two scans may have read the upper and the lower part of one code.
    guard overlaps(other) || share > 0.1 * smaller else { return false }
    if symbology == other.symbology, isMatrix { return true }
    return ean == other.ean && (symbology == other.symbology || isRetail && other.isRetail)
  }

  private var isRetail: Bool { symbology == .ean13 || symbology == .upcA }
  private var ean: String { symbology == .upcA ? "0" + payload : payload }

  /// Whether this one has more evidence: by error correction, `EANScanner`, scans and lines, in
  /// this order.
  func outranks(_ other: Candidate) -> Bool {
    if isStrong != other.isStrong { return isStrong }
    if isMatrix != other.isMatrix { return isMatrix }
    if (scanned != nil) != (other.scanned != nil) { return scanned != nil }
    if views != other.views { return views > other.views }
    if lines != other.lines { return lines > other.lines }
    return (scanned ?? 0, payload) > (other.scanned ?? 0, other.payload)
  }

  /// The code as it is answered.
  var barcode: RecognizedBarcode {
    var digits = payload
    var kind = symbology
    if symbology == .ean13, payload.utf8.count == 13, payload.hasPrefix("0") {
      // An EAN-13 with a leading zero is a UPC-A, bar by bar.
      digits = String(payload.dropFirst())
      kind = .upcA
    } else if symbology == .itf, Self.isITF14(payload) {
      kind = .itf14
    }
    return RecognizedBarcode(
      payload: digits, symbology: kind, outline: outline, confidence: confidence, addOn: addOn,
      rawBytes: isMatrix && !bytes.elementsEqual(payload.utf8) ? bytes : nil)
  }

  /// Whether fourteen digits end in their check digit: 3 and 1 by turns, from the left, to a
  /// multiple of ten.
  static func isITF14(_ payload: String) -> Bool {
    let digits = payload.utf8.map { Int($0) - 0x30 }
    guard digits.count == 14, digits.allSatisfy((0...9).contains) else { return false }
    let weighted = digits.enumerated().map { $0.isMultiple(of: 2) ? 3 * $1 : $1 }
    return weighted.reduce(0, +).isMultiple(of: 10)
  }
}
