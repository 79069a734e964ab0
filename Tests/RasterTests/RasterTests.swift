import Geometry
import Raster
import TestSupport
import Testing

@Suite struct RasterTests {
  @Test func wrongLayoutsAreErrors() {
    for (width, height, channels) in [(0, 1, 3), (1, -1, 3), (1, 1, 0), (1, 1, 5)] {
      let expected = RasterError.invalidLayout(width: width, height: height, channels: channels)
      #expect(throws: expected) {
        try Raster(width: width, height: height, channels: channels, samples: [])
      }
      #expect(throws: expected) {
        try Raster(width: width, height: height, channels: channels, fill: 1)
      }
    }
    #expect(throws: RasterError.sampleCount(11, width: 2, height: 2, channels: 3)) {
      try Raster(width: 2, height: 2, channels: 3, samples: [UInt8](repeating: 0, count: 11))
    }
    #expect(throws: RasterError.tooLarge(width: .max, height: 2, channels: 4)) {
      try Raster(width: .max, height: 2, channels: 4, samples: [])
    }
    #expect(throws: RasterError.tooLarge(width: 1 << 20, height: 1 << 20, channels: 1)) {
      try Raster(width: 1 << 20, height: 1 << 20, channels: 1)
    }
  }

  @Test func errorsSayWhatWouldBeRight() {
    let error = RasterError.sampleCount(11, width: 2, height: 2, channels: 3)
    #expect(error.description.contains("11 samples"))
    #expect(error.description.contains("must be the product"))
    #expect(
      RasterError.tooLarge(width: 9, height: 9, channels: 3).description.contains("at most"))
  }

  @Test func aFailingInitialiserLeavesNothing() {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try Raster(width: 30_000, height: 20_000, channels: 3) { _ in throw Refusal() }
    }
  }

  @Test func pixelsAreWhereTheyWerePut() throws {
    var image = try Raster(width: 3, height: 2, channels: 3, samples: Array(0..<18))
    #expect(image[x: 2, y: 1, channel: 0] == 15)
    image[x: 0, y: 1, channel: 2] = 99
    #expect(image.samples[11] == 99)
  }

  @Test func croppingTakesTheRectangle() throws {
    let image = try drawn("noise", seed: 2, width: 7, height: 6, channels: 3)
    let rect = try #require(PixelRect(x: 2, y: 1, width: 4, height: 3))
    let crop = try #require(image.cropped(to: rect))
    #expect([crop.width, crop.height, crop.channels] == [4, 3, 3])
    for y in 0..<3 {
      for x in 0..<4 {
        for channel in 0..<3 {
          #expect(
            crop[x: x, y: y, channel: channel] == image[x: x + 2, y: y + 1, channel: channel])
        }
      }
    }
  }

  @Test func croppingOutsideIsNil() throws {
    let image = try Raster(width: 4, height: 4, channels: 1)
    for (x, y, width, height) in [
      (-1, 0, 2, 2), (0, -1, 2, 2), (3, 0, 2, 1), (0, 3, 1, 2), (Int.max - 5, 0, 4, 4),
      (Int.min, 0, 4, 4), (4, 4, 1, 1),
    ] {
      let rect = try #require(PixelRect(x: x, y: y, width: width, height: height))
      #expect(image.cropped(to: rect) == nil)
    }
    let whole = try #require(PixelRect(x: 0, y: 0, width: 4, height: 4))
    #expect(image.cropped(to: whole) == image)
  }

  @Test(arguments: Orientation.allCases)
  func orientationsAreUndoneByTheirInverse(_ orientation: Orientation) throws {
    let image = try drawn("noise", seed: 11, width: 45, height: 70, channels: 3)
    let turned = image.oriented(orientation)
    #expect(turned.width == (orientation.swapsSides ? 70 : 45))
    #expect(turned.oriented(orientation.inverse) == image)
  }
}

struct ConversionCase: Decodable {
  let channels: Int
  let converted: [String: UInt32]
  let oriented: [UInt32]
}

@Suite struct ConversionTests {
  @Test func equalsPillow() throws {
    let cases = try Folders.golden("Raster/conversions.json", as: [ConversionCase].self)
    #expect(cases.count == 4)
    for golden in cases {
      let image = try drawn("noise", seed: 7, width: 37, height: 23, channels: golden.channels)
      for (count, answer) in golden.converted {
        let converted = try image.converted(toChannels: try #require(Int(count)))
        #expect(checksum(converted.samples) == answer, "\(golden.channels) to \(count) channels")
      }
      for (orientation, answer) in zip(Orientation.allCases, golden.oriented) {
        #expect(checksum(image.oriented(orientation).samples) == answer)
      }
    }
  }

  @Test func impossibleChannelsAreErrors() throws {
    let image = try Raster(width: 1, height: 1, channels: 3)
    for count in [0, 5, -1, Int.max] {
      #expect(throws: RasterError.invalidLayout(width: 1, height: 1, channels: count)) {
        try image.converted(toChannels: count)
      }
    }
  }
}
