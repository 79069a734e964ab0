import Foundation
import ImageFiles
import Raster
import TestSupport
import Testing

@Suite struct HostileWebPAndTIFFTests {
  private func load(_ data: Data) -> Result<Raster, any Error> {
    Result { try ImageFile.load(data: data) }
  }

  @Test(arguments: ["lossy.webp", "lossless.webp", "lossy_alpha.webp", "turned_6.webp"])
  func everyCutWebPIsAnError(_ name: String) throws {
    let data = try Formats.data(name)
    for count in 1..<data.count {
      let error = #expect(throws: ImageFileError.self) {
        try ImageFile.load(data: data.prefix(count))
      }
      #expect(error?.kind == .badData, "cut to \(count) of \(data.count) bytes")
    }
    let half = #expect(throws: ImageFileError.self) {
      try ImageFile.load(data: data.prefix(data.count / 2))
    }
    guard case .truncated(.webp, _) = half else {
      Issue.record("\(String(describing: half))")
      return
    }
  }

  @Test func aWebPThatLiesAboutItsLengthIsAnError() throws {
    // The header's length is made to fit what is left.
    for name in ["lossy.webp", "lossless.webp", "lossy_alpha.webp"] {
      let data = try Formats.data(name)
      for count in stride(from: 30, to: data.count - 8, by: 2) {
        var cut = data.prefix(count)
        for index in 0..<4 {
          cut[4 + index] = UInt8(truncatingIfNeeded: (count - 8) >> (8 * index))
        }
        #expect(throws: ImageFileError.self, "\(name) \(count)") { try ImageFile.load(data: cut) }
      }
    }
  }

  @Test func anAnimationIsRefused() throws {
    let data = try Formats.data("animated.webp")
    let error = ImageFileError.unsupportedFeature(
      .webp, detail: "an animation; still images are read")
    #expect(throws: error) { try ImageFile.load(data: data) }
    #expect(throws: error) { try ImageFile.information(of: data) }
  }

  @Test(arguments: [
    "rgb_lzw.tif", "rgb_deflate.tif", "rgb_raw.tif", "rgb_tiled.tif", "rgb_jpeg.tif", "rgb_big.tif",
    "palette_8.tif", "grey_16.tif", "rgb_planes_tiled.tif",
  ])
  func cutTIFFsAreErrorsOrWhole(_ name: String) throws {
    let data = try Formats.data(name)
    let whole = try ImageFile.load(data: data)
    for count in 1..<data.count {
      switch load(data.prefix(count)) {
      // What comes after the image may be missing.
      case .success(let image):
        let isWhole = image == whole
        #expect(isWhole, "cut to \(count) of \(data.count) bytes")
      case .failure(let error): #expect((error as? ImageFileError)?.kind == .badData)
      }
    }
    #expect(throws: ImageFileError.self) { try ImageFile.load(data: data.prefix(data.count / 2)) }
  }

  @Test(arguments: [
    ("refused_float.tif", "samples that are no whole numbers (format 3)"),
    ("refused_lab.tif", "colours of kind 8 (photometric)"),
    (
      "refused_copy.tif",
      "its first image is a small copy of another, as in a camera's raw file"
    ),
    ("refused_samples.tif", "9 samples a pixel; up to 8 are read"),
  ])
  func kindsThatAreNotReadAreNamed(_ name: String, _ detail: String) throws {
    let error = ImageFileError.unsupportedFeature(.tiff, detail: detail)
    #expect(throws: error) { try ImageFile.load(contentsOf: Formats.url(name)) }
    #expect(throws: error) { try ImageFile.information(contentsOf: Formats.url(name)) }
  }

  /// The place of a tag's value in the first directory of a TIFF with the low byte first.
  private func place(of tag: Int, in data: Data) throws -> Int {
    func number(_ offset: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(data[offset + $1]) << (8 * $1) }
    }
    let directory = number(4, 4)
    let entry = try #require(
      (0..<number(directory, 2)).first { number(directory + 2 + 12 * $0, 2) == tag })
    return directory + 2 + 12 * entry + 8
  }

  private func with(_ tag: Int, _ value: UInt32, in name: String) throws -> Data {
    var data = try Formats.data(name)
    let place = try place(of: tag, in: data)
    for index in 0..<4 { data[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    return data
  }

  @Test func aHugeTIFFHeaderTakesNoMemory() throws {
    // Width and height.
    var data = try with(256, 30_000, in: "rgb_raw.tif")
    let height = try place(of: 257, in: data)
    data.replaceSubrange(height..<height + 4, with: [0x30, 0x75, 0, 0])
    #expect(throws: ImageFileError.self) { try ImageFile.load(data: data) }
    for (tag, value) in [(256, UInt32.max), (257, .max), (256, 0), (257, 0), (256, 1 << 20)] {
      let data = try with(tag, value, in: "rgb_raw.tif")
      #expect(throws: ImageFileError.self, "\(tag) \(value)") { try ImageFile.load(data: data) }
    }
    // Tiles of two gigabytes, and none.
    for side in [UInt32(0), 16_384, 1 << 30] {
      var data = try with(322, side, in: "rgb_tiled.tif")
      let length = try place(of: 323, in: data)
      for index in 0..<4 { data[length + index] = UInt8(truncatingIfNeeded: side >> (8 * index)) }
      #expect(throws: ImageFileError.self, "\(side)") { try ImageFile.load(data: data) }
    }
    // A strip that lies elsewhere.
    let strip = try with(273, .max, in: "grey_inverted.tif")
    guard case .failure(ImageFileError.truncated(.tiff, _)) = load(strip) else {
      Issue.record("a strip beyond the end")
      return
    }
  }

  @Test func theFirstOfSeveralPagesIsRead() throws {
    let first = try ImageFile.load(contentsOf: Formats.url("rgb_raw.tif"))
    let isFirst = try ImageFile.load(contentsOf: Formats.url("pages.tif")) == first
    #expect(isFirst)
  }
}
