import CWebP
import Geometry
import Raster

/// WebP, by libwebp: still images, lossy and lossless.
final class WebPDecoder: ImageDecoder {
  private let source: ByteSource
  let width: Int
  let height: Int
  private let hasAlpha: Bool
  private let isLossless: Bool
  let orientation: Orientation
  /// The end of the file according to its header; bytes after it do not belong to the image.
  private let end: Int

  /// Reads the header and walks over the chunks; the source's bytes must outlive the decoder.
  init(_ source: ByteSource) throws {
    self.source = source
    guard let size = source.littleEndian32(at: 4), source.count >= 20 else {
      throw ImageFileError.truncated(
        .webp, detail: "its header needs 20 bytes, not \(source.count)")
    }
    end = size + 8
    guard end <= source.count else {
      throw ImageFileError.truncated(
        .webp, detail: "it has \(source.count) bytes and says that it has \(end)")
    }
    orientation = Self.orientation(source, end: end)
    // The features of the image itself come after a colour profile, of which the library reads only
    // the size.
    var features = WebPBitstreamFeatures()
    let start = try Self.imageStart(source, end: end)
    let head = source.bytes(start..<min(end, start + 64))
    let extended = source.starts(with: Array("VP8X".utf8), at: 12)
    try Self.check(WebPGetFeatures(head, head.count, &features))
    if extended {
      guard let flags = source[20], let width = source.littleEndian32(at: 24),
        let height = source.littleEndian32(at: 27)
      else { throw ImageFileError.truncated(.webp, detail: "its extended header is cut short") }
      guard flags & 2 == 0 else {
        throw ImageFileError.unsupportedFeature(
          .webp, detail: "an animation; still images are read")
      }
      guard Int(features.width) == width & 0xFF_FFFF + 1,
        Int(features.height) == height & 0xFF_FFFF + 1
      else { throw ImageFileError.corrupt(.webp, detail: "its headers name two sizes") }
      hasAlpha = flags & 16 != 0
    } else {
      hasAlpha = features.has_alpha != 0
    }
    width = Int(features.width)
    height = Int(features.height)
    isLossless = features.format == 2
    guard width > 0, height > 0 else {
      throw ImageFileError.corrupt(.webp, detail: "its image is \(width) x \(height)")
    }
  }

  var storage: ImageStorage { ImageStorage(components: hasAlpha ? 4 : 3, bitDepth: 8) }
  var memory: DecodingMemory {
    // A lossless image is decoded to 4 bytes a pixel first, the alpha of a lossy one to 2.
    DecodingMemory(fixed: 1 << 20, perPixel: isLossless ? 7 : hasAlpha ? 5 : 3)
  }

  func decode(channels: ImageFile.Options.Channels, reduction: Int) throws -> Raster {
    let bytes = source.memory ?? UnsafeRawBufferPointer(start: nil, count: 0)
    let count = channels == .asStored && hasAlpha ? 4 : 3
    var configuration = WebPDecoderConfig()
    guard WebPInitDecoderConfig(&configuration) != 0 else {
      throw ImageFileError.corrupt(.webp, detail: "the decoder cannot start")
    }
    return try Raster(width: width, height: height, channels: count) { pixels in
      configuration.output.colorspace = count == 4 ? MODE_RGBA : MODE_RGB
      configuration.output.is_external_memory = 1
      configuration.output.u.RGBA.rgba = pixels.baseAddress
      configuration.output.u.RGBA.stride = Int32(width * count)
      configuration.output.u.RGBA.size = pixels.count
      defer { WebPFreeDecBuffer(&configuration.output) }
      try Self.check(
        WebPDecode(
          bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), min(end, bytes.count),
          &configuration))
    }
  }

  /// Calls `body` with the name, body's offset and length of each chunk, until it answers true.
  private static func walk(
    _ source: ByteSource, end: Int, _ body: (_ name: [UInt8], _ start: Int, _ length: Int) -> Bool
  ) {
    var offset = 12
    while offset + 8 <= end, let length = source.littleEndian32(at: offset + 4) {
      if body(source.bytes(offset..<offset + 4), offset + 8, length) { return }
      // Chunks begin at even offsets.
      offset += 8 + length + length & 1
    }
  }

  /// The offset of the chunk of the image itself.
  private static func imageStart(_ source: ByteSource, end: Int) throws -> Int {
    var found: Int?
    walk(source, end: end) { name, start, _ in
      if name == Array("VP8 ".utf8) || name == Array("VP8L".utf8) { found = start - 8 }
      return found != nil || name == Array("ANMF".utf8)
    }
    if let found { return found }
    // The library reads a header of an animation, too, and says so above.
    return 0
  }

  private static func orientation(_ source: ByteSource, end: Int) -> Orientation {
    var orientation = Orientation.upright
    walk(source, end: end) { name, start, length in
      guard name == Array("EXIF".utf8), length <= 1 << 20, start + length <= end else {
        return false
      }
      let block = source.bytes(start..<start + length)
      // Some writers keep the prefix that a JPEG's block has.
      let prefix = Array("Exif\0\0".utf8)
      orientation = exifOrientation(block.starts(with: prefix) ? Array(block.dropFirst(6)) : block)
      return true
    }
    return orientation
  }

  private static func check(_ status: VP8StatusCode) throws {
    switch status {
    case VP8_STATUS_OK: return
    case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED:
      throw ImageFileError.truncated(.webp, detail: "it ends before its image does")
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      throw ImageFileError.unsupportedFeature(.webp, detail: "a feature that libwebp does not read")
    case VP8_STATUS_OUT_OF_MEMORY:
      throw ImageFileError.corrupt(.webp, detail: "there is no memory for its image")
    default:
      throw ImageFileError.corrupt(.webp, detail: "its image data are wrong")
    }
  }
}
