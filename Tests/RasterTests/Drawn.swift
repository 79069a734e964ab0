import Raster
import TestSupport

/// The images that `Fixtures/generate/raster.py` draws, from the same numbers.
func drawn(
  _ kind: String, seed: Int, width: Int, height: Int, channels: Int
) throws -> Raster {
  var generator = SeededGenerator(seed: UInt64(seed))
  return try Raster(width: width, height: height, channels: channels) { samples in
    for index in samples.indices {
      switch kind {
      case "noise": samples[index] = UInt8(generator.next() >> 56)
      case "extremes": samples[index] = generator.next() >> 63 == 1 ? 255 : 0
      default:
        let (pixel, channel) = index.quotientAndRemainder(dividingBy: channels)
        let (y, x) = pixel.quotientAndRemainder(dividingBy: width)
        samples[index] = UInt8(truncatingIfNeeded: x * (3 + seed % 5) + y * (channel + 1))
      }
    }
  }
}
