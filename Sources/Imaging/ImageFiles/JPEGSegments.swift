import Raster

/// What the marker segments of a JPEG say about its image (ITU-T T.81, annex B).
struct JPEGSegments {
  private(set) var width = 0
  private(set) var height = 0
  private(set) var components = 0
  private(set) var precision = 0
  private(set) var orientation = Orientation.upright

  /// Walks over the segments up to the first scan.
  init(_ bytes: UnsafeRawBufferPointer) throws {
    var offset = 2
    var hasOrientation = false
    while true {
      // Between segments only 0xFF may stand; decoders skip what else is there, and so does this.
      while offset < bytes.count, bytes[offset] != 0xFF { offset += 1 }
      while offset < bytes.count, bytes[offset] == 0xFF { offset += 1 }
      guard offset < bytes.count else { break }
      let marker = bytes[offset]
      offset += 1
      switch marker {
      case 0x00, 0x01, 0xD0...0xD8: continue
      case 0xD9, 0xDA:
        try checkFrame()
        return
      default: break
      }
      guard offset + 2 <= bytes.count else { break }
      let length = Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
      guard length >= 2 else {
        throw ImageFileError.corrupt(.jpeg, detail: "a segment's length is \(length), below 2")
      }
      guard offset + length <= bytes.count else { break }
      let body = UnsafeRawBufferPointer(rebasing: bytes[offset + 2..<offset + length])
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: try readFrame(body)
      case 0xE1 where !hasOrientation && body.starts(with: Array("Exif\0\0".utf8)):
        hasOrientation = true
        orientation = exifOrientation(.init(rebasing: body[6...]))
      default: break
      }
      offset += length
    }
    throw ImageFileError.truncated(.jpeg, detail: "it ends before its image data begin")
  }

  private mutating func readFrame(_ body: UnsafeRawBufferPointer) throws {
    guard components == 0, body.count >= 6 else {
      throw ImageFileError.corrupt(.jpeg, detail: "its frame header is malformed")
    }
    precision = Int(body[0])
    height = Int(body[1]) << 8 | Int(body[2])
    width = Int(body[3]) << 8 | Int(body[4])
    components = Int(body[5])
  }

  private func checkFrame() throws {
    guard components > 0 else {
      throw ImageFileError.corrupt(.jpeg, detail: "it has no frame header")
    }
    guard width > 0, height > 0 else {
      throw ImageFileError.corrupt(.jpeg, detail: "its frame header says \(width) x \(height)")
    }
    guard precision == 8 else {
      throw ImageFileError.unsupportedFeature(
        .jpeg, detail: "\(precision) bits a sample; 8 are read")
    }
    guard [1, 3, 4].contains(components) else {
      throw ImageFileError.unsupportedFeature(
        .jpeg, detail: "\(components) components; 1, 3 and 4 are read")
    }
  }
}
