import Raster

/// The samples of a picture of one channel, and the same at half the size.
struct GreyPlane {
  let width: Int
  let height: Int
  let samples: [UInt8]

  init(_ grey: Raster) {
    width = grey.width
    height = grey.height
    samples = grey.samples
  }

  private init(width: Int, height: Int, samples: [UInt8]) {
    self.width = width
    self.height = height
    self.samples = samples
  }

  /// Each sample the mean of four; nil if nothing would be left.
  var halved: GreyPlane? {
    let (columns, rows, width) = (self.width / 2, self.height / 2, self.width)
    guard columns > 0, rows > 0 else { return nil }
    let means = [UInt8](unsafeUninitializedCapacity: columns * rows) { means, count in
      samples.withUnsafeBufferPointer { samples in
        for row in 0..<rows {
          for column in 0..<columns {
            let place = 2 * row * width + 2 * column
            let sum =
              UInt16(samples[place]) + UInt16(samples[place + 1]) + UInt16(samples[place + width])
              + UInt16(samples[place + width + 1])
            means[row * columns + column] = UInt8(truncatingIfNeeded: (sum + 2) / 4)
          }
        }
      }
      count = columns * rows
    }
    return GreyPlane(width: columns, height: rows, samples: means)
  }
}
