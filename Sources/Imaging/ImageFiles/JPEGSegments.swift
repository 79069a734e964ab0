import Geometry
import Raster

/// What the marker segments of a JPEG say about its image (ITU-T recommendation T.81, annex B).
struct JPEGSegments {
  private(set) var width = 0
  private(set) var height = 0
  private(set) var components = 0
  private(set) var precision = 0
  private(set) var orientation = Orientation.upright
  /// Whether the image comes in several scans: then the decoder keeps the coefficients of all of
  /// it.
  private(set) var hasSeveralScans = false
  /// The coefficients of the whole image, 2 bytes each.
  private(set) var coefficientBytes = 0

  /// Walks over the segments up to the first scan.
  init(_ source: ByteSource) throws {
    var offset = 2
    var hasOrientation = false
    while true {
      // Between segments only 0xFF may stand; decoders skip what else is there, and so does this.
      offset = source.firstIndex(of: 0xFF, from: offset)
      while source[offset] == 0xFF { offset += 1 }
      guard let marker = source[offset] else { break }
      offset += 1
      switch marker {
      case 0x00, 0x01, 0xD0...0xD8: continue
      case 0xD9:
        try checkFrame()
        return
      case 0xDA:
        try checkFrame()
        // A scan that lacks a component says that others follow.
        if let count = source[offset + 2], Int(count) < components { hasSeveralScans = true }
        return
      default: break
      }
      guard let length = source.bigEndian(2, at: offset) else { break }
      guard length >= 2 else {
        throw ImageFileError.corrupt(.jpeg, detail: "a segment's length is \(length), below 2")
      }
      let end = offset + length
      guard end <= source.count else { break }
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        hasSeveralScans = [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
        try readFrame(source.bytes(offset + 2..<end))
      case 0xE1
      where !hasOrientation && source.starts(with: Array("Exif\0\0".utf8), at: offset + 2):
        hasOrientation = true
        orientation = exifOrientation(source.bytes(min(offset + 8, end)..<end))
      default: break
      }
      offset = end
    }
    throw ImageFileError.truncated(.jpeg, detail: "it ends before its image data begin")
  }

  private mutating func readFrame(_ body: [UInt8]) throws {
    guard components == 0, body.count >= 6 else {
      throw ImageFileError.corrupt(.jpeg, detail: "its frame header is malformed")
    }
    precision = Int(body[0])
    height = Int(body[1]) << 8 | Int(body[2])
    width = Int(body[3]) << 8 | Int(body[4])
    components = Int(body[5])
    guard body.count >= 6 + 3 * components else { return }
    let factors = (0..<components).map { index -> (Int, Int) in
      let byte = Int(body[7 + 3 * index])
      return (max(1, byte >> 4), max(1, byte & 15))
    }
    let widest = factors.map(\.0).max() ?? 1
    let highest = factors.map(\.1).max() ?? 1
    // Each component has whole blocks of 8 x 8 pixels, by its sampling factors (A.1.1, A.2.4).
    coefficientBytes = factors.reduce(0) { sum, factor in
      let across = (width + 8 * widest - 1) / (8 * widest) * factor.0
      let down = (height + 8 * highest - 1) / (8 * highest) * factor.1
      return sum + across * down * 64 * 2
    }
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
