import Geometry
import Raster

/// The colours along an outline, by which an object is known again from frame to frame.
enum OutlineColors {
  private static let places = 16
  private static let points = 3

  /// Colours at 16 places along the longer direction, minus middle grey: 48 values, from the upper
  /// or left end on.
  ///
  /// Nil if all is middle grey, because then there is no direction to compare.
  static func appearance(of quad: Quadrilateral, in image: Raster) -> [Float]? {
    var values = [Float](repeating: 0, count: 3 * places)
    let isUpright = quad.meanHeight >= quad.meanWidth
    for place in 0..<places {
      for along in 0..<points {
        let share = (Double(place) + (Double(along) + 0.5) / Double(points)) / Double(places)
        for across in 0..<points {
          // Not at the sides, which show parts of the neighbours.
          let side = 0.25 + 0.25 * Double(across)
          let (u, v) = isUpright ? (side, share) : (share, side)
          let color = Self.color(at: quad.point(u: u, v: v), in: image)
          for channel in 0..<3 { values[3 * place + channel] += color[channel] - 127.5 }
        }
      }
    }
    return values.contains { $0 != 0 } ? values : nil
  }

  /// Red, green and blue of the nearest pixel inside.
  private static func color(at point: Point, in image: Raster) -> [Float] {
    let x = Int(min(max(point.x, 0), Double(image.width - 1)))
    let y = Int(min(max(point.y, 0), Double(image.height - 1)))
    return (0..<3).map { Float(image[x: x, y: y, channel: image.channels >= 3 ? $0 : 0]) }
  }
}
