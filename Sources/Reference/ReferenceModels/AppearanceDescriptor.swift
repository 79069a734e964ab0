import Foundation
import Raster

/// The arithmetic of ``AppearanceEmbedder``.
struct AppearanceDescriptor: Sendable {
  static let hues = 12
  static let lightnesses = 4
  static let rings = 3
  static let directions = 6

  private static let side = 32
  private static let colourWeight = 0.70
  private static let outlineWeight = 0.25
  private static let proportionWeight = 0.05

  /// Linear light of each 8-bit sample of sRGB (IEC 61966-2-1).
  private let linear: [Double] = (0..<256).map { sample in
    let value = Double(sample) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// The descriptor of an image.
  func values(of image: Raster) throws -> [Float] {
    let square = try Self.shrunk(image.converted(toChannels: 3))
    let (lightness, colour) = colours(of: square)
    let outline = Self.outline(of: lightness)
    let parts = [
      (Self.rooted(colour), Self.colourWeight), (Self.rooted(outline), Self.outlineWeight),
      (Self.proportions(width: image.width, height: image.height), Self.proportionWeight),
    ]
    return parts.flatMap { part, weight in part.map { Float($0 * weight.squareRoot()) } }
  }

  /// A square of the whole image: averaged where it is larger, so that texture counts as its mean.
  private static func shrunk(_ image: Raster) throws -> Raster {
    try image.resized(width: side, height: side, method: .bilinearAntialiased)
  }

  /// The lightness of every pixel, and the histogram of hues and lightnesses.
  private func colours(of square: Raster) -> (lightness: [Double], histogram: [Double]) {
    var lightness: [Double] = []
    lightness.reserveCapacity(Self.side * Self.side)
    var histogram = [Double](repeating: 0, count: Self.hues + Self.lightnesses)
    for y in 0..<Self.side {
      for x in 0..<Self.side {
        let (l, a, b) = oklab(
          red: linear[Int(square[x: x, y: y, channel: 0])],
          green: linear[Int(square[x: x, y: y, channel: 1])],
          blue: linear[Int(square[x: x, y: y, channel: 2])])
        lightness.append(l)
        let (u, v) = (Self.offset(x), Self.offset(y))
        let weight = exp(-(u * u + v * v) / (2 * 0.6 * 0.6))
        let colourful = min(max(((a * a + b * b).squareRoot() - 0.03) / 0.07, 0), 1)
        let hue = (atan2(b, a) / (2 * .pi) + 1) * Double(Self.hues)
        Self.share(
          weight * colourful, at: hue, among: Self.hues, from: 0, cyclic: true, in: &histogram)
        Self.share(
          weight * (1 - colourful), at: l * Double(Self.lightnesses - 1), among: Self.lightnesses,
          from: Self.hues, cyclic: false, in: &histogram)
      }
    }
    return (lightness, histogram)
  }

  /// Oklab of linear sRGB: lightness 0...1, and two opponent axes.
  private func oklab(red: Double, green: Double, blue: Double) -> (Double, Double, Double) {
    let l = cbrt(0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue)
    let m = cbrt(0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue)
    let s = cbrt(0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue)
    return (
      0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
      1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
      0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s
    )
  }

  /// Gradient directions relative to the radius, in rings around the center.
  private static func outline(of lightness: [Double]) -> [Double] {
    func value(_ x: Int, _ y: Int) -> Double {
      lightness[min(max(y, 0), side - 1) * side + min(max(x, 0), side - 1)]
    }
    var histogram = [Double](repeating: 0, count: rings * directions)
    for y in 0..<side {
      for x in 0..<side {
        // Sobel's operator, an eighth of it: the slope per pixel.
        let right = value(x + 1, y - 1) + 2 * value(x + 1, y) + value(x + 1, y + 1)
        let left = value(x - 1, y - 1) + 2 * value(x - 1, y) + value(x - 1, y + 1)
        let below = value(x - 1, y + 1) + 2 * value(x, y + 1) + value(x + 1, y + 1)
        let above = value(x - 1, y - 1) + 2 * value(x, y - 1) + value(x + 1, y - 1)
        let (dx, dy) = ((right - left) / 8, (below - above) / 8)
        let (u, v) = (offset(x), offset(y))
        // Light on dark and dark on light are one direction.
        let turn = (atan2(dy, dx) - atan2(v, u)) / .pi + 2
        let ring = (u * u + v * v).squareRoot() / 1.2 * Double(rings) - 0.5
        let inner = min(max(ring, 0), Double(rings - 1))
        let outerShare = inner - inner.rounded(.down)
        let first = min(Int(inner), rings - 1)
        let strength = (dx * dx + dy * dy).squareRoot()
        for (place, part) in [(first, 1 - outerShare), (min(first + 1, rings - 1), outerShare)] {
          share(
            strength * part, at: turn * Double(directions), among: directions,
            from: place * directions, cyclic: true, in: &histogram)
        }
      }
    }
    // An even surface has no outline; a little of every direction keeps the part's length at 1.
    return histogram.map { $0 + 1e-3 }
  }

  /// The ratio of the sides as a direction between 1:1 and 3:1.
  private static func proportions(width: Int, height: Int) -> [Double] {
    let ratio = abs(log(Double(width) / Double(height)))
    let angle = min(ratio / log(3), 1) * .pi / 2
    return [cos(angle), sin(angle)]
  }

  /// A column's or row's place, -1...1 from edge to edge.
  private static func offset(_ index: Int) -> Double {
    (Double(index) + 0.5) / Double(side) * 2 - 1
  }

  /// Adds an amount to the two bins nearest to a position.
  private static func share(
    _ amount: Double, at position: Double, among bins: Int, from start: Int, cyclic: Bool,
    in histogram: inout [Double]
  ) {
    let floor = position.rounded(.down)
    let fraction = position - floor
    let lower = Int(floor)
    let places =
      cyclic
      ? (lower % bins, (lower + 1) % bins)
      : (min(max(lower, 0), bins - 1), min(max(lower + 1, 0), bins - 1))
    histogram[start + places.0] += amount * (1 - fraction)
    histogram[start + places.1] += amount * fraction
  }

  /// The square roots of shares: a vector of length 1.
  private static func rooted(_ histogram: [Double]) -> [Double] {
    let sum = histogram.reduce(0, +)
    return histogram.map { ($0 / sum).squareRoot() }
  }
}
