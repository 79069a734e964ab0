import Geometry
import Raster
import VisionProtocols

extension ZXingScan {
  /// The kinds of DataBar: all rows of stacked ones too, but not the limited form, which ZXing
  /// 1.4.0 does not know.
  static let dataBarKinds: Set<BarcodeSymbology> = [.dataBar, .dataBarExpanded]

  /// The greatest number of scans of one picture.
  private static let mostDataBarLooks = 8

  /// The DataBar codes of a picture.
  ///
  /// ZXing fails an assertion if it finds a code again that it already has on two lines. This
  /// happens only with DataBar: always if its rows are stacked, often if it leans or is large. So
  /// if ZXing gives up, it searches for the first code only. Then the line of that code is painted
  /// over, and ZXing searches again. This gives the number of lines on which a code is read, and
  /// the other codes.
  func dataBars(in grey: Raster) throws(BarcodeError) -> [Sighting] {
    guard !symbologies.isEmpty else { return [] }
    if let whole = try findingsOfOnePass(over: grey, answersUnread: false) { return whole.read }
    var quick = self
    quick.isThorough = false
    // A quick scan gives up less often, and shows the heights of the codes.
    var found = try quick.findingsOfOnePass(over: grey, answersUnread: false)?.read ?? []
    for code in try linesOfDataBars(in: grey) {
      guard
        let index = found.firstIndex(where: { $0.kind == code.kind && $0.payload == code.payload })
      else {
        found.append(code)
        continue
      }
      found[index].lines = max(found[index].lines, code.lines)
    }
    return found
  }

  /// The DataBar codes of a picture, line by line, the first of which are taken away one after the
  /// other.
  private func linesOfDataBars(in grey: Raster) throws(BarcodeError) -> [Sighting] {
    var picture = grey
    var found: [Sighting] = []
    for _ in 0..<Self.mostDataBarLooks {
      guard
        var code = try findingsOfOnePass(over: picture, answersUnread: false, isSingle: true)?
          .read.first
      else { break }
      // ZXing says how often it saw the parts, which is twice.
      code.lines = 2
      let lines = code.outline
      if let index = found.firstIndex(where: { $0.kind == code.kind && $0.payload == code.payload }
      ) {
        found[index].lines += code.lines
        found[index].outline = Self.hull(of: found[index].outline, lines)
      } else {
        found.append(code)
      }
      guard let rest = Self.picture(picture, without: (lines.topLeft, lines.topRight))
      else { break }
      picture = rest
    }
    return found
  }

  /// The picture with white along the line on which a code was read; nil if that changes nothing.
  private static func picture(_ grey: Raster, without line: (start: Point, end: Point)) -> Raster? {
    let (start, end) = line
    let length = start.distance(to: end)
    guard length >= 1 else { return nil }
    let along = Point(x: (end.x - start.x) / length, y: (end.y - start.y) / length)
    var samples = grey.samples
    // One pixel on both sides, and some beyond both ends.
    for across in -2...2 {
      for step in -4...Int(2 * length) + 8 {
        let x = start.x + along.x * Double(step) / 2 - along.y * Double(across) / 2
        let y = start.y + along.y * Double(step) / 2 + along.x * Double(across) / 2
        guard x >= 0, y >= 0, x < Double(grey.width), y < Double(grey.height) else { continue }
        samples[Int(y) * grey.width + Int(x)] = 255
      }
    }
    guard samples != grey.samples else { return nil }
    return try? Raster(width: grey.width, height: grey.height, channels: 1, samples: samples)
  }

  /// An outline that has the upper side of one and the lower side of the other of two lines through
  /// a code.
  private static func hull(of one: Quadrilateral, _ other: Quadrilateral) -> Quadrilateral {
    let down = Point(
      x: one.bottomLeft.x - one.topLeft.x + one.bottomRight.x - one.topRight.x,
      y: one.bottomLeft.y - one.topLeft.y + one.bottomRight.y - one.topRight.y)
    func depth(_ point: Point) -> Double { point.x * down.x + point.y * down.y }
    func upper(_ a: Point, _ b: Point) -> Point { depth(a) <= depth(b) ? a : b }
    func lower(_ a: Point, _ b: Point) -> Point { depth(a) > depth(b) ? a : b }
    return Quadrilateral(
      topLeft: upper(one.topLeft, other.topLeft), topRight: upper(one.topRight, other.topRight),
      bottomRight: lower(one.bottomRight, other.bottomRight),
      bottomLeft: lower(one.bottomLeft, other.bottomLeft))
  }
}
