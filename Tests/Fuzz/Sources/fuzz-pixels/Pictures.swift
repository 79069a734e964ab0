import FuzzSupport
import Geometry
import Raster

extension Choices {
  /// A small picture: any samples, bars, or painted rectangles, whose edges are worth finding.
  mutating func picture(largestSide: Int) throws -> Raster {
    let kind = byte()
    let channels = [1, 3, 4, 2][Int(kind >> 2) % 4]
    let width = 1 + below(largestSide)
    let height = 1 + below(largestSide)
    var samples = [UInt8](repeating: byte(), count: width * height * channels)
    switch kind % 4 {
    case 0:
      let given = bytes(samples.count)
      for (index, sample) in given.enumerated() { samples[index] = sample }
    case 1:
      // Bars of a few pixels each, as on a package.
      let module = 1 + below(4)
      let thinning = below(height)
      var bars: [UInt8] = []
      for bar in bytes(width / module + 1) { bars += [UInt8](repeating: bar, count: module) }
      for y in thinning..<height {
        for x in 0..<min(width, bars.count) {
          for channel in 0..<channels { samples[(y * width + x) * channels + channel] = bars[x] }
        }
      }
    default:
      for _ in 0..<min(64, below(256)) where !isAtEnd {
        let (x, y) = (below(width), below(height))
        let (right, bottom) = (min(width, x + below(width) + 1), min(height, y + below(height) + 1))
        let shade = byte()
        // A lean, so that edges are not all upright and level.
        let lean = Int(Int8(bitPattern: byte())) / 16
        for row in y..<bottom {
          let shift = lean * (row - y) / 8
          for column in max(0, x + shift)..<max(0, x + shift, min(width, right + shift)) {
            for channel in 0..<channels {
              samples[(row * width + column) * channels + channel] = shade
            }
          }
        }
      }
    }
    return try Raster(width: width, height: height, channels: channels, samples: samples)
  }

  /// Four corners about a picture, or anywhere.
  mutating func quadrilateral() -> Quadrilateral {
    let kind = byte()
    var corners = Quadrilateral(Box(minX: 0, minY: 0, maxX: 16, maxY: 16)).corners
    for index in corners.indices {
      if kind >> index & 1 == 0 {
        corners[index].x += Double(Int8(bitPattern: byte())) / 4
        corners[index].y += Double(Int8(bitPattern: byte())) / 4
      } else {
        corners[index] = Point(x: Double(anyFloat()), y: Double(kind & 16 == 0 ? 8 : anyFloat()))
      }
    }
    return Quadrilateral(
      topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
  }

  /// A setting: mostly of its usual size, now and then anything.
  mutating func setting(_ usual: ClosedRange<Double>) -> Double {
    let byte = byte()
    if byte > 250 { return Double(anyFloat()) }
    return usual.lowerBound + (usual.upperBound - usual.lowerBound) * Double(byte) / 250
  }

  /// A whole setting: mostly of its usual size, now and then anything.
  mutating func wholeSetting(_ usual: ClosedRange<Int>) -> Int {
    let byte = Int(byte())
    if byte > 250 { return integer() }
    return usual.lowerBound + (usual.upperBound - usual.lowerBound) * byte / 250
  }
}

extension Quadrilateral {
  /// Whether all corners are numbers.
  var isFinite: Bool { corners.allSatisfy { $0.x.isFinite && $0.y.isFinite } }
}

/// Inputs for the first corpus: pictures of each kind.
let pictureSeeds: [[UInt8]] = (0..<8).map { (kind: Int) -> [UInt8] in
  var seed: [UInt8] = [UInt8(kind), 190, 140, 255]
  for index in 0..<240 {
    let value: Int = index * 37 + (index >> 3) * 91 + kind
    seed.append(UInt8(value & 0xFF))
  }
  return seed
}
