import Geometry
import Raster

/// The brightness of a picture, 0...255, as numbers that can be averaged.
struct LuminancePlane: Sendable {
  let width: Int
  let height: Int
  private(set) var values: [Float]

  init(_ image: Raster) throws {
    let grey = try image.converted(toChannels: 1)
    width = grey.width
    height = grey.height
    values = grey.samples.map(Float.init)
  }

  private init(width: Int, height: Int, values: [Float]) {
    self.width = width
    self.height = height
    self.values = values
  }

  /// The plane reduced by a whole factor: each value the mean of a square.
  func reduced(by factor: Int) -> LuminancePlane {
    guard factor > 1, width >= factor, height >= factor else { return self }
    let (newWidth, newHeight) = (width / factor, height / factor)
    var means = [Float](repeating: 0, count: newWidth * newHeight)
    for row in 0..<newHeight * factor {
      let target = row / factor * newWidth
      for column in 0..<newWidth {
        let from = row * width + column * factor
        for offset in from..<from + factor { means[target + column] += values[offset] }
      }
    }
    let share = 1 / Float(factor * factor)
    return LuminancePlane(width: newWidth, height: newHeight, values: means.map { $0 * share })
  }
}

extension LuminancePlane {
  /// The mean brightness of a strip at evenly spaced places across the bars.
  ///
  /// Each answer is the mean of points along the bars, found between the four nearest pixels.
  /// Beyond the picture its nearest pixels go on.
  ///
  /// - Parameters:
  ///   - origin: the middle of the strip at the first place, in pixels; pixel (0, 0) is the square
  ///     from there to (1, 1).
  ///   - across: the step from place to place.
  ///   - along: the step from point to point along the bars.
  ///   - points: how many points a mean is of.
  func profile(
    from origin: Point, across: Point, count: Int, along: Point, points: Int
  ) -> [Float] {
    var means = [Float](repeating: 0, count: count)
    let (lastX, lastY) = (Float(width - 1), Float(height - 1))
    // Unsafe pointers: this loop is most of the time of a reading, and bounds checks double it.
    values.withUnsafeBufferPointer { values in
      means.withUnsafeMutableBufferPointer { means in
        for point in 0..<points {
          let way = Double(point) - Double(points - 1) / 2
          var x = Float(origin.x + way * along.x - 0.5)
          var y = Float(origin.y + way * along.y - 0.5)
          let (dx, dy) = (Float(across.x), Float(across.y))
          for place in 0..<count {
            let cx = x > 0 ? (x < lastX ? x : lastX) : 0
            let cy = y > 0 ? (y < lastY ? y : lastY) : 0
            let (left, top) = (Int(cx), Int(cy))
            let right = left + 1 < width ? 1 : 0
            let below = top + 1 < height ? width : 0
            let (fx, fy) = (cx - Float(left), cy - Float(top))
            let a = top * width + left
            let upper = values[a] + (values[a + right] - values[a]) * fx
            let lower = values[a + below] + (values[a + below + right] - values[a + below]) * fx
            means[place] += upper + (lower - upper) * fy
            x += dx
            y += dy
          }
        }
        let share = 1 / Float(points)
        for place in 0..<count { means[place] *= share }
      }
    }
    return means
  }
}
