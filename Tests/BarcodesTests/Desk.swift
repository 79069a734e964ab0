import Foundation
import Geometry
import Raster
import TestSupport

/// A table on which drawn codes lie, each at its place, size and turn.
struct Desk {
  let width: Int
  let height: Int
  private var values: [Double]

  /// An empty table of some brightness, a little uneven.
  init(width: Int, height: Int, brightness: Double = 170) {
    self.width = width
    self.height = height
    var generator = SeededGenerator(seed: 11)
    values = (0..<width * height).map { _ in
      brightness + Double.random(in: -6...6, using: &generator)
    }
  }

  /// The picture of one channel.
  var picture: Raster {
    get throws {
      try Raster(
        width: width, height: height, channels: 1,
        samples: values.map { UInt8(min(max($0, 0), 255)) })
    }
  }

  /// Lays a picture of one channel down, its middle at a place; each pixel is the mean of sixteen points.
  ///
  /// - Parameters:
  ///   - scale: pixels of the table a pixel of the picture.
  ///   - degrees: by how much it is turned with the clock.
  mutating func lay(_ image: Raster, at middle: Point, scale: Double, degrees: Double) {
    let angle = degrees * .pi / 180
    let (c, s) = (cos(angle), sin(angle))
    let reach = hypot(Double(image.width), Double(image.height)) / 2 * scale + 1
    for y in max(Int(middle.y - reach), 0)..<min(Int(middle.y + reach), height) {
      for x in max(Int(middle.x - reach), 0)..<min(Int(middle.x + reach), width) {
        var (sum, count) = (0.0, 0.0)
        for point in 0..<16 {
          let dx = Double(x) + (Double(point % 4) + 0.5) / 4 - middle.x
          let dy = Double(y) + (Double(point / 4) + 0.5) / 4 - middle.y
          let u = (dx * c + dy * s) / scale + Double(image.width) / 2
          let v = (dy * c - dx * s) / scale + Double(image.height) / 2
          guard u >= 0, v >= 0, u < Double(image.width), v < Double(image.height) else { continue }
          sum += 25 + Double(image.samples[Int(v) * image.width + Int(u)]) * 0.8
          count += 1
        }
        let place = y * width + x
        values[place] = values[place] * (1 - count / 16) + sum / 16
      }
    }
  }
}
