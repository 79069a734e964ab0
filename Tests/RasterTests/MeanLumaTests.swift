import Raster
import TestSupport
import Testing

@Suite("How bright an image is")
struct MeanLumaTests {
  @Test("Black is 0 and white is 1, whatever the channels", arguments: 1...4)
  func ends(channels: Int) throws {
    #expect(try Raster(width: 7, height: 3, channels: channels).meanLuma == 0)
    #expect(try Raster(width: 7, height: 3, channels: channels, fill: 255).meanLuma == 1)
  }

  @Test("It is the mean of the grey image, and alpha does not count", arguments: 1...4)
  func mean(channels: Int) throws {
    var random = SeededGenerator(seed: UInt64(channels))
    let samples = (0..<31 * 17 * channels).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    let image = try Raster(width: 31, height: 17, channels: channels, samples: samples)
    let grey = try image.converted(toChannels: 1).samples
    let mean = grey.reduce(0) { $0 + Double($1) } / Double(grey.count) / 255
    #expect(abs(image.meanLuma - mean) < 1e-12)
  }
}
