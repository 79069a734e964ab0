import Raster
import _PNGCodec

/// The chunks of a PNG that say what its image is like (PNG specification, section 11).
struct PNGChunks {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private(set) var width = 0
  private(set) var height = 0
  private(set) var colorType: UInt8 = 0
  private(set) var hasTransparency = false
  private(set) var orientation = Orientation.upright

  /// Walks over the chunks, reading none but the few that matter; checksums are left to the decoder.
  init(_ bytes: UnsafeRawBufferPointer) throws {
    guard let length = bigEndian32(bytes, at: 8), let width = bigEndian32(bytes, at: 16),
      let height = bigEndian32(bytes, at: 20), bytes.count >= 33
    else {
      throw ImageFileError.truncated(.png, detail: "its header needs 33 bytes, not \(bytes.count)")
    }
    guard length == 13, Self.type(bytes, at: 8) == "IHDR" else {
      throw ImageFileError.corrupt(.png, detail: "it does not start with a header chunk")
    }
    guard (1...UInt32(Int32.max)).contains(width), (1...UInt32(Int32.max)).contains(height) else {
      throw ImageFileError.corrupt(
        .png, detail: "the header says \(width) x \(height), and sides are 1 to 2147483647")
    }
    self.width = Int(width)
    self.height = Int(height)
    colorType = bytes[25]
    var offset = 33
    while let length = bigEndian32(bytes, at: offset), offset + 8 <= bytes.count {
      let end = offset + 8 + Int(length)
      switch Self.type(bytes, at: offset) {
      case "IEND": return
      case "tRNS": hasTransparency = true
      case "eXIf" where end <= bytes.count:
        orientation = exifOrientation(.init(rebasing: bytes[offset + 8..<end]))
      default: break
      }
      offset = end + 4
    }
  }

  private static func type(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> String {
    String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
  }
}

/// PNG, by libpng.
struct PNGDecoder: ImageDecoder {
  private let bytes: UnsafeRawBufferPointer
  private let chunks: PNGChunks

  init(_ bytes: UnsafeRawBufferPointer) throws {
    self.bytes = bytes
    chunks = try PNGChunks(bytes)
  }

  var width: Int { chunks.width }
  var height: Int { chunks.height }
  var orientation: Orientation { chunks.orientation }

  private var storedChannels: Int {
    let color = chunks.colorType & 2 != 0 ? 3 : 1
    return color + (chunks.colorType & 4 != 0 || chunks.hasTransparency ? 1 : 0)
  }

  func decode(channels: ImageFile.Options.Channels) throws -> Raster {
    let count = channels == .rgb ? 3 : storedChannels
    return try Raster(width: width, height: height, channels: count) { pixels in
      var message = [CChar](repeating: 0, count: Int(TALLY_PNG_MESSAGE_SIZE))
      let code = tally_png_read(
        bytes.baseAddress, bytes.count, UInt32(width), UInt32(height), Int32(count),
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
