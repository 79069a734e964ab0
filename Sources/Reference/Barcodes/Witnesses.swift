import EANDecoding
import Geometry
import VisionProtocols

/// The results of several scans of one picture.
struct Witnesses {
  private var candidates: [Candidate] = []
  /// The outlines of codes of two dimensions that were found and not read.
  private var failures: [Quadrilateral] = []
  /// The parts that look like bars, if they were searched.
  var areas: [BarArea]?
  /// The kinds to return.
  private let symbologies: Set<BarcodeSymbology>

  /// The least scan lines of an add-on: two or five digits have no check digit.
  private static let leastOfAddOns = 6

  init(symbologies: Set<BarcodeSymbology>) {
    self.symbologies = symbologies
  }

  /// Whether nothing was read that is to be believed.
  var isEmpty: Bool { !candidates.contains(where: \.isBelieved) }

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

  /// Whether a code that is to be believed was read at a place.
  func holdsCode(at place: Quadrilateral) -> Bool {
    believed.contains {
      $0.outline.contains(place.center) || place.contains($0.outline.center)
    }
  }

  /// Adds what ZBar read in one view.
  mutating func add(_ symbols: [Sighting]) {
    for symbol in symbols {
      guard case .code(let symbology) = symbol.kind else { continue }
      let addOn = symbol.addOn.flatMap { symbol.lines >= Self.leastOfAddOns ? $0 : nil }
      merge(
        Candidate(
          payload: symbol.payload, bytes: symbol.bytes, symbology: symbology,
          outline: symbol.outline, lines: symbol.lines, views: 1, scanned: nil,
          addOn: addOn ?? Self.addOn(of: symbol, among: symbols)))
    }
  }

  /// Adds what ZXing found in one view.
  mutating func add(_ findings: ZXingScan.Findings) {
    add(findings.read)
    failures += findings.unread
  }

  /// Adds what the scanner that paints codes read.
  mutating func add(_ codes: [ScannedEAN]) {
    for code in codes {
      merge(
        Candidate(
          payload: code.digits, bytes: Array(code.digits.utf8), symbology: .ean13,
          outline: code.outline, lines: 0, views: 0, scanned: Float(code.confidence), addOn: nil))
    }
  }

  private mutating func merge(_ new: Candidate) {
    guard let index = candidates.firstIndex(where: { $0.isSameCode(as: new) }) else {
      candidates.append(new)
      return
    }
    candidates[index].views += new.views
    let isWhole = abs(new.outline.signedArea) > abs(candidates[index].outline.signedArea)
    if new.lines > candidates[index].lines || new.symbology == .pdf417 && isWhole {
      candidates[index].lines = new.lines
      candidates[index].outline = new.outline
    }
    if let scanned = new.scanned {
      candidates[index].scanned = scanned
      // ZBar joins halves of a code from different lines; with few lines, it may have seen the end
      // of one half only.
      if candidates[index].lines < Candidate.strong { candidates[index].outline = new.outline }
    }
    candidates[index].addOn = candidates[index].addOn ?? new.addOn
    // What reaches further now may be one with what was apart from it.
    let whole = candidates[index]
    if let part = candidates.indices.first(where: {
      $0 != index && candidates[$0].isSameCode(as: whole)
    }) {
      let rest = candidates[part]
      candidates[index].views = max(whole.views, rest.views)
      candidates[index].addOn = whole.addOn ?? rest.addOn
      candidates.remove(at: part)
    }
  }

  /// The digits that stand to the right of a code, no further away than the code is wide.
  private static func addOn(of code: Sighting, among symbols: [Sighting]) -> String? {
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

  /// The codes that are to be believed, of the kinds that were asked for, from the top down.
  var answer: [RecognizedBarcode] {
    believed.map(\.barcode).filter { code in
      symbologies.contains(code.symbology)
        || code.symbology == .itf14 && symbologies.contains(.itf)
    }.sorted {
      let (a, b) = ($0.outline.center, $1.outline.center)
      return (a.y, a.x, $0.payload) < (b.y, b.x, $1.payload)
    }
  }

  private var believed: [Candidate] {
    let losers = contested
    return candidates.enumerated().filter { $1.isBelieved && !losers.contains($0) }.map(\.element)
  }

  /// The outlines of bars or dots without a read code in a picture of a size, from the top down.
  func unread(in width: Int, _ height: Int) -> [Quadrilateral] {
    let known = believed.map(\.outline)
    var places: [Quadrilateral] = []
    for place in (areas ?? []).filter(\.isLikelyCode).map(\.outline) + failures {
      let center = place.center
      let isInside =
        (0...Double(width)).contains(center.x) && (0...Double(height)).contains(center.y)
      // An area that covers a read code, or is beside it like an add-on, is not another code.
      guard isInside,
        !(known + places).contains(where: { code in
          code.contains(center) || place.contains(code.center)
            || code.boundingBox.iou(place.boundingBox) > 0
        })
      else { continue }
      places.append(place)
    }
    return places.sorted { ($0.center.y, $0.center.x) < ($1.center.y, $1.center.x) }
  }
}
