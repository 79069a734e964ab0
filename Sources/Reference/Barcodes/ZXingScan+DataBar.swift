import Geometry
import Raster
import VisionProtocols
import _CLibrary

extension ZXingScan {
  /// The kinds of DataBar: all rows of stacked ones too, but not the limited form, which ZXing 1.4.0 does not know.
  static let dataBarKinds: Set<BarcodeSymbology> = [.dataBar, .dataBarExpanded]

  /// How often one picture is looked at.
  private static let mostDataBarLooks = 8

  /// The DataBar codes of a picture.
  ///
  /// ZXing fails an assertion as soon as it meets a DataBar that it has on two lines once more. So it is asked for
  /// the first one only, the line where that was is painted over, and it is asked again: that tells on how many lines
  /// a code is read, and what other codes there are.
  func dataBars(in grey: Raster) throws(BarcodeError) -> [Sighting] {
    guard !symbologies.isEmpty else { return [] }
    var picture = grey
    var found: [Sighting] = []
    for _ in 0..<Self.mostDataBarLooks {
      guard
        var code = try pass(over: picture, answersUnread: false, isSingle: true).read.first
      else { break }
      // It says of how many pairs it is made where others say on how many lines they were seen.
      code.lines = 2
      let line = code.outline
      if let index = found.firstIndex(where: { $0.kind == code.kind && $0.payload == code.payload }
      ) {
        found[index].lines += code.lines
        found[index].outline = Self.hull(of: found[index].outline, line)
      } else {
        found.append(code)
      }
      guard let rest = Self.picture(picture, without: line) else { break }
      picture = rest
    }
    return found
  }

  /// The picture with white along the line on which a code was read; nil if that changes nothing.
  private static func picture(_ grey: Raster, without line: Quadrilateral) -> Raster? {
    let (start, end) = (
      middle(line.topLeft, line.bottomLeft), middle(line.topRight, line.bottomRight)
    )
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

  private static func middle(_ a: Point, _ b: Point) -> Point {
    Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
  }

  /// An outline that has the upper side of one and the lower side of the other of two lines through a code.
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
