import Geometry
import Raster
import _PNGCodec

/// The chunks of a PNG that say what its image is like (PNG specification, section 11).
struct PNGChunks {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private(set) var width = 0
  private(set) var height = 0
  private(set) var bitDepth = 0
  private(set) var colorType: UInt8 = 0
  private(set) var isInterlaced = false
  private(set) var hasTransparency = false
  private(set) var orientation = Orientation.upright

  /// Walks over the chunks, reading none but the few that matter; checksums are left to the
  /// decoder.
  init(_ source: ByteSource) throws {
    guard let length = source.bigEndian(4, at: 8), let width = source.bigEndian(4, at: 16),
      let height = source.bigEndian(4, at: 20), source.count >= 33
    else {
      throw ImageFileError.truncated(.png, detail: "its header needs 33 bytes, not \(source.count)")
    }
    guard length == 13, source.starts(with: Array("IHDR".utf8), at: 12) else {
      throw ImageFileError.corrupt(.png, detail: "it does not start with a header chunk")
    }
    guard (1...Int(Int32.max)).contains(width), (1...Int(Int32.max)).contains(height) else {
      throw ImageFileError.corrupt(
        .png, detail: "the header says \(width) x \(height), and sides are 1 to 2147483647")
    }
    self.width = width
    self.height = height
    bitDepth = Int(source[24] ?? 0)
    colorType = source[25] ?? 0
    isInterlaced = source[28] == 1
    var offset = 33
    while let length = source.bigEndian(4, at: offset), offset + 8 <= source.count {
      let end = offset + 8 + length
      switch source.bigEndian(4, at: offset + 4) {
      case 0x4945_4E44: return  // IEND
      case 0x7452_4E53: hasTransparency = true  // tRNS
      // eXIf; the orientation of larger ones is not read.
      case 0x6558_4966 where end <= source.count && length <= 1 << 20:
        orientation = exifOrientation(source.bytes(offset + 8..<end))
      default: break
      }
      offset = end + 4
    }
  }
}

/// PNG, by libpng.
struct PNGDecoder: ImageDecoder {
  private let source: ByteSource
  private let chunks: PNGChunks

  init(_ source: ByteSource) throws {
    self.source = source
    chunks = try PNGChunks(source)
  }

  var width: Int { chunks.width }
  var height: Int { chunks.height }
  var orientation: Orientation { chunks.orientation }

  var storage: ImageStorage {
    // A palette's samples are places in it.
    let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][chunks.colorType] ?? 1
    return ImageStorage(
      components: samples, bitDepth: chunks.bitDepth, isProgressive: chunks.isInterlaced)
  }
  var memory: DecodingMemory {
    // The pixels, and the rows that one is predicted from, of up to 8 bytes a pixel.
    DecodingMemory(fixed: 1 << 19 + 3 * 8 * width, perPixel: 3)
  }

  private var storedChannels: Int {
    let color = chunks.colorType & 2 != 0 ? 3 : 1
    return color + (chunks.colorType & 4 != 0 || chunks.hasTransparency ? 1 : 0)
  }

  func decode(channels: ImageFile.Options.Channels, reduction: Int) throws -> Raster {
    let count = channels == .rgb ? 3 : storedChannels
    return try Raster(width: width, height: height, channels: count) { pixels in
      var message = [CChar](repeating: 0, count: Int(TALLY_PNG_MESSAGE_SIZE))
      let code = tally_png_read(
        source.memory?.baseAddress, source.memory?.count ?? 0, UInt32(width), UInt32(height),
        Int32(count),
        pixels.baseAddress, &message)
      let detail = libraryMessage(message)
      switch Int(code) {
      case Int(TALLY_PNG_OK): return
      case Int(TALLY_PNG_TRUNCATED):
        throw ImageFileError.truncated(.png, detail: detail)
      default:
        throw ImageFileError.corrupt(.png, detail: detail)
      }
    }
  }
}
