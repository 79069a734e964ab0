import Geometry
import Raster
import TestSupport

/// Pictures with known edges.
enum Drawn {
  /// A picture of a shape, brighter by `step` than the ground, each pixel by the share of it inside.
  ///
  /// - Parameter isInside: whether a point of the picture's plane lies in the shape.
  static func shape(
    width: Int, height: Int, channels: Int = 3, ground: Double = 60, step: Double = 120,
    isInside: (Point) -> Bool
  ) throws -> Raster {
    let grid = 4
    return try Raster(width: width, height: height, channels: channels) { samples in
      for row in 0..<height {
        for column in 0..<width {
          var share = 0.0
          for part in 0..<grid * grid {
            let point = Point(
              x: Double(column) + (Double(part % grid) + 0.5) / Double(grid),
              y: Double(row) + (Double(part / grid) + 0.5) / Double(grid))
            if isInside(point) { share += 1 / Double(grid * grid) }
          }
          let value = UInt8((ground + step * share).rounded())
          for channel in 0..<channels {
            samples[(row * width + column) * channels + channel] = value
          }
        }
      }
    }
  }

  /// Independent noise around a mean.
  static func noise(width: Int, height: Int, amplitude: Double, seed: UInt64) throws -> Raster {
    var generator = SeededGenerator(seed: seed)
    return try Raster(width: width, height: height, channels: 1) { samples in
      for index in samples.indices {
        samples[index] = UInt8(128 + amplitude * (generator.unit() - 0.5))
      }
    }
  }
}
