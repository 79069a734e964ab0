import CommandKit
import Foundation

/// The request in a line of `tally count --stream`.
enum StreamLine: Sendable {
  /// The photo at a path.
  case photo(String)
  /// An image, named by the text before its data.
  case image(Data, name: String)
  /// A line that cannot be counted.
  case refused(name: String?, CommandError)

  /// The most bytes of a line.
  static let limit = 64 << 20

  /// Reads a line.
  ///
  /// A line that begins with `data:` contains an image (RFC 2397, base64 only), and so does one of
  /// only base64 that begins like an image file; any other is a path.
  init(_ line: LineReader.Line) {
    guard case .bytes(let bytes) = line else {
      self.init(refused: "the line is longer than \(Self.limit >> 20) MB")
      return
    }
    guard !bytes.isEmpty else {
      self.init(refused: "the line is empty; it must be a path, or an image after data:")
      return
    }
    guard bytes.starts(with: "data:".utf8) else {
      if Self.isBareImage(bytes), let data = Data(base64Encoded: Data(bytes)) {
        self = .image(data, name: Self.bareName)
      } else if let path = String(validating: bytes, as: UTF8.self) {
        self = .photo(path)
      } else {
        self.init(refused: "the line is not UTF-8")
      }
      return
    }
    self.init(dataURL: bytes)
  }

  /// The name of an image without a name.
  static let bareName = "base64"

  /// Whether a line is an image's base64 and nothing else.
  ///
  /// A photo's path is never taken for one, because base64 has no dot.
  private static func isBareImage(_ bytes: [UInt8]) -> Bool {
    // The first bytes of a JPEG, a PNG, a WebP and both kinds of TIFF, and "ftyp" after a HEIC's
    // first four, in base64.
    let beginnings = ["/9j/", "iVBORw0KGgo", "UklGR", "SUkqA", "TU0AK"]
    let isImage =
      beginnings.contains { bytes.starts(with: $0.utf8) }
      || bytes.starts(with: "AAA".utf8) && bytes.dropFirst(6).starts(with: "Z0eXB".utf8)
    return isImage
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"),
          UInt8(ascii: "="):
          true
        default: false
        }
      }
  }

  /// The most bytes before an image's data.
  private static let longestHead = 1024

  private init(dataURL bytes: [UInt8]) {
    guard let comma = bytes.prefix(Self.longestHead).firstIndex(of: UInt8(ascii: ",")),
      let head = String(validating: bytes[..<comma], as: UTF8.self), head.hasSuffix(";base64")
    else {
      self.init(
        refused: "the line begins with data: and not with data:image/jpeg;base64, or the like")
      return
    }
    if let data = Data(base64Encoded: Data(bytes[(comma + 1)...])) {
      self = .image(data, name: head)
    } else {
      self = .refused(
        name: head, CommandError(.badData, "what follows the comma is not base64"))
    }
  }

  private init(refused reason: String) {
    self = .refused(name: nil, CommandError(.badData, reason))
  }
}
