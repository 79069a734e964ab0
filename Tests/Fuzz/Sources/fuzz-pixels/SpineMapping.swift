import FuzzSupport
import Geometry
import SpineDetection

extension Target {
  /// Maps of a spine network at one to three sizes, painted or of any numbers: outlines of numbers, within the limits.
  static let spinemaps = Target("spinemaps", seeds: { spineMapSeeds }) { bytes in
    var choices = Choices(bytes)
    var limits = SpineDetectionConfiguration()
    limits.minimumConfidence = choices.setting(0...1)
    try refusable(SpineDetectionError.self) {
      var maps: [SpineMaps] = []
      for _ in 0...choices.below(3) { maps.append(try choices.spineMaps()) }
      let detector = SpineDetector(configuration: limits)
      let found = try detector.spines(in: maps)
      for spine in found {
        expect(spine.quad.isFinite, "\(spine)")
        expect((limits.minimumConfidence...1).contains(spine.confidence), "\(spine)")
        expect(spine.quad.signedArea >= 0, "\(spine) goes round the other way")
      }
      expect(try detector.spines(in: maps) == found, "\(found.count) spines, and others again")
    }
  }
}

extension Choices {
  /// What a network could say of a small picture, or could not.
  fileprivate mutating func spineMaps() throws(SpineDetectionError) -> SpineMaps {
    let kind = byte()
    let (width, height) = (1 + below(64), 1 + below(64))
    let (cellWidth, cellHeight) = (setting(0.25...16), setting(0.25...16))
    let planes = SpineMaps.Plane.allCases.count
    var values = [Float](repeating: 0, count: planes * width * height)
    func index(_ plane: SpineMaps.Plane, _ x: Int, _ y: Int) -> Int {
      (plane.rawValue * height + y) * width + x
    }
    if kind & 1 == 0 {
      for _ in 0..<below(24) {
        // Boxes of one plane, or of a spine with its core, its sides and its direction.
        let (x, y, wide, high) = (below(width), below(height), 1 + below(width), 1 + below(height))
        let (value, angle) = (Float(byte()) / 240, Double(byte()) / 40)
        let plane = below(planes + 4)
        for row in y..<min(height, y + high) {
          for column in x..<min(width, x + wide) {
            if let plane = SpineMaps.Plane(rawValue: plane) {
              values[index(plane, column, row)] = value * 2 - 1
              continue
            }
            values[index(.spine, column, row)] = value
            values[index(.cosine, column, row)] = Float(2 * angle - 6)
            values[index(.sine, column, row)] = plane % 2 == 0 ? 0 : value
            let isSide = column == x || column == x + wide - 1
            values[index(isSide ? .side : .core, column, row)] = value
          }
        }
      }
    }
    // Single cells over what was painted: all of them, or those that the bytes name.
    let cells = min(values.count, kind & 2 == 0 ? below(256) : values.count)
    for cell in 0..<cells where !isAtEnd {
      let place = kind & 2 == 0 ? below(values.count) : cell
      values[place] = kind & 4 == 0 ? Float(Int8(bitPattern: byte())) / 120 : anyFloat()
    }
    // A number of values that does not fit is refused.
    if kind > 250 { values.removeLast() }
    return try SpineMaps(
      values: values, width: width, height: height, cellWidth: cellWidth, cellHeight: cellHeight)
  }
}

/// Rows of spines, noise, and both at two sizes.
private let spineMapSeeds: [[UInt8]] = (0..<6).map { (number: Int) -> [UInt8] in
  var seed: [UInt8] = [125, UInt8(number % 3)]
  for _ in 0...number % 3 {
    seed += [UInt8(number), 60, 50, 60, 60]
    if number & 1 == 0 {
      seed.append(8)
      for spine in 0..<8 { seed += [UInt8(spine * 7), 4, 6, 38, 230, UInt8(20 * number), 8] }
    }
    for index in 0..<400 { seed.append(UInt8((index * 37 + (index >> 3) * 91 + number) & 0xFF)) }
  }
  return seed
}
