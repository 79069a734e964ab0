import Raster
import TestSupport
import Testing

@testable import AppleVision

@Suite("Pixels for Core Graphics and Core ML")
struct PixelTests {
  private struct PixelCase: Decodable {
    let width: Int
    let height: Int
    let channels: Int
    let seed: Int
    let straight: UInt32
    let premultiplied: UInt32
  }

  @Test("Rasters of all channels become the pixels that Pillow makes, with rows of any length")
  func pixels() throws {
    let cases = try Folders.golden("AppleVision/pixels.json", as: [PixelCase].self)
    #expect(cases.count == 12)
    for golden in cases {
      let image = try Raster(
        width: golden.width, height: golden.height, channels: golden.channels,
        samples: seededBytes(golden.width * golden.height * golden.channels, seed: golden.seed))
      for padding in [0, 12] {
        for isPremultiplied in [false, true] {
          let bytesPerRow = 4 * golden.width + padding
          let rows = try written(image, bytesPerRow: bytesPerRow, isPremultiplied: isPremultiplied)
          #expect(
            checksum(rows) == (isPremultiplied ? golden.premultiplied : golden.straight),
            "\(golden.width) x \(golden.height) x \(golden.channels)")
        }
      }
    }
  }

  /// The pixels without the ends of rows, of which this checks that nothing was written there.
  private func written(
    _ image: Raster, bytesPerRow: Int, isPremultiplied: Bool
  ) throws -> [UInt8] {
    var memory = [UInt8](repeating: 0xA5, count: bytesPerRow * image.height)
    let isWritten = memory.withUnsafeMutableBytes {
      image.writeBGRA(to: $0, bytesPerRow: bytesPerRow, isPremultiplied: isPremultiplied)
    }
    #expect(isWritten)
    var pixels: [UInt8] = []
    for row in 0..<image.height {
      let start = row * bytesPerRow
      pixels += memory[start..<start + 4 * image.width]
      #expect(memory[(start + 4 * image.width)..<start + bytesPerRow].allSatisfy { $0 == 0xA5 })
    }
    return pixels
  }

  @Test("A raster that was written is read back as the pixels of a camera")
  func roundTrip() throws {
    let image = try Raster(width: 6, height: 4, channels: 3, samples: seededBytes(72, seed: 1))
    var memory = [UInt8](repeating: 0, count: 32 * 4)
    #expect(memory.withUnsafeMutableBytes { image.writeBGRA(to: $0, bytesPerRow: 32) })
    let read = try memory.withUnsafeBytes {
      try Raster(bgra: $0, width: 6, height: 4, bytesPerRow: 32)
    }
    #expect(read == image)
  }

  @Test("Grey is written row by row, and only grey")
  func grey() throws {
    let image = try Raster(width: 3, height: 2, channels: 1, samples: [1, 2, 3, 4, 5, 6])
    var memory = [UInt8](repeating: 0, count: 8)
    #expect(memory.withUnsafeMutableBytes { image.writeGrey(to: $0, bytesPerRow: 5) })
    #expect(memory == [1, 2, 3, 0, 0, 4, 5, 6])
    let color = try image.converted(toChannels: 3)
    #expect(!memory.withUnsafeMutableBytes { color.writeGrey(to: $0, bytesPerRow: 5) })
  }

  @Test("Memory that is too small is left as it is")
  func tooSmall() throws {
    let image = try Raster(width: 3, height: 2, channels: 1, fill: 7)
    var memory = [UInt8](repeating: 0, count: 23)
    #expect(!memory.withUnsafeMutableBytes { image.writeBGRA(to: $0, bytesPerRow: 12) })
    #expect(!memory.withUnsafeMutableBytes { image.writeBGRA(to: $0, bytesPerRow: 11) })
    #expect(!memory.withUnsafeMutableBytes { image.writeBGRA(to: $0, bytesPerRow: .max) })
    #expect(!memory.withUnsafeMutableBytes { image.writeGrey(to: $0, bytesPerRow: 2) })
    #expect(!memory.withUnsafeMutableBytes { image.writeGrey(to: $0, bytesPerRow: 21) })
    #expect(memory.allSatisfy { $0 == 0 })
    // The last row may end with its pixels.
    #expect(memory.withUnsafeMutableBytes { image.writeGrey(to: $0, bytesPerRow: 20) })
  }

  @Test("A frame's encoding is that of its matrix and its range")
  func encodings() {
    #expect(YCbCrEncoding(isBT709: true, isFullRange: true) == .bt709FullRange)
    #expect(YCbCrEncoding(isBT709: true, isFullRange: false) == .bt709VideoRange)
    #expect(YCbCrEncoding(isBT709: false, isFullRange: true) == .bt601FullRange)
    #expect(YCbCrEncoding(isBT709: false, isFullRange: false) == .bt601VideoRange)
  }

  @Test("Formats are named by their four letters, and by their number if these are none")
  func formats() {
    #expect(fourLetters(0x7834_3230) == "x420")
    #expect(fourLetters(0x4247_5241) == "BGRA")
    // `kCVPixelFormatType_32ARGB` is 32.
    #expect(fourLetters(32) == "32")
    #expect(fourLetters(.max) == "4294967295")
  }
}
