import CTurboJPEG
import Foundation
import Raster
import _PNGCodec
import _SystemReason

extension ImageFile {
  /// How an image is written.
  public enum Encoding: Hashable, Sendable {
    /// JPEG: quality 1...100; colour at half the resolution (4:2:0) or full (4:4:4). Alpha is
    /// dropped.
    case jpeg(quality: Int = 90, halvesColor: Bool = true)
    /// PNG, 8 bits, with the raster's channels; compression 0 (none) ... 9 (smallest).
    case png(compression: Int = 6)

    /// The format of the file.
    public var format: ImageFormat {
      switch self {
      case .jpeg: .jpeg
      case .png: .png
      }
    }

    /// The encoding that a file's extension asks for, with the default settings.
    ///
    /// - Throws: ``ImageFileError/unsupportedExtension(_:)`` if it is neither `jpg`, `jpeg` nor
    ///   `png`.
    public init(forExtensionOf url: URL) throws(ImageFileError) {
      switch url.pathExtension.lowercased() {
      case "jpg", "jpeg": self = .jpeg()
      case "png": self = .png()
      default: throw .unsupportedExtension(url.lastPathComponent)
      }
    }
  }

  /// The bytes of a file that holds `image`.
  ///
  /// - Throws: ``ImageFileError`` if a setting is out of range or the format has no room for the
  ///   image (JPEG sides end at 65500).
  public static func data(of image: Raster, as encoding: Encoding) throws -> Data {
    switch encoding {
    case .jpeg(let quality, let halvesColor):
      try jpegData(of: image, quality: quality, halvesColor: halvesColor)
    case .png(let compression):
      try pngData(of: image, compression: compression)
    }
  }

  /// Writes `image` into a file, replacing what was there in one step.
  ///
  /// - Parameters:
  ///   - image: what to write.
  ///   - url: the file.
  ///   - encoding: how; by default what the extension says.
  /// - Throws: ``ImageFileError``.
  public static func write(
    _ image: Raster, to url: URL, as encoding: Encoding? = nil
  ) throws {
    try write(data(of: image, as: encoding ?? Encoding(forExtensionOf: url)), to: url)
  }

  private static func write(_ data: Data, to url: URL) throws {
    // A device or pipe cannot be replaced in one step; only files are.
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    let isSpecial =
      attributes.map { $0[.type] as? FileAttributeType != .typeRegular } ?? false
    do {
      try data.write(to: url, options: isSpecial ? [] : .atomic)
    } catch {
      throw ImageFileError.unwritable(path: url.path, reason: SystemReason.text(of: error))
    }
  }

  private static func jpegData(
    of image: Raster, quality: Int, halvesColor: Bool
  ) throws -> Data {
    guard (1...100).contains(quality) else {
      throw ImageFileError.invalidSetting("the JPEG quality is \(quality); it must be 1 to 100")
    }
    guard image.width <= 65500, image.height <= 65500 else {
      throw ImageFileError.encodingFailed(
        .jpeg, detail: "it is \(image.width) x \(image.height), and sides end at 65500")
    }
    let image = image.channels == 2 ? try image.converted(toChannels: 1) : image
    let format = [1: TJPF_GRAY, 3: TJPF_RGB, 4: TJPF_RGBA][image.channels] ?? TJPF_RGB
    let subsampling =
      image.channels == 1 ? TJSAMP_GRAY : halvesColor ? TJSAMP_420 : TJSAMP_444
    guard let handle = tjInitCompress() else {
      throw ImageFileError.encodingFailed(.jpeg, detail: "the encoder cannot start")
    }
    defer { tjDestroy(handle) }
    var bytes: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    defer { tjFree(bytes) }
    let code = tjCompress2(
      handle, image.samples, Int32(image.width), 0, Int32(image.height), Int32(format.rawValue),
      &bytes, &size, Int32(subsampling.rawValue), Int32(quality), TJFLAG_ACCURATEDCT)
    guard code == 0, let bytes else {
      throw ImageFileError.encodingFailed(.jpeg, detail: libraryMessage(tjGetErrorStr2(handle)))
    }
    return Data(bytes: bytes, count: Int(size))
  }

  private static func pngData(of image: Raster, compression: Int) throws -> Data {
    guard (0...9).contains(compression) else {
      throw ImageFileError.invalidSetting(
        "the PNG compression is \(compression); it must be 0 to 9")
    }
    guard image.width <= Int(Int32.max), image.height <= Int(Int32.max) else {
      throw ImageFileError.encodingFailed(
        .png, detail: "it is \(image.width) x \(image.height), and sides end at 2147483647")
    }
    var data = Data()
    var message = [CChar](repeating: 0, count: Int(TALLY_PNG_MESSAGE_SIZE))
    let code = withUnsafeMutablePointer(to: &data) { data in
      tally_png_write(
        image.samples, UInt32(image.width), UInt32(image.height), Int32(image.channels),
        Int32(compression),
        { context, piece, count in
          guard let context, let piece else { return 0 }
          context.assumingMemoryBound(to: Data.self).pointee.append(piece, count: count)
          return 1
        }, data, &message)
    }
    guard Int(code) == Int(TALLY_PNG_OK) else {
      throw ImageFileError.encodingFailed(
        .png,
        detail: libraryMessage(message))
    }
    return data
  }
}
