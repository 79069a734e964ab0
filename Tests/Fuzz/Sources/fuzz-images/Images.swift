import Foundation
import FuzzSupport
import ImageFiles
import Raster

extension Target {
  /// JPEG files, whose segments are put right, unless the first byte says not to.
  static let jpeg = Target(
    "jpeg", seeds: { try fixtures("jpg") },
    body: { try look(at: $0, as: .jpeg) { JPEGRepair.repaired($0) } })

  /// PNG files, whose chunks are put right, unless the first byte says not to; pixels need not be
  /// compressed where it says so.
  static let png = Target(
    "png", seeds: { try fixtures("png") + PNGRepair.seeds },
    body: { bytes in
      try look(at: bytes, as: .png) { PNGRepair.repaired($0, deflates: bytes[0] & 2 != 0) }
    })

  /// HEIC files, the lengths of whose boxes are put right, unless the first byte says not to.
  static let heic = Target(
    "heic", seeds: { try fixtures("heic") },
    body: { try look(at: $0, as: .heic) { BoxRepair.repaired($0) } })

  /// WebP files, the lengths of whose chunks are put right, unless the first byte says not to.
  static let webp = Target(
    "webp", seeds: { try fixtures("webp") },
    body: { try look(at: $0, as: .webp) { RIFFRepair.repaired($0) } })

  /// TIFF files as they come: nothing in them is a checksum, and directories may be anywhere.
  static let tiff = Target(
    "tiff", seeds: { try fixtures("tif") }, body: { try look(at: $0, as: .tiff) { $0 } })

  private static func fixtures(_ ending: String) throws -> [[UInt8]] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../../Fixtures/Images/Formats")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix("." + ending) }
      .map { [0] + Array(try Data(contentsOf: folder.appendingPathComponent($0))) }
  }

  /// Reads a file: what is said of it has to be what it decodes to.
  private static func look(
    at bytes: [UInt8], as format: ImageFormat, _ repair: ([UInt8]) -> [UInt8]
  ) throws {
    var file = Array(bytes.dropFirst())
    if bytes[0] & 1 == 0 { file = repair(file) }
    if let path = ProcessInfo.processInfo.environment["TALLY_FUZZ_FILE"] {
      try Data(file).write(to: URL(fileURLWithPath: path))
    }
    let data = Data(file)
    var information: ImageFile.Information?
    try refusable(ImageFileError.self) { information = try ImageFile.information(of: data) }
    var options = ImageFile.Options(maximumPixels: 1 << 20)
    try refusable(ImageFileError.self) {
      let image = try ImageFile.load(data: data, options: options)
      expect(
        information?.width == image.width && information?.height == image.height,
        "\(String(describing: information)), and \(image.width) x \(image.height) are decoded")
      expect(image.channels == 3, "\(image.channels) channels, where RGB is asked for")
      options.channels = .asStored
      let stored = try ImageFile.load(data: data, options: options)
      expect(
        stored.width == image.width && stored.height == image.height,
        "\(image.width) x \(image.height) as RGB, \(stored.width) x \(stored.height) as stored")
      // What libde265 cannot decode it leaves as memory happens to be, without a word.
      expect(
        format == .heic || stored.channels != 3 || stored == image, "RGB is not what is stored")
    }
  }
}
