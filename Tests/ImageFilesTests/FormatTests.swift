import Foundation
import ImageFiles
import Raster
import TestSupport
import Testing

/// The files that `Fixtures/generate/image_files.py` made.
enum Formats {
  static func url(_ name: String) -> URL {
    Folders.package.appendingPathComponent("Fixtures/Images/Formats/\(name)")
  }

  static func data(_ name: String) throws -> Data {
    try Data(contentsOf: url(name))
  }
}

/// Width and height.
func sides(_ image: Raster) -> [Int] { [image.width, image.height] }

/// Width and height.
func sides(_ information: ImageFile.Information) -> [Int] {
  [information.width, information.height]
}

struct DecodingCase: Decodable, CustomTestStringConvertible {
  let name: String
  let width, height, orientation: Int
  let checksum: UInt32

  var testDescription: String { name }

  static let formats = Result {
    try Folders.golden("ImageFiles/formats.json", as: [DecodingCase].self)
  }

  static let webpAndTIFF = Result {
    try Folders.golden("ImageFiles/webp_and_tiff.json", as: [DecodingCase].self)
  }

  func check(_ url: URL) throws {
    let image = try ImageFile.load(contentsOf: url)
    #expect(sides(image) + [image.channels] == [width, height, 3], "\(name)")
    #expect(TestSupport.checksum(image.samples) == checksum, "\(name)")
    let information = try ImageFile.information(contentsOf: url)
    #expect(sides(information) == [width, height], "\(name)")
    #expect(information.orientation.rawValue == orientation, "\(name)")
    #expect(information.format.rawValue.hasPrefix(url.pathExtension.prefix(1)), "\(name)")
  }
}

@Suite struct FormatTests {
  @Test func goldensAreThere() throws {
    #expect(try DecodingCase.formats.get().count > 70)
  }

  @Test(arguments: (try? DecodingCase.formats.get()) ?? [])
  func decodesAsOpenCVAndPillowDo(_ golden: DecodingCase) throws {
    try golden.check(Formats.url(golden.name))
  }

  @Test(arguments: (try? DecodingCase.webpAndTIFF.get()) ?? [])
  func decodesAsPillowAndTifffileDo(_ golden: DecodingCase) throws {
    #expect(try DecodingCase.webpAndTIFF.get().count == 45)
    try golden.check(Formats.url(golden.name))
  }

  @Test func photosDecodeAsInOpenCVAndPillow() throws {
    let photos = try Folders.golden("ImageFiles/photos.json", as: [DecodingCase].self)
    #expect(photos.count == 60)
    for golden in photos {
      if let url = try Requirements.shared(golden.name) { try golden.check(url) }
    }
  }

  @Test(arguments: [
    ("grey.jpg", 1), ("baseline_420.jpg", 3), ("cmyk.jpg", 3), ("grey_1.png", 1),
    ("grey_16.png", 1), ("grey_alpha_8.png", 2), ("grey_alpha_16_interlaced.png", 2),
    ("grey_transparent.png", 2), ("palette_2.png", 3), ("palette_alpha_4.png", 4),
    ("rgb_transparent.png", 4), ("rgba_16.png", 4), ("plain.heic", 3), ("alpha.heic", 4),
    ("lossy.webp", 3), ("lossy_alpha.webp", 4), ("lossless_alpha.webp", 4), ("grey_1.tif", 1),
    ("grey_16_tiled.tif", 1), ("grey_alpha.tif", 2), ("rgba.tif", 4), ("rgba_multiplied.tif", 4),
    ("rgb_fourth.tif", 3), ("cmyk.tif", 3), ("palette_4.tif", 3), ("rgb_planes.tif", 3),
  ])
  func storedChannelsAreKeptWhereAskedFor(_ name: String, _ channels: Int) throws {
    let stored = try ImageFile.load(
      contentsOf: Formats.url(name), options: .init(channels: .asStored))
    #expect(stored.channels == channels)
    let rgb = try ImageFile.load(contentsOf: Formats.url(name))
    #expect(try stored.converted(toChannels: 3) == rgb)
  }

  @Test func transparencyIsReadAsAlpha() throws {
    let options = ImageFile.Options(channels: .asStored)
    let image = try ImageFile.load(
      contentsOf: Formats.url("grey_transparent.png"), options: options)
    for pixel in stride(from: 0, to: image.samples.count, by: 2) {
      #expect(image.samples[pixel + 1] == (image.samples[pixel] == 77 ? 0 : 255))
    }
  }

  @Test func orientationCanBeLeftAlone() throws {
    let options = ImageFile.Options(appliesOrientation: false)
    for name in ["turned_6.jpg", "turned_6.png", "turned_6.webp", "turned_6.tif"] {
      let stored = try ImageFile.load(contentsOf: Formats.url(name), options: options)
      #expect(sides(stored) == [43, 29])
      let upright = try ImageFile.load(contentsOf: Formats.url(name))
      #expect(stored.oriented(.rotate90Clockwise) == upright)
    }
  }

  @Test func theContentTellsTheFormat() throws {
    let folder = try TemporaryFolder()
    let misnamed = folder.url.appendingPathComponent("photo.heic")
    try Formats.data("rgb_8.png").write(to: misnamed)
    #expect(try ImageFile.information(contentsOf: misnamed).format == .png)
    #expect(
      try ImageFile.load(contentsOf: misnamed)
        == ImageFile.load(contentsOf: Formats.url("rgb_8.png")))
  }
}

/// Colours of the four corners, clockwise from the top left, by name.
private func corners(_ image: Raster) -> [String] {
  [
    (5, 5), (image.width - 6, 5), (image.width - 6, image.height - 6), (5, image.height - 6),
  ].map { x, y in
    let color = (0..<3).map { image[x: x, y: y, channel: $0] > 128 }
    return [
      "red": [true, false, false], "green": [false, true, false],
      "blue": [false, false, true], "white": [true, true, true],
    ].first { $0.value == color }?.key ?? "other"
  }
}

@Suite struct HEICTests {
  /// HEIC turns images by its own properties; the EXIF orientation that phones write beside them must
  /// not turn them once more.
  @Test(arguments: [
    ("plain.heic", ["red", "green", "white", "blue"]),
    ("exif_only.heic", ["red", "green", "white", "blue"]),
    ("turned_1.heic", ["green", "white", "blue", "red"]),
    ("turned_2.heic", ["white", "blue", "red", "green"]),
    ("turned_3.heic", ["blue", "red", "green", "white"]),
    ("mirrored.heic", ["green", "red", "blue", "white"]),
    ("alpha.heic", ["red", "green", "white", "blue"]),
    ("deep.heic", ["red", "green", "white", "blue"]),
  ])
  func isUpright(_ name: String, _ expected: [String]) throws {
    let image = try ImageFile.load(contentsOf: Formats.url(name))
    #expect(corners(image) == expected)
    let information = try ImageFile.information(contentsOf: Formats.url(name))
    #expect(sides(information) == sides(image))
    #expect(information.orientation == .upright)
    #expect(information.format == .heic)
  }

  @Test func coloursAreThoseThatWereEncoded() throws {
    for name in ["plain.heic", "deep.heic"] {
      let image = try ImageFile.load(contentsOf: Formats.url(name))
      for (x, y, expected) in [
        (5, 5, [230, 20, 20]), (90, 5, [20, 230, 20]), (5, 58, [20, 20, 230]),
        (90, 58, [235, 235, 235]),
      ] {
        for channel in 0..<3 {
          // The encoder is lossy; plain areas stay within a few steps.
          #expect(abs(Int(image[x: x, y: y, channel: channel]) - expected[channel]) <= 4)
        }
      }
    }
  }

  @Test func greyIsGrey() throws {
    let image = try ImageFile.load(contentsOf: Formats.url("grey.heic"))
    #expect(image.channels == 3)
    for pixel in stride(from: 0, to: image.samples.count, by: 3) {
      #expect(image.samples[pixel] == image.samples[pixel + 1])
      #expect(image.samples[pixel] == image.samples[pixel + 2])
    }
  }
}
