import Geometry
import Raster
import _TIFFCodec

/// TIFF, by libtiff: the first image of a file.
final class TIFFDecoder: ImageDecoder {
  private let source: ByteSource
  private let header: tally_tiff_header

  /// Reads the directory of tags; the source's bytes must outlive the decoder.
  init(_ source: ByteSource) throws {
    self.source = source
    var header = tally_tiff_header()
    try Self.withCodec(source) { source, message in
      tally_tiff_describe(source, &header, message)
    }
    self.header = header
  }

  var width: Int { Int(header.width) }
  var height: Int { Int(header.height) }
  var orientation: Orientation { Orientation(rawValue: Int(header.orientation)) ?? .upright }

  var storage: ImageStorage {
    ImageStorage(components: Int(header.samples), bitDepth: Int(header.bits))
  }
  var memory: DecodingMemory {
    DecodingMemory(fixed: Int(clamping: header.working_bytes), perPixel: 3)
  }

  func decode(channels: ImageFile.Options.Channels, reduction: Int) throws -> Raster {
    let count = channels == .rgb ? 3 : Int(header.channels)
    return try Raster(width: width, height: height, channels: count) { pixels in
      try Self.withCodec(source) { source, message in
        withUnsafePointer(to: header) {
          tally_tiff_decode(source, $0, Int32(count), pixels.baseAddress, message)
        }
      }
    }
  }

  private static func withCodec(
    _ source: ByteSource,
    _ body: (UnsafePointer<tally_tiff_source>, UnsafeMutablePointer<CChar>) -> Int32
  ) throws {
    var message = [CChar](repeating: 0, count: Int(TALLY_TIFF_MESSAGE_SIZE))
    var bytes = tally_tiff_source(
      data: source.memory?.baseAddress?.assumingMemoryBound(to: UInt8.self),
      read: { context, offset, target, count in
        guard let context, let target, let offset = Int(exactly: offset) else { return 0 }
        return Unmanaged<ByteSource>.fromOpaque(context).takeUnretainedValue().copy(
          into: UnsafeMutableRawBufferPointer(start: target, count: count), at: offset)
      }, context: Unmanaged.passUnretained(source).toOpaque(), size: UInt64(source.count))
    let code = withExtendedLifetime(source) { body(&bytes, &message) }
    let detail = libraryMessage(message)
    switch Int(code) {
    case Int(TALLY_TIFF_OK): return
    case Int(TALLY_TIFF_TRUNCATED): throw ImageFileError.truncated(.tiff, detail: detail)
    case Int(TALLY_TIFF_UNSUPPORTED):
      throw ImageFileError.unsupportedFeature(.tiff, detail: detail)
    default: throw ImageFileError.corrupt(.tiff, detail: detail)
    }
  }
}
