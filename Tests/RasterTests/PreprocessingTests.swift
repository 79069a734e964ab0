import Geometry
import ImageFiles
import Raster
import TestSupport
import Testing

struct PreprocessingCase: Decodable, CustomTestStringConvertible {
  let kind: String
  let seed, width, height: Int
  let clip, imageNet: UInt32

  var testDescription: String { "\(kind) \(width) x \(height)" }

  static let all = Result {
    try Folders.golden("Raster/preprocessings.json", as: [PreprocessingCase].self)
  }
}

@Suite struct PreprocessingTests {
  @Test func goldensAreThere() throws {
    #expect(try PreprocessingCase.all.get().count == 15)
  }

  @Test(arguments: (try? PreprocessingCase.all.get()) ?? [])
  func equalsTorchvisionsRules(_ golden: PreprocessingCase) throws {
    let image = try drawn(
      golden.kind, seed: golden.seed, width: golden.width, height: golden.height, channels: 3)
    #expect(checksum(try CropPreprocessing.clip.tensor(of: image)) == golden.clip)
    #expect(checksum(try CropPreprocessing.imageNet.tensor(of: image)) == golden.imageNet)
  }

  @Test(arguments: Resampling.allCases)
  func theWindowIsPartOfTheWhole(_ method: Resampling) throws {
    // What is computed for the crop alone equals the same part of the whole resized image.
    var rule = CropPreprocessing(size: 12, resampling: method, normalization: .none)
    rule.order = .rgb
    for (width, height, newWidth, newHeight) in [
      (40, 25, 19, 12), (25, 40, 12, 19), (7, 61, 12, 104), (61, 7, 104, 12), (12, 30, 12, 30),
    ] {
      let image = try drawn("noise", seed: 21, width: width, height: height, channels: 3)
      let whole = try image.resized(width: newWidth, height: newHeight, method: method)
      let x = Int((Double(newWidth - 12) / 2).rounded(.toNearestOrEven))
      let y = Int((Double(newHeight - 12) / 2).rounded(.toNearestOrEven))
      let window = try #require(PixelRect(x: x, y: y, width: 12, height: 12))
      #expect(try rule.square(of: image) == whole.cropped(to: window))
    }
  }

  @Test func otherChannelsBecomeRGB() throws {
    for channels in [1, 2, 4] {
      let image = try drawn("noise", seed: 4, width: 30, height: 31, channels: channels)
      let rgb = try image.converted(toChannels: 3)
      #expect(
        try CropPreprocessing.clip.tensor(of: image) == CropPreprocessing.clip.tensor(of: rgb))
    }
  }

  @Test func longThreadsCostNoMoreThanOthers() throws {
    let image = try Raster(width: 1, height: 100_000, channels: 3, fill: 50)
    #expect(try CropPreprocessing.clip.square(of: image).samples.allSatisfy { $0 == 50 })
  }

  @Test func impossibleRulesAreErrors() throws {
    let image = try Raster(width: 3, height: 3, channels: 3)
    for size in [0, -1, Int.min, Int.max, 30_000] {
      let rule = CropPreprocessing(size: size, normalization: .none)
      #expect(throws: RasterError.self) { try rule.tensor(of: image) }
    }
    let two = PixelNormalization(divisor: 255, mean: [1, 2])
    #expect(throws: RasterError.normalization(field: "the mean", count: 2, channels: 3)) {
      try image.planar(normalization: two)
    }
    for value in [0, .infinity, -.infinity] as [Float] {
      #expect(throws: RasterError.divisor(field: "the divisor", value: value)) {
        try image.planar(normalization: PixelNormalization(divisor: value))
      }
      #expect(throws: RasterError.divisor(field: "the deviation", value: value)) {
        try image.planar(normalization: PixelNormalization(deviation: [value]))
      }
    }
  }
}

@Suite struct PlanarTests {
  @Test func planesFollowTheOrder() throws {
    let image = try Raster(width: 2, height: 1, channels: 3, samples: [1, 2, 3, 4, 5, 6])
    #expect(try image.planar() == [1, 4, 2, 5, 3, 6])
    #expect(try image.planar(order: .bgr) == [3, 6, 2, 5, 1, 4])
    let withAlpha = try Raster(width: 1, height: 1, channels: 4, samples: [1, 2, 3, 4])
    #expect(try withAlpha.planar(order: .bgr) == [3, 2, 1, 4])
    let grey = try Raster(width: 2, height: 1, channels: 1, samples: [8, 9])
    #expect(try grey.planar(order: .bgr) == [8, 9])
  }

  @Test func normalizationIsRoundedStepByStep() throws {
    let image = try Raster(width: 1, height: 1, channels: 3, samples: [10, 20, 30])
    let values = try image.planar(
      normalization: PixelNormalization(divisor: 255, mean: [0.5, 0.25, 0.1], deviation: [0.3]))
    let expected: [Float] = [
      (10 / 255 - 0.5) / 0.3, (20 / 255 - 0.25) / 0.3, (30 / 255 - 0.1) / 0.3,
    ]
    #expect(values == expected)
  }

  @Test func batchesGrowInOneArray() throws {
    let image = try Raster(width: 1, height: 2, channels: 1, samples: [7, 8])
    var batch: [Float] = [1]
    try image.appendPlanar(to: &batch)
    try image.appendPlanar(to: &batch)
    #expect(batch == [1, 7, 8, 7, 8])
  }
}

struct PhotoCase: Decodable {
  let path: String
  let decoded, letterbox416, letterbox640, clip, imageNet, cropClip: UInt32
}

@Suite struct PhotoTests {
  @Test func tensorsOfPhotosEqualOpenCVsAndPillows() throws {
    let photos = try Folders.golden("Raster/photos.json", as: [PhotoCase].self)
    #expect(photos.count == 15)
    for golden in photos {
      guard let url = try Requirements.shared(golden.path) else { continue }
      let image = try ImageFile.load(contentsOf: url)
      #expect(checksum(image.samples) == golden.decoded, "\(golden.path)")
      for (side, answer) in [(416, golden.letterbox416), (640, golden.letterbox640)] {
        let tensor = try image.letterboxed(width: side, height: side).planar(order: .bgr)
        #expect(checksum(tensor) == answer, "\(golden.path) at \(side)")
      }
      #expect(checksum(try CropPreprocessing.clip.tensor(of: image)) == golden.clip)
      #expect(checksum(try CropPreprocessing.imageNet.tensor(of: image)) == golden.imageNet)
      let (x, y) = (image.width / 3, image.height / 4)
      let rect = try #require(
        PixelRect(x: x, y: y, width: image.width / 2 - x, height: image.height * 3 / 4 - y))
      let crop = try #require(image.cropped(to: rect))
      #expect(checksum(try CropPreprocessing.clip.tensor(of: crop)) == golden.cropClip)
    }
  }

  @Test(arguments: [(300, 40), (40, 300), (64, 64), (1, 900), (7, 5)])
  func aStretchedSquareShowsTheWholeImage(width: Int, height: Int) throws {
    var generator = SeededGenerator(seed: UInt64(width))
    let image = try Raster(
      width: width, height: height, channels: 3,
      samples: (0..<width * height * 3).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
    let square = try CropPreprocessing.stretched.square(of: image)
    #expect(square == (try image.resized(width: 64, height: 64, method: .bicubic)))
    let values = try CropPreprocessing.stretched.tensor(of: image)
    #expect(values.count == 3 * 64 * 64)
    #expect(values.allSatisfy { (-2...2).contains($0) })
    #expect(abs(values[0] - (Float(square.samples[0]) / 255 - 0.5) / 0.25) < 1e-6)
  }
}
