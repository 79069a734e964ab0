import Foundation
import ImageFiles
import Raster
import TestSupport
import Testing

@Suite struct HostileInputTests {
  /// What loading throws, or nil where it answers an image.
  private func failure(_ data: Data) throws -> ImageFileError? {
    do {
      _ = try ImageFile.load(data: data)
      return nil
    } catch let error as ImageFileError {
      return error
    }
  }

  @Test func missingFilesAndFoldersAreToldApart() throws {
    let folder = try TemporaryFolder()
    let missing = folder.url.appendingPathComponent("none.jpg")
    let error = ImageFileError.noSuchFile(path: missing.path)
    #expect(throws: error) { try ImageFile.load(contentsOf: missing) }
    #expect(throws: error) { try ImageFile.information(contentsOf: missing) }
    #expect(error.kind == .noSuchInput)
    let directory = ImageFileError.isDirectory(path: folder.url.path)
    #expect(throws: directory) { try ImageFile.load(contentsOf: folder.url) }
    let file = folder.url.appendingPathComponent("file")
    try Data([1]).write(to: file)
    let below = file.appendingPathComponent("below.jpg")
    #expect(throws: ImageFileError.noSuchFile(path: below.path)) {
      try ImageFile.load(contentsOf: below)
    }
  }

  @Test func anUnreadableFileIsAnInputOutputError() throws {
    // A chain of links that ends in itself cannot be opened, whoever asks.
    let folder = try TemporaryFolder()
    let link = folder.url.appendingPathComponent("loop.jpg")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: link)
    do {
      _ = try ImageFile.load(contentsOf: link)
      Issue.record("a loop of links was read")
    } catch let error as ImageFileError {
      #expect(error.kind == .inputOutput)
      #expect(error.description.contains("loop.jpg"))
    }
  }

  @Test func emptyFilesSayWhatIsNeeded() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("empty.jpg")
    try Data().write(to: url)
    #expect(throws: ImageFileError.empty) { try ImageFile.load(contentsOf: url) }
    #expect(ImageFileError.empty.description.contains("JPEG, PNG, HEIC, WebP or TIFF"))
    #expect(ImageFileError.empty.kind == .badData)
  }

  @Test func filesBeyondTheLimitAreNotRead() throws {
    let options = ImageFile.Options(maximumBytes: 100)
    #expect(throws: ImageFileError.fileTooLarge(limit: 100)) {
      try ImageFile.load(contentsOf: Formats.url("rgb_8.png"), options: options)
    }
    // Without end, and without a size to go by.
    #expect(throws: ImageFileError.fileTooLarge(limit: 1000)) {
      try ImageFile.load(
        contentsOf: URL(fileURLWithPath: "/dev/zero"), options: .init(maximumBytes: 1000))
    }
  }

  @Test(arguments: [
    ("Dear sirs, this is no photo.\n", "text"),
    ("BMW is a maker of cars", "text"), ("Gr\u{FC}\u{DF}e", "text"), ("P5 is not P6", "text"),
    ("%PDF-1.7", "a PDF"), ("PK\u{3}\u{4}....", "a ZIP archive"),
    ("\u{1}\u{2}", "(it starts with 01 02)"),
  ])
  func dataThatAreNoImageAreNamed(_ content: String, _ name: String) throws {
    let error = try #require(try failure(Data(content.utf8)))
    guard case .notAnImage(let found) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(found.hasSuffix(name))
    #expect(error.description.contains("JPEG, PNG, HEIC, WebP and TIFF"))
    #expect(error.kind == .badData)
  }

  @Test(
    arguments: [
      (Array("GIF89a...".utf8), "GIF"), (Array("BM".utf8) + [9, 9, 9, 9, 0, 0, 0, 0], "BMP"),
      ([0, 0, 0, 20] + Array("ftypavif\0\0\0\0mif1".utf8), "AVIF"), (Array("P6\n3 4".utf8), "PNM"),
    ] as [([UInt8], String)])
  func otherFormatsAreNamed(_ bytes: [UInt8], _ name: String) throws {
    #expect(try failure(Data(bytes)) == .unsupportedFormat(name))
    #expect(
      ImageFileError.unsupportedFormat(name).description
        == "\(name) is not supported; JPEG, PNG, HEIC, WebP and TIFF are")
  }

  @Test(arguments: [
    "baseline_420.jpg", "progressive_420.jpg", "cmyk.jpg", "grey.jpg", "restart_440.jpg",
  ])
  func everyCutJPEGIsAnError(_ name: String) throws {
    let data = try Formats.data(name)
    for count in 1..<data.count {
      let error = try failure(data.prefix(count))
      #expect(error?.kind == .badData, "\(name) cut to \(count) of \(data.count) bytes")
    }
    let half = try #require(try failure(data.prefix(data.count / 2)))
    guard case .truncated(.jpeg, _) = half else {
      Issue.record("\(half)")
      return
    }
  }

  @Test(
    "A HEIC whose picture is not of the size that it says is refused",
    arguments: [("plain.heic", 12), ("plain.heic", 16), ("turned_1.heic", 12), ("alpha.heic", 16)])
  func otherSize(_ name: String, _ offset: Int) throws {
    var data = try Formats.data(name)
    // The box with width and height comes before the picture.
    let box = try #require(data.firstRange(of: Data("ispe".utf8))).lowerBound - 4
    data[box + offset + 2] = 1
    #expect(throws: ImageFileError.self) { try ImageFile.load(data: data) }
  }

  @Test(arguments: ["rgb_8.png", "palette_4_interlaced.png", "grey_16.png"])
  func everyCutPNGIsAnError(_ name: String) throws {
    let data = try Formats.data(name)
    for count in 1..<data.count {
      let error = try failure(data.prefix(count))
      #expect(error?.kind == .badData, "\(name) cut to \(count) of \(data.count) bytes")
    }
    let half = try #require(try failure(data.prefix(data.count / 2)))
    guard case .truncated(.png, _) = half else {
      Issue.record("\(half)")
      return
    }
  }

  @Test func cutHEICsAreErrorsOrWhole() throws {
    let data = try Formats.data("turned_1.heic")
    for count in stride(from: 1, to: data.count - 40, by: 7) {
      #expect(try failure(data.prefix(count))?.kind == .badData, "cut to \(count) bytes")
    }
  }

  @Test func everyWrongChecksumInAPNGIsAnError() throws {
    let data = try Formats.data("gamma.png")
    var offset = 8
    var kinds: [String] = []
    while offset + 8 <= data.count {
      let length = data[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      kinds.append(String(decoding: data[offset + 4..<offset + 8], as: UTF8.self))
      var damaged = data
      damaged[offset + 8 + length + 3] ^= 1
      let error = try #require(try failure(damaged), "\(kinds.last ?? "")")
      guard case .corrupt(.png, let detail) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(detail.contains("CRC"))
      offset += 12 + length
    }
    #expect(kinds == ["IHDR", "gAMA", "tEXt", "IDAT", "IEND"])
  }

  /// A PNG chunk with a right checksum.
  private func chunk(_ kind: String, _ body: [UInt8]) -> [UInt8] {
    let content = Array(kind.utf8) + body
    return bigEndian(UInt32(body.count)) + content + bigEndian(checksum(content))
  }

  private func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  private func pngHeader(width: UInt32, height: UInt32, interlaced: Bool = false) -> Data {
    Data(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + chunk(
          "IHDR", bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, interlaced ? 1 : 0]))
  }

  @Test func aHugePNGHeaderWithoutDataTakesNoMemory() throws {
    let data = pngHeader(width: 30_000, height: 30_000)
    #expect(
      try failure(data) == .tooManyPixels(width: 30_000, height: 30_000, limit: 250_000_000))
    let information = try ImageFile.information(of: data)
    #expect(sides(information) == [30_000, 30_000])
    // Within a limit that allows it, the data run out before a row is written.
    let options = ImageFile.Options(maximumPixels: .max)
    for interlaced in [false, true] {
      for tail in [[], chunk("IDAT", []), chunk("IEND", [])] as [[UInt8]] {
        let data = pngHeader(width: 20_000, height: 20_000, interlaced: interlaced) + tail
        #expect(throws: ImageFileError.self) {
          try ImageFile.load(data: data, options: options)
        }
      }
    }
    for (width, height) in [(0, 5), (5, 0), (1 << 31, 1), (UInt32.max, UInt32.max)]
      as [(UInt32, UInt32)]
    {
      guard case .corrupt(.png, _) = try failure(pngHeader(width: width, height: height)) else {
        Issue.record("a header of \(width) x \(height) is no error")
        continue
      }
    }
  }

  @Test func aHugeJPEGHeaderWithoutDataTakesNoMemory() throws {
    for name in ["baseline_420.jpg", "progressive_420.jpg"] {
      var data = try Formats.data(name)
      let frame = try #require(
        data.indices.dropLast(9).first {
          data[$0] == 0xFF && (data[$0 + 1] == 0xC0 || data[$0 + 1] == 0xC2)
        })
      data.replaceSubrange(frame + 5..<frame + 9, with: [0x39, 0x00, 0x39, 0x00])
      #expect(throws: ImageFileError.self) { try ImageFile.load(data: data) }
      data.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
      #expect(
        try failure(data) == .tooManyPixels(width: 65535, height: 65535, limit: 250_000_000))
    }
  }

  @Test func strayBytesOfACameraAreNoDamage() throws {
    let clean = try ImageFile.load(contentsOf: Formats.url("baseline_420.jpg"))
    #expect(try ImageFile.load(contentsOf: Formats.url("stray_bytes.jpg")) == clean)
    #expect(try ImageFile.load(contentsOf: Formats.url("trailer.jpg")) == clean)
  }

  @Test func malformedEXIFCountsAsUpright() throws {
    let data = try Formats.data("turned_6.jpg")
    let start = try #require(data.range(of: Data("Exif".utf8))).upperBound + 2
    let length = Int(data[start - 8]) << 8 | Int(data[start - 7])
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<400 {
      var damaged = data
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        damaged[start + Int.random(in: 0..<length - 8, using: &generator)] =
          UInt8.random(in: .min ... .max, using: &generator)
      }
      let image = try ImageFile.load(data: damaged)
      #expect(image.samples.count == 43 * 29 * 3)
    }
  }

  @Test(arguments: [
    "baseline_420.jpg", "progressive_420.jpg", "cmyk_progressive.jpg", "restart_440.jpg",
    "turned_6.jpg", "palette_alpha_2_interlaced.png", "rgba_16.png", "turned_6.png", "plain.heic",
    "turned_1.heic", "alpha.heic", "lossy.webp", "lossless_alpha.webp", "lossy_alpha.webp",
    "turned_6.webp", "rgb_lzw.tif", "rgb_predicted.tif", "rgb_tiled.tif", "rgb_planes.tif",
    "grey_16_tiled.tif", "palette_4.tif", "rgb_jpeg.tif", "cmyk.tif", "fax.tif", "rgb_big.tif",
    "turned_6.tif",
  ])
  func damagedFilesAnswerAnImageOrAnError(_ name: String) throws {
    let data = try Formats.data(name)
    var generator = SeededGenerator(seed: UInt64(checksum(name.utf8)))
    var images = 0
    var errors = 0
    for _ in 0..<400 {
      var damaged = data
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<damaged.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: damaged[index] = UInt8.random(in: .min ... .max, using: &generator)
        case 2: damaged.insert(UInt8.random(in: .min ... .max, using: &generator), at: index)
        default: damaged.remove(at: index)
        }
      }
      do {
        let image = try ImageFile.load(data: damaged, options: .init(maximumPixels: 1_000_000))
        #expect(image.samples.count == image.width * image.height * 3)
        images += 1
      } catch let error as ImageFileError {
        #expect(error.kind == .badData)
        #expect(!error.description.contains("\n"))
        errors += 1
      }
    }
    #expect(images + errors == 400)
    #expect(errors > 0)
  }
}
