import Geometry
import Perception
import ScanLines

/// What several looks at one picture read.
struct Witnesses {
  private var candidates: [Candidate] = []

  /// The least scan lines of an add-on: two or five digits have no check digit.
  private static let leastOfAddOns = 6

  /// Whether there are codes, and each needs no further witness.
  var suffice: Bool {
    !candidates.isEmpty && candidates.allSatisfy(\.isStrong) && contested.isEmpty
  }

  /// Candidates in one place with a stronger one.
  private var contested: Set<Int> {
    var result: Set<Int> = []
    for (index, candidate) in candidates.enumerated() {
      for (other, rival) in candidates.enumerated()
      where other != index && candidate.overlaps(rival) && rival.outranks(candidate) {
        result.insert(index)
      }
    }
    return result
  }

  /// Adds what ZBar read in one view.
  mutating func add(_ symbols: [ZBarSymbol]) {
    for symbol in symbols {
      guard case .code(let symbology) = symbol.kind else { continue }
      let own = Candidate(
        payload: symbol.payload, symbology: symbology, outline: symbol.outline,
        lines: symbol.lines, views: 1, scanned: nil, addOn: Self.addOn(of: symbol, among: symbols))
      merge(own)
    }
  }

  /// Adds what the scanner that paints codes read.
  mutating func add(_ codes: [ScannedEAN]) {
    for code in codes {
      merge(
        Candidate(
          payload: code.digits, symbology: .ean13, outline: code.outline, lines: 0, views: 0,
          scanned: Float(code.confidence), addOn: nil))
    }
  }

  private mutating func merge(_ new: Candidate) {
    guard
      let index = candidates.firstIndex(where: {
        $0.isSameNumber(as: new) && $0.overlaps(new)
      })
    else {
      candidates.append(new)
      return
    }
    candidates[index].views += new.views
    if new.lines > candidates[index].lines {
      candidates[index].lines = new.lines
      candidates[index].outline = new.outline
    }
    if let scanned = new.scanned {
      candidates[index].scanned = scanned
      // ZBar joins halves of a code from different lines; where it had few, it may have seen the end of
      // one half only.
      if candidates[index].lines < Candidate.strong { candidates[index].outline = new.outline }
    }
    candidates[index].addOn = candidates[index].addOn ?? new.addOn
  }

  /// The digits that stand to the right of a code, no further away than the code is wide.
  private static func addOn(of code: ZBarSymbol, among symbols: [ZBarSymbol]) -> String? {
    let outline = code.outline
    guard case .code(let symbology) = code.kind,
      [.ean13, .upcA, .upcE].contains(symbology)
    else { return nil }
    let width = outline.meanWidth
    let right = Point(
      x: (outline.topRight.x + outline.bottomRight.x) / 2,
      y: (outline.topRight.y + outline.bottomRight.y) / 2)
    return symbols.first { other in
      guard other.kind == .addOn, other.lines >= leastOfAddOns else { return false }
      let center = other.outline.center
      return center.distance(to: right) < width && !outline.contains(center)
        && center.distance(to: outline.center) > width / 2
    }?.payload
  }

  /// The codes that are to be believed, from the top down.
  var barcodes: [RecognizedBarcode] {
    let losers = contested
    return candidates.enumerated().filter { $1.isBelieved && !losers.contains($0) }.map {
      $1.barcode
    }.sorted {
      let (a, b) = ($0.outline.center, $1.outline.center)
      return (a.y, a.x, $0.payload) < (b.y, b.x, $1.payload)
    }
  }
}

extension Candidate {
  /// Whether both have the same digits: ZBar calls a UPC-A what another view may call an EAN-13 with a zero.
  fileprivate func isSameNumber(as other: Candidate) -> Bool {
    ean == other.ean && (symbology == other.symbology || isRetail && other.isRetail)
  }

  private var isRetail: Bool { symbology == .ean13 || symbology == .upcA }
  private var ean: String { symbology == .upcA ? "0" + payload : payload }

  /// Whether this one has more witnesses: the other scanner's word first, then views, then lines.
  fileprivate func outranks(_ other: Candidate) -> Bool {
    if isStrong != other.isStrong { return isStrong }
    if (scanned != nil) != (other.scanned != nil) { return scanned != nil }
    if views != other.views { return views > other.views }
    if lines != other.lines { return lines > other.lines }
    return (scanned ?? 0, payload) > (other.scanned ?? 0, other.payload)
  }

  fileprivate var barcode: RecognizedBarcode {
    var digits = payload
    var kind = symbology
    if symbology == .ean13, payload.utf8.count == 13, payload.hasPrefix("0") {
      // An EAN-13 with a leading zero is a UPC-A, bar by bar.
      digits = String(payload.dropFirst())
      kind = .upcA
    }
    return RecognizedBarcode(
      payload: digits + (addOn ?? ""), symbology: kind, outline: outline, confidence: confidence)
  }
}
