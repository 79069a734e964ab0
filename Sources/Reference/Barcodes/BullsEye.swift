import Geometry
import _CLibrary

/// The three dark rings in the middle of a MaxiCode.
struct BullsEye {
  /// Its middle, in pixels.
  private(set) var center: Point
  /// The outer radius of its outer ring.
  private(set) var radius: Double
  /// The brightness of its rings.
  private(set) var dark = 0.0
  /// The brightness between them.
  private(set) var light = 0.0
  /// How far the two are apart, in standard deviations.
  private(set) var clearness = 0.0

  /// Whether rings are light, the code being light on dark.
  var isInverted: Bool { dark > light }

  /// The middles of the dark rings and of the light ones, in shares of the outer radius (ISO/IEC
  /// 16023: radii of 0.51, 1.19, 1.86, 2.53, 3.20 and 3.87 mm).
  private static let rings: (dark: [Double], light: [Double]) = (
    [0.22, 0.567, 0.913], [0.05, 0.394, 0.74]
  )
  private static let directions = (0..<16).map { (step: Int) -> (x: Double, y: Double) in
    let angle = Double(step) * .pi / 8
    return (x: cos(angle), y: sin(angle))
  }
  /// Rings are first looked for in a picture of this side or less.
  private static let searchSide = 150
  /// The least clearness: other things that are round have one dark ring or none.
  private static let leastClearness = 3.0

  /// Finds the rings near the middle of a picture that a MaxiCode nearly fills, at any angle; nil
  /// if none.
  init?(in plane: GreyPlane) {
    var small = plane
    while max(small.width, small.height) > Self.searchSide, let half = small.halved { small = half }
    let side = Double(min(small.width, small.height))
    guard side >= 40, var found = Self.likeliest(in: small, side: side) else { return nil }
    let factor = Double(plane.width) / Double(small.width)
    found = BullsEye(
      Point(x: found.center.x * factor, y: found.center.y * factor), found.radius * factor,
      in: plane)
    var reach = side / 100 * factor
    while reach > 0.1 {
      let around = found
      for (dx, dy, dr) in [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)] {
        let center = around.center.translated(dx: Double(dx) * reach, dy: Double(dy) * reach)
        let other = BullsEye(center, around.radius + Double(dr) * reach, in: plane)
        if other.clearness > found.clearness { found = other }
      }
      if found.clearness <= around.clearness { reach /= 2 }
    }
    guard found.clearness >= Self.leastClearness else { return nil }
    self = found
  }

  /// The clearest rings of those at even steps.
  private static func likeliest(in plane: GreyPlane, side: Double) -> BullsEye? {
    var best: BullsEye?
    let middle = Point(x: Double(plane.width) / 2, y: Double(plane.height) / 2)
    for size in 0..<10 {
      let radius = (0.08 + 0.011 * Double(size)) * side
      for v in -7...7 {
        for u in -7...7 {
          let center = middle.translated(
            dx: Double(u) * side / 60, dy: Double(v) * side / 60)
          let eye = BullsEye(center, radius, in: plane)
          if eye.clearness > best?.clearness ?? 0 { best = eye }
        }
      }
    }
    return best.flatMap { $0.clearness >= leastClearness / 2 ? $0 : nil }
  }

  private init(_ center: Point, _ radius: Double, in plane: GreyPlane) {
    self.center = center
    self.radius = radius
    var square = 0.0
    for (ring, other) in zip(Self.rings.dark, Self.rings.light) {
      for (x, y) in Self.directions {
        let a = plane.brightness(
          at: center.x + ring * radius * x, center.y + ring * radius * y)
        let b = plane.brightness(
          at: center.x + other * radius * x, center.y + other * radius * y)
        dark += a
        light += b
        square += a * a + b * b
      }
    }
    let count = Double(3 * Self.directions.count)
    dark /= count
    light /= count
    let variance = square / count - dark * dark - light * light
    clearness = abs(light - dark) / (max(variance, 0).squareRoot() + 8)
  }
}

extension GreyPlane {
  /// The brightness at a place between the four nearest samples; beyond the sides the nearest go
  /// on.
  func brightness(at x: Double, _ y: Double) -> Double {
    let (cx, cy) = (
      min(max(x - 0.5, 0), Double(width - 1)), min(max(y - 0.5, 0), Double(height - 1))
    )
    let (left, top) = (Int(cx), Int(cy))
    let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
    let (u, v) = (cx - Double(left), cy - Double(top))
    func value(_ x: Int, _ y: Int) -> Double { Double(samples[y * width + x]) }
    let upper = value(left, top) * (1 - u) + value(right, top) * u
    let lower = value(left, bottom) * (1 - u) + value(right, bottom) * u
    return upper * (1 - v) + lower * v
  }
}
