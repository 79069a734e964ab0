import Raster
import Testing

@Suite("Center crop")
struct CenterCropTests {
  @Test("It is the window in the middle of the whole image resized", arguments: Resampling.allCases)
  func window(method: Resampling) throws {
    let image = try Raster(
      width: 50, height: 30, channels: 3, samples: (0..<4500).map { UInt8(($0 * 37) % 251) })
    let crop = try image.centerCropped(width: 17, height: 9, shorterSide: 20, method: method)
    // 20 x 50 / 30 is 33 pixels, of which (33 - 17) / 2 are left of the crop; half of 20 - 9 is 5.5,
    // which goes to the even 6.
    let whole = try image.resized(width: 33, height: 20, method: method)
    #expect(crop.width == 17 && crop.height == 9)
    for y in 0..<9 {
      for x in 0..<17 {
        for channel in 0..<3 {
          #expect(
            crop[x: x, y: y, channel: channel] == whole[x: x + 8, y: y + 6, channel: channel])
        }
      }
    }
  }

  @Test("A crop larger than what is resized, or of no pixels, is an error")
  func errors() throws {
    let image = try Raster(width: 8, height: 8, channels: 1, fill: 9)
    for (width, height, side) in [
      (9, 8, 8), (8, 9, 8), (0, 4, 8), (4, -1, 8), (1, 1, 0), (1, 1, .max), (.max, 1, .max),
    ] {
      #expect(throws: RasterError.self) {
        _ = try image.centerCropped(
          width: width, height: height, shorterSide: side, method: .bicubic)
      }
    }
  }
}
