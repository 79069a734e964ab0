import Foundation
import ImageFiles
import Raster
import TestSupport
import Testing

@Suite struct WritingTests {
  private func noise(width: Int, height: Int, channels: Int) throws -> Raster {
    var generator = SeededGenerator(seed: 1)
    return try Raster(
      width: width, height: height, channels: channels,
      samples: (0..<width * height * channels).map { _ in UInt8(generator.next() >> 56) })
  }

  @Test(arguments: 1...4)
  func pngKeepsEverySample(_ channels: Int) throws {
    for (width, height) in [(1, 1), (31, 17), (300, 2)] {
      let image = try noise(width: width, height: height, channels: channels)
      for compression in [0, 6, 9] {
        let data = try ImageFile.data(of: image, as: .png(compression: compression))
        #expect(try ImageFile.load(data: data, options: .init(channels: .asStored)) == image)
      }
    }
  }

  @Test(arguments: 1...4)
  func jpegIsCloseToTheImage(_ channels: Int) throws {
    let image = try Raster(width: 64, height: 48, channels: channels) { samples in
      for index in samples.indices {
        let pixel = index / channels
        samples[index] = UInt8(40 + pixel % 64 * 2 + pixel / 64)
      }
    }
    for halvesColor in [true, false] {
      let data = try ImageFile.data(
        of: image, as: .jpeg(quality: 95, halvesColor: halvesColor))
      let decoded = try ImageFile.load(data: data)
      let expected = try image.converted(toChannels: 3)
      let worst = zip(decoded.samples, expected.samples).map { abs(Int($0) - Int($1)) }.max()
      #expect(try #require(worst) <= 6)
    }
  }

  @Test func lowerQualityIsSmaller() throws {
    let image = try ImageFile.load(contentsOf: Formats.url("turned_1.png"))
    let sizes = try [10, 50, 80, 100].map {
      try ImageFile.data(of: image, as: .jpeg(quality: $0)).count
    }
    #expect(sizes == sizes.sorted())
    let full = try ImageFile.data(of: image, as: .jpeg(quality: 80, halvesColor: false)).count
    #expect(full > sizes[2])
  }

  @Test func theExtensionChoosesTheFormat() throws {
    let folder = try TemporaryFolder()
    let image = try noise(width: 5, height: 4, channels: 3)
    for (name, format) in [("a.jpg", ImageFormat.jpeg), ("b.JPEG", .jpeg), ("c.png", .png)] {
      let url = folder.url.appendingPathComponent(name)
      try ImageFile.write(image, to: url)
      #expect(try ImageFile.information(contentsOf: url).format == format)
    }
    for name in ["d.gif", "e", "f.heic"] {
      let url = folder.url.appendingPathComponent(name)
      #expect(throws: ImageFileError.unsupportedExtension(name)) {
        try ImageFile.write(image, to: url)
      }
      #expect(!FileManager.default.fileExists(atPath: url.path))
    }
  }

  @Test func impossibleSettingsAreErrors() throws {
    let image = try noise(width: 2, height: 2, channels: 3)
    for quality in [0, 101, -1, Int.max] {
      #expect(throws: ImageFileError.self) {
        try ImageFile.data(of: image, as: .jpeg(quality: quality))
      }
    }
    for compression in [-1, 10, Int.min] {
      #expect(throws: ImageFileError.self) {
        try ImageFile.data(of: image, as: .png(compression: compression))
      }
    }
    let wide = try Raster(width: 70_000, height: 1, channels: 1)
    do {
      _ = try ImageFile.data(of: wide, as: .jpeg())
      Issue.record("a JPEG of 70000 pixels was written")
    } catch let error as ImageFileError {
      #expect(error.description.contains("65500"))
    }
  }

  @Test func aFolderThatIsNotThereIsAnInputOutputError() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("none/photo.png")
    do {
      try ImageFile.write(noise(width: 1, height: 1, channels: 3), to: url)
      Issue.record("a file was written into a folder that is not there")
    } catch let error as ImageFileError {
      #expect(error.kind == .inputOutput)
      #expect(error.description.contains("none/photo.png"))
    }
  }
}
