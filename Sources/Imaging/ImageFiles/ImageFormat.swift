/// The file formats that ``ImageFile`` reads.
public enum ImageFormat: String, Hashable, Sendable, Codable, CaseIterable {
  /// JPEG: baseline and progressive; grey, YCbCr, RGB, CMYK and YCCK; 8 bits.
  case jpeg
  /// PNG: 1 to 16 bits; grey, palette and colour, with or without alpha; interlaced too.
  case png
  /// HEIC: HEVC-coded HEIF, as phones write it. Read only.
  case heic
  /// WebP: lossy and lossless, with or without alpha; no animations. Read only.
  case webp
  /// TIFF and BigTIFF: grey, palette, RGB, CMYK and, in JPEG, YCbCr, with or without alpha; 1 to 16
  /// bits; in strips or tiles; uncompressed or by LZW, Deflate, PackBits, JPEG or fax. The first
  /// image. Read only.
  case tiff

  /// The format as people write it.
  public var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .heic: "HEIC"
    case .webp: "WebP"
    case .tiff: "TIFF"
    }
  }
}

/// The format by the first bytes of a file; the extension is never used.
enum FileSignature: Equatable {
  case supported(ImageFormat)
  /// Another image format, by name.
  case unsupported(String)
  /// No image, in words that complete "this is ...".
  case other(String)

  /// The number of bytes that are read.
  static let length = 256

  init(of bytes: [UInt8]) {
    if Self.starts(bytes, [0xFF, 0xD8, 0xFF]) {
      self = .supported(.jpeg)
    } else if Self.starts(bytes, PNGChunks.signature) {
      self = .supported(.png)
    } else if Self.starts(bytes, Array("ftyp".utf8), at: 4) {
      self = Self.isoMedia(bytes)
    } else if Self.starts(bytes, Array("RIFF".utf8)), Self.starts(bytes, Array("WEBP".utf8), at: 8)
    {
      self = .supported(.webp)
    } else if Self.tiffMarks.contains(where: { Self.starts(bytes, $0) }) {
      self = .supported(.tiff)
    } else if let name = Self.unsupportedName(bytes) {
      self = .unsupported(name)
    } else {
      self = .other(Self.words(for: bytes))
    }
  }

  /// TIFF and BigTIFF, the low byte first or last.
  private static let tiffMarks: [[UInt8]] = [
    [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B],
  ]

  private static func starts(
    _ bytes: [UInt8], _ pattern: [UInt8], at offset: Int = 0
  ) -> Bool {
    bytes.count >= offset + pattern.count && bytes[offset...].starts(with: pattern)
  }

  private static func unsupportedName(_ bytes: [UInt8]) -> String? {
    let signatures: [(String, [UInt8])] = [
      ("GIF", Array("GIF8".utf8)),
      ("JPEG 2000", [0, 0, 0, 0x0C, 0x6A, 0x50]), ("JPEG 2000", [0xFF, 0x4F, 0xFF, 0x51]),
      ("JPEG XL", [0, 0, 0, 0x0C, 0x4A, 0x58]), ("JPEG XL", [0xFF, 0x0A]),
      ("Photoshop", Array("8BPS".utf8)), ("ICO", [0, 0, 1, 0]),
      ("OpenEXR", [0x76, 0x2F, 0x31, 0x01]), ("Radiance HDR", Array("#?RADIANCE".utf8)),
      ("SVG", Array("<svg".utf8)), ("MNG", [0x8A, 0x4D, 0x4E, 0x47]),
    ]
    if let found = signatures.first(where: { starts(bytes, $0.1) }) { return found.0 }
    // Text may well begin with "BM" or "P5"; the bytes after it decide.
    if starts(bytes, Array("BM".utf8)), bytes.count >= 10, bytes[6..<10].allSatisfy({ $0 == 0 }) {
      return "BMP"
    }
    if bytes.count > 3, bytes[0] == 0x50, (0x31...0x36).contains(bytes[1]),
      bytes[2] == 0x0A, bytes[3] == 0x23 || (0x30...0x39).contains(bytes[3])
    {
      return "PNM"
    }
    return nil
  }

  /// HEIC, AVIF and films share one container; its brands tell them apart (ISO/IEC 14496-12, 4.3).
  private static func isoMedia(_ bytes: [UInt8]) -> FileSignature {
    let length = min(bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }, bytes.count)
    var brands: [String] = []
    for offset in stride(from: 8, to: max(length - 3, 8), by: 4) where offset != 12 {
      brands.append(String(decoding: bytes[offset..<offset + 4], as: UTF8.self))
    }
    let coded = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
    if brands.contains(where: coded.contains) { return .supported(.heic) }
    if brands.contains("avif") || brands.contains("avis") { return .unsupported("AVIF") }
    if brands.contains("mif1") || brands.contains("msf1") { return .supported(.heic) }
    return .other("an MP4, QuickTime or similar file")
  }

  private static func words(for bytes: [UInt8]) -> String {
    let signatures: [(String, [UInt8])] = [
      ("a PDF", Array("%PDF".utf8)), ("a ZIP archive", [0x50, 0x4B, 3, 4]),
      ("gzip-compressed data", [0x1F, 0x8B]), ("an ELF program", [0x7F, 0x45, 0x4C, 0x46]),
    ]
    if let found = signatures.first(where: { starts(bytes, $0.1) }) { return found.0 }
    let sample = bytes.prefix(256)
    let isText =
      sample.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 || $0 == 10 || $0 == 13 }
      && String(decoding: sample.dropLast(max(min(sample.count - 1, 3), 0)), as: UTF8.self)
        .unicodeScalars.allSatisfy { $0 != "\u{FFFD}" }
    if isText { return "text" }
    let start = sample.prefix(8).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "unknown data (it starts with \(start.joined(separator: " ")))"
  }
}
