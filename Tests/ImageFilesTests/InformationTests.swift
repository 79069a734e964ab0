import Foundation
import ImageFiles
import Raster
import TestSupport
import Testing

struct ReducedCase: Decodable, CustomTestStringConvertible {
  let name: String
  let reduction, width, height: Int
  let checksum: UInt32

  var testDescription: String { "\(name) / \(reduction)" }

  static let all = Result { try Folders.golden("ImageFiles/reduced.json", as: [ReducedCase].self) }
}

@Suite struct InformationTests {
  static let files =
    FileManager.default.enumerator(atPath: Formats.url("").path)?
    .compactMap { $0 as? String }.filter { !$0.hasPrefix("refused") && $0 != "animated.webp" } ?? []

  @Test func aFilesInformationIsThatOfItsBytesAndOfWhatLoads() throws {
    #expect(Self.files.count > 125)
    for name in Self.files {
      let information = try ImageFile.information(contentsOf: Formats.url(name))
      #expect(try ImageFile.information(of: Formats.data(name)) == information, "\(name)")
      #expect(try sides(ImageFile.load(contentsOf: Formats.url(name))) == sides(information))
      #expect(try information.byteCount == Formats.data(name).count)
    }
  }

  @Test(arguments: [
    ("baseline_420.jpg", 3, 8, false), ("progressive_420.jpg", 3, 8, true),
    ("cmyk_progressive.jpg", 4, 8, true), ("grey.jpg", 1, 8, false), ("grey_1.png", 1, 1, false),
    ("rgb_16_interlaced.png", 3, 16, true), ("palette_4.png", 1, 4, false),
    ("plain.heic", 3, 8, false), ("deep.heic", 3, 10, false), ("alpha.heic", 4, 8, false),
    ("lossy.webp", 3, 8, false), ("lossless_alpha.webp", 4, 8, false), ("cmyk.tif", 4, 8, false),
    ("grey_16.tif", 1, 16, false), ("rgba.tif", 4, 8, false),
  ])
  func samplesAreDescribed(_ name: String, _ components: Int, _ depth: Int, _ passes: Bool) throws {
    let information = try ImageFile.information(contentsOf: Formats.url(name))
    #expect(information.components == components)
    #expect(information.bitDepth == depth || name == "deep.heic" && information.bitDepth > 8)
    #expect(information.isProgressive == passes)
  }

  /// Before, the whole file was read; one of a terabyte would not do.
  @Test(arguments: ["baseline_420.jpg", "rgb_8.png", "lossy.webp", "rgb_lzw.tif"])
  func onlyTheHeaderIsRead(_ name: String) throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("large")
    try Formats.data(name).write(to: url)
    let file = try FileHandle(forWritingTo: url)
    try file.truncate(atOffset: 1 << 40)
    try file.close()
    let information = try ImageFile.information(
      contentsOf: url, options: .init(maximumBytes: .max))
    #expect(try sides(information) == sides(ImageFile.information(contentsOf: Formats.url(name))))
    #expect(information.byteCount == 1 << 40)
    #expect(information.peakBytes() > 1 << 40)
    #expect(throws: ImageFileError.fileTooLarge(limit: 512 << 20)) {
      try ImageFile.information(contentsOf: url)
    }
  }

  @Test func longSegmentsBeforeTheFrameArePassedOver() throws {
    let data = try Formats.data("turned_6.jpg")
    let segment = Data([0xFF, 0xED, 0xFF, 0xFF]) + Data(count: 65533)
    var long = data.prefix(2)
    for _ in 0..<300 { long += segment }
    long += data.dropFirst(2)
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("long.jpg")
    try long.write(to: url)
    let information = try ImageFile.information(contentsOf: url)
    #expect(sides(information) == [29, 43] && information.orientation.rawValue == 6)
    #expect(try information == ImageFile.information(of: long))
  }

  @Test(arguments: (try? ReducedCase.all.get()) ?? [])
  func jpegsDecodeReducedAsInPillow(_ golden: ReducedCase) throws {
    #expect(try ReducedCase.all.get().count > 60)
    let url = Formats.url(golden.name)
    let image = try ImageFile.load(contentsOf: url, options: .init(reduction: golden.reduction))
    #expect(sides(image) == [golden.width, golden.height])
    #expect(TestSupport.checksum(image.samples) == golden.checksum)
    let size = try ImageFile.information(contentsOf: url).size(atReduction: golden.reduction)
    #expect([size.width, size.height] == sides(image))
  }

  @Test func aReductionThatAFormatLacksIsAnError() throws {
    for (name, reduction) in [
      ("rgb_8.png", 2), ("lossy.webp", 2), ("rgb_lzw.tif", 8), ("plain.heic", 4),
      ("grey.jpg", 3), ("grey.jpg", 16), ("grey.jpg", 0), ("grey.jpg", -1), ("rgb_8.png", .max),
    ] {
      let error = #expect(throws: ImageFileError.self) {
        try ImageFile.load(contentsOf: Formats.url(name), options: .init(reduction: reduction))
      }
      #expect(error?.kind == .usage)
    }
  }

  @Test func reductionsAreChosenBySideAndByMemory() throws {
    let jpeg = try ImageFile.information(contentsOf: Formats.url("baseline_420.jpg"))
    #expect(jpeg.reductions == [1, 2, 4, 8])
    // 43 x 29; halves are 22 x 15.
    for (side, reduction) in [(30, 1), (29, 1), (16, 1), (15, 2), (8, 4), (4, 8), (1, 8)] {
      #expect(jpeg.reduction(leavingSides: side) == reduction, "\(side)")
    }
    for (pixels, reduction) in [
      (Int.max, 1), (43 * 29, 1), (331, 1), (330, 2), (88, 4), (0, 8), (-1, 8),
    ] {
      #expect(jpeg.reduction(leavingPixels: pixels) == reduction, "\(pixels)")
    }
    #expect(jpeg.reduction(fittingIn: jpeg.peakBytes()) == 1)
    #expect(jpeg.reduction(fittingIn: jpeg.peakBytes() - 1) == 2)
    #expect(jpeg.reduction(fittingIn: jpeg.peakBytes(atReduction: 8)) == 8)
    #expect(jpeg.reduction(fittingIn: 1000) == nil)
    let png = try ImageFile.information(contentsOf: Formats.url("rgb_8.png"))
    #expect(png.reductions == [1] && png.reduction(leavingSides: 1) == 1)
    #expect(png.reduction(fittingIn: png.peakBytes() - 1) == nil)
  }

  // A20: too little memory is an error, before any is taken, and its text advises a lower resolution.
  @Test(arguments: [("baseline_420.jpg", 2 as Int?), ("rgb_8.png", nil), ("turned_6.jpg", 2)])
  func anImageThatTakesMoreMemoryThanAllowedIsAnErrorWithAdvice(
    _ name: String, fitting: Int?
  ) throws {
    let data = try Formats.data(name)
    let information = try ImageFile.information(of: data)
    let needed = information.peakBytes()
    #expect(
      try ImageFile.load(data: data, options: .init(maximumMemory: needed))
        == ImageFile.load(data: data))
    let error = try #require(throws: ImageFileError.self) {
      try ImageFile.load(data: data, options: .init(maximumMemory: needed - 1))
    }
    #expect(
      error
        == .tooMuchMemory(
          width: information.width, height: information.height, needed: needed, limit: needed - 1,
          reduction: fitting))
    #expect(error.kind == .badData && error.description.contains("take one of lower resolution"))
    #expect(error.description.contains("at a reduction of 2") == (fitting == 2))
    if let fitting {
      let options = ImageFile.Options(maximumMemory: needed - 1, reduction: fitting)
      #expect(try ImageFile.load(data: data, options: options).width < information.width)
    }
    for limit in [0, -1, .min] {
      let error = try #require(throws: ImageFileError.self) {
        try ImageFile.load(data: data, options: .init(maximumMemory: limit))
      }
      #expect(!error.description.contains("reduction"), "\(error)")
    }
  }

  // Only the header is there: what is missing is not reached.
  @Test func memoryIsCheckedBeforeTheImageIsDecoded() throws {
    let data = try Formats.data("rgb_8.png").prefix(60)
    let error = try #require(throws: ImageFileError.self) {
      try ImageFile.load(data: Data(data), options: .init(maximumMemory: 100))
    }
    guard case .tooMuchMemory = error else {
      Issue.record("\(error)")
      return
    }
  }

  #if os(Linux) && compiler(>=6.2)
    @Test func peaksAreThoseThatLoadingTakes() async {
      await #expect(processExitsWith: .success) {
        let folder = try TemporaryFolder()
        let image = try Raster(width: 3000, height: 2000, channels: 3, fill: 128)
        for name in ["a.jpg", "b.png"] {
          let url = folder.url.appendingPathComponent(name)
          try ImageFile.write(image, to: url)
          // Forgets the peak so far.
          try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
          let before = Self.peakKilobytes()
          let loaded = try ImageFile.load(contentsOf: url)
          let taken = Self.peakKilobytes() - before
          let estimate = try ImageFile.information(contentsOf: url).peakBytes() / 1024
          precondition(loaded.width == 3000)
          precondition(taken > estimate / 2, "\(taken) kB of \(estimate)")
          precondition(taken < estimate * 6 / 5, "\(taken) kB of \(estimate)")
        }
      }
    }

    private static func peakKilobytes() -> Int {
      let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
      return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
  #endif
}
