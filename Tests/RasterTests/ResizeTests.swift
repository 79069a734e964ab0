import Geometry
import Raster
import TestSupport
import Testing

struct ResizeCase: Decodable, CustomTestStringConvertible {
  let kind: String
  let seed, width, height, channels, newWidth, newHeight: Int
  let bilinear, bicubic, bilinearAntialiased: UInt32
  let letterbox: UInt32?

  var testDescription: String {
    "\(kind) \(width) x \(height) x \(channels) to \(newWidth) x \(newHeight)"
  }

  func image() throws -> Raster {
    try drawn(kind, seed: seed, width: width, height: height, channels: channels)
  }

  static let all = Result { try Folders.golden("Raster/resizes.json", as: [ResizeCase].self) }
}

@Suite struct ResizeTests {
  @Test func goldensAreThere() throws {
    #expect(try ResizeCase.all.get().count > 100)
  }

  @Test(arguments: (try? ResizeCase.all.get()) ?? [])
  func equalsOpenCVAndPillow(_ golden: ResizeCase) throws {
    let image = try golden.image()
    let (width, height) = (golden.newWidth, golden.newHeight)
    let answers = try Resampling.allCases.map { method in
      let resized = try image.resized(width: width, height: height, method: method)
      #expect(
        [resized.width, resized.height, resized.channels] == [width, height, golden.channels])
      return checksum(resized.samples)
    }
    #expect(answers[0] == golden.bilinear)
    #expect(answers[1] == golden.bicubic)
    #expect(answers[2] == golden.bilinearAntialiased)
    if let letterbox = golden.letterbox {
      let canvas = try image.letterboxed(width: width, height: height)
      #expect(checksum(canvas.samples) == letterbox)
    }
  }

  @Test(arguments: Resampling.allCases)
  func flatStaysFlat(_ method: Resampling) throws {
    for value in [0, 1, 127, 128, 254, 255] as [UInt8] {
      let image = try Raster(width: 13, height: 7, channels: 3, fill: value)
      for (width, height) in [(5, 3), (31, 2), (1, 1), (100, 90)] {
        let resized = try image.resized(width: width, height: height, method: method)
        #expect(resized.samples.allSatisfy { $0 == value })
      }
    }
  }

  @Test(arguments: Resampling.allCases)
  func sameSizeIsTheSameImage(_ method: Resampling) throws {
    let image = try drawn("noise", seed: 3, width: 9, height: 8, channels: 4)
    #expect(try image.resized(width: 9, height: 8, method: method) == image)
  }

  @Test(arguments: Resampling.allCases)
  func mirroredImagesResizeToMirroredImages(_ method: Resampling) throws {
    // Shrunk by an odd number, every target pixel's center is a source pixel's, so nothing is rounded up on
    // one side and down on the other.
    let image = try drawn("noise", seed: 5, width: 27, height: 21, channels: 3)
    let mirrored = image.oriented(.rotate180)
    let resized = try image.resized(width: 9, height: 7, method: method)
    #expect(
      try mirrored.resized(width: 9, height: 7, method: method) == resized.oriented(.rotate180))
  }

  @Test(arguments: Resampling.allCases)
  func impossibleSizesAreErrors(_ method: Resampling) throws {
    let image = try Raster(width: 2, height: 2, channels: 3)
    for (width, height) in [(0, 1), (1, 0), (-1, 5), (Int.min, 1)] {
      #expect(throws: RasterError.invalidLayout(width: width, height: height, channels: 3)) {
        try image.resized(width: width, height: height, method: method)
      }
    }
    for (width, height) in [(Int.max, 2), (1 << 40, 1), (30_000, 30_000)] {
      #expect(throws: RasterError.tooLarge(width: width, height: height, channels: 3)) {
        try image.resized(width: width, height: height, method: method)
      }
    }
  }
}

@Suite struct FittingTests {
  @Test(arguments: [
    (400, 300, 200, 150), (300, 400, 150, 200), (200, 200, 200, 200), (10, 20, 10, 20),
    (1, 5000, 1, 200), (201, 1, 200, 1), (333, 200, 200, 120),
  ])
  func keepsTheAspectRatioAndNeverGrows(_ sizes: (Int, Int, Int, Int)) throws {
    let (width, height, fittedWidth, fittedHeight) = sizes
    let image = try Raster(width: width, height: height, channels: 3, fill: 7)
    let fitted = try image.fitted(width: 200, height: 200)
    #expect(fitted.width == fittedWidth)
    #expect(fitted.height == fittedHeight)
  }

  @Test func impossibleFramesAreErrors() throws {
    let image = try Raster(width: 3, height: 3, channels: 3)
    #expect(throws: RasterError.self) { try image.fitted(width: 0, height: 10) }
    #expect(throws: RasterError.self) { try image.fitted(width: 10, height: Int.min) }
  }
}

@Suite struct LetterboxTests {
  @Test func pastesAtTheTopLeftAndFillsTheRest() throws {
    let image = try Raster(width: 20, height: 10, channels: 3, fill: 200)
    let canvas = try image.letterboxed(width: 8, height: 8)
    for y in 0..<8 {
      for x in 0..<8 {
        #expect(canvas[x: x, y: y, channel: 1] == (y < 4 ? 200 : 114))
      }
    }
  }

  @Test func centeredLeavesHalfTheMarginOnEachSide() throws {
    let image = try Raster(width: 20, height: 10, channels: 1, fill: 200)
    let canvas = try image.letterboxed(width: 8, height: 8, placement: .centered, fill: 0)
    let columns = (0..<8).map { canvas[x: 3, y: $0, channel: 0] }
    #expect(columns == [0, 0, 200, 200, 200, 200, 0, 0])
  }

  @Test func aThreadKeepsOnePixel() throws {
    let image = try Raster(width: 1, height: 4000, channels: 3, fill: 9)
    let canvas = try image.letterboxed(width: 416, height: 416)
    #expect(canvas[x: 0, y: 415, channel: 2] == 9)
    #expect(canvas[x: 1, y: 415, channel: 2] == 114)
  }

  @Test func impossibleCanvasesAreErrors() throws {
    let image = try Raster(width: 1, height: 1, channels: 3)
    #expect(throws: RasterError.self) { try image.letterboxed(width: 0, height: 4) }
    #expect(throws: RasterError.self) { try image.letterboxed(width: Int.max, height: Int.max) }
  }
}
