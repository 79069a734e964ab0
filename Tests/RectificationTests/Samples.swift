import Geometry
import Raster
import TestSupport

/// A quadrilateral of its eight coordinates.
func quad(_ values: Double...) -> Quadrilateral { quad(values) }

/// A quadrilateral of its eight coordinates.
func quad(_ values: [Double]) -> Quadrilateral {
  Quadrilateral(
    topLeft: Point(x: values[0], y: values[1]), topRight: Point(x: values[2], y: values[3]),
    bottomRight: Point(x: values[4], y: values[5]), bottomLeft: Point(x: values[6], y: values[7]))
}

extension Point {
  func toward(_ other: Point, _ part: Double) -> Point {
    Point(x: x + (other.x - x) * part, y: y + (other.y - y) * part)
  }
}

extension SeededGenerator {
  /// A box of 20 to 400 by 20 to 400 whose corners moved by up to a fifth.
  mutating func convexQuad() -> Quadrilateral {
    let (x, y) = (unit() * 600, unit() * 600)
    let (w, h) = (20 + unit() * 380, 20 + unit() * 380)
    return quad(x, y, x + w, y, x + w, y + h, x, y + h).mapCorners {
      $0.translated(dx: (unit() - 0.5) * 0.4 * w, dy: (unit() - 0.5) * 0.4 * h)
    }
  }

  /// An image of random samples.
  mutating func noise(_ width: Int, _ height: Int, _ channels: Int) throws -> Raster {
    try Raster(
      width: width, height: height, channels: channels,
      samples: (0..<width * height * channels).map { _ in UInt8(next() >> 56) })
  }
}

/// Ramps up and down, as `Fixtures/generate/rectification.py` draws them.
func waves(_ width: Int, _ height: Int, _ channels: Int) throws -> Raster {
  var samples: [UInt8] = []
  for y in 0..<height {
    for x in 0..<width {
      for channel in 0..<channels {
        let ramp = (x * 2 + y * 3 + channel * 40) % 240
        samples.append(UInt8(2 * min(ramp, 240 - ramp)))
      }
    }
  }
  return try Raster(width: width, height: height, channels: channels, samples: samples)
}
