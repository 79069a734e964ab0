import Geometry

/// A strip of a region across its bars, and its profile: the mean along the bars.
struct Strip: Sendable {
  /// The middle of the strip along the bars, from the region's center, in pixels.
  let offset: Double
  /// How far it reaches along the bars.
  let thickness: Double
  /// How far the bars lean against the region's own direction, as a tangent.
  let tilt: Double
  /// Pixels from place to place of the profile.
  let step: Double
  /// The first place, in pixels of the picture.
  let origin: Point
  /// The direction along the leaning bars.
  let along: Point
  /// Brightness, place after place.
  let profile: [Float]

  /// How far bars are tried to lean either way; perspective fans them out.
  private static let tilts = stride(from: -0.14, through: 0.141, by: 0.02)

  /// Averages a strip along one direction.
  init(
    of region: BarRegion, in plane: LuminancePlane, offset: Double, thickness: Double, tilt: Double
  ) {
    self.offset = offset
    self.thickness = thickness
    self.tilt = tilt
    step = max(region.width / 380, 0.4)
    let reach = region.width * 1.5
    along = Point(
      x: region.along.x + tilt * region.across.x, y: region.along.y + tilt * region.across.y)
    origin = Point(
      x: region.center.x + offset * along.x - reach / 2 * region.across.x,
      y: region.center.y + offset * along.y - reach / 2 * region.across.y)
    let points = min(max(Int(thickness), 1), 40)
    let spacing = thickness / Double(points)
    profile = plane.profile(
      from: origin, across: Point(x: region.across.x * step, y: region.across.y * step),
      count: max(Int(reach / step), 2),
      along: Point(x: along.x * spacing, y: along.y * spacing), points: points)
  }

  /// The strip along the direction in which its bars are sharpest: no other keeps them apart.
  static func sharpest(
    of region: BarRegion, in plane: LuminancePlane, offset: Double, thickness: Double
  ) -> Strip {
    var best = Strip(of: region, in: plane, offset: offset, thickness: thickness, tilt: 0)
    var energy = best.energy
    for tilt in tilts where abs(tilt) > 0.001 {
      let strip = Strip(of: region, in: plane, offset: offset, thickness: thickness, tilt: tilt)
      if strip.energy > energy {
        best = strip
        energy = strip.energy
      }
    }
    return best
  }

  /// The sum of squared steps in the region itself.
  private var energy: Float {
    var sum: Float = 0
    for index in profile.count / 6..<profile.count * 5 / 6 {
      let step = profile[index + 1] - profile[index]
      sum += step * step
    }
    return sum
  }

  /// A place of the profile at a share of the thickness from the middle, in pixels of the picture.
  func point(at place: Double, _ share: Double, in region: BarRegion) -> Point {
    let (u, v) = (place * step, share * thickness)
    return Point(
      x: origin.x + u * region.across.x + v * along.x,
      y: origin.y + u * region.across.y + v * along.y)
  }
}
