import FuzzSupport

/// JPEG: a beginning and lengths of segments that a decoder goes on from.
enum JPEGRepair {
  static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard bytes.count > 4 else { return bytes }
    bytes[0] = 0xFF
    bytes[1] = 0xD8
    var place = 2
    while place + 4 <= bytes.count {
      bytes[place] = 0xFF
      let marker = bytes[place + 1]
      let length = Int(bytes.bigEndianNumber(at: place + 2, bytes: 2))
      let room = bytes.count - place - 2
      let kept = min(max(length, 2), room)
      bytes.putBigEndian(UInt64(kept), at: place + 2, bytes: 2)
      // What follows the first scan's header is entropy-coded.
      if marker == 0xDA { break }
      if (0xC0...0xC2).contains(marker), kept >= 8 {
        // Sides that are decoded in a moment.
        for side in [place + 5, place + 7] { bytes[side] &= 0x01 }
        bytes[place + 4] = 8
      }
      place += 2 + kept
    }
    return bytes
  }
}

/// PNG: the signature, lengths and checksums of chunks.
enum PNGRepair {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Small images whose pixels are not compressed.
  static var seeds: [[UInt8]] {
    [(0, 8, 1), (2, 8, 3), (6, 8, 4), (3, 4, 1), (4, 16, 4)].flatMap { color, depth, samples in
      [UInt8(0), 1].map { interlace in
        let header: [UInt8] =
          [0, 0, 0, 8, 0, 0, 0, 8, UInt8(depth), UInt8(color), 0, 0, interlace]
        let rows = [UInt8](repeating: 1, count: 8 * (1 + 8 * samples) + 32)
        return [2] + signature + chunk("IHDR", header)
          + (color == 3 ? chunk("PLTE", (0..<48).map { UInt8($0) }) : [])
          + chunk("IDAT", rows) + chunk("IEND", [])
      }
    }
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    var length = [UInt8](repeating: 0, count: 4)
    length.putBigEndian(UInt64(body.count), at: 0, bytes: 4)
    return length + Array(name.utf8) + body + [0, 0, 0, 0]
  }

  static func repaired(_ bytes: [UInt8], deflates: Bool) -> [UInt8] {
    var result = signature
    var rest = bytes.dropFirst(8)
    while rest.count >= 12 {
      let start = rest.startIndex
      let length = Int(bytes.bigEndianNumber(at: start, bytes: 4))
      let room = rest.count - 12
      var body = Array(rest.dropFirst(8).prefix(min(length, room)))
      let name = Array(rest.dropFirst(4).prefix(4))
      rest = rest.dropFirst(12 + body.count)
      if name == Array("IHDR".utf8), body.count >= 8 {
        for place in [0, 1, 4, 5] { body[place] = 0 }
        for place in [2, 6] { body[place] &= 1 }
      }
      if deflates, name == Array("IDAT".utf8) { body = stored(body) }
      var chunk = name + body + [0, 0, 0, 0]
      let sum = Checksums.crc32(chunk.dropLast(4))
      chunk.putBigEndian(UInt64(sum), at: chunk.count - 4, bytes: 4)
      var head = [UInt8](repeating: 0, count: 4)
      head.putBigEndian(UInt64(body.count), at: 0, bytes: 4)
      result += head + chunk
    }
    return result
  }

  /// Bytes as a stream of zlib's that does not compress (RFC 1950 and 1951).
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let piece = rest.prefix(0xFFFF)
      rest = rest.dropFirst(piece.count)
      var head = [UInt8](repeating: rest.isEmpty ? 1 : 0, count: 5)
      head.putLittleEndian(UInt64(piece.count), at: 1, bytes: 2)
      head.putLittleEndian(~UInt64(piece.count), at: 3, bytes: 2)
      stream += head + piece
    } while !rest.isEmpty
    var (first, second) = (UInt32(1), UInt32(0))
    for byte in bytes {
      first = (first + UInt32(byte)) % 65_521
      second = (second + first) % 65_521
    }
    var sum = [UInt8](repeating: 0, count: 4)
    sum.putBigEndian(UInt64(second << 16 | first), at: 0, bytes: 4)
    return stream + sum
  }
}

/// HEIC: boxes that end where the box around them does, at most (ISO/IEC 14496-12, section 4.2).
enum BoxRepair {
  private static let containers = ["meta", "iprp", "ipco", "iinf", "iref", "dinf", "grpl"]

  static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard bytes.count >= 16 else { return bytes }
    bytes.replaceSubrange(4..<12, with: Array("ftypheic".utf8))
    repair(&bytes, 0..<bytes.count, depth: 0)
    return bytes
  }

  private static func repair(_ bytes: inout [UInt8], _ range: Range<Int>, depth: Int) {
    var place = range.lowerBound
    while place + 8 <= range.upperBound {
      let length = Int(bytes.bigEndianNumber(at: place, bytes: 4))
      let room = range.upperBound - place
      let kept = length < 8 || length > room ? room : length
      bytes.putBigEndian(UInt64(kept), at: place, bytes: 4)
      let name = String(decoding: bytes[(place + 4)..<(place + 8)], as: UTF8.self)
      if containers.contains(name), depth < 8 {
        // Full boxes have a version and flags; `iinf` counts its boxes besides.
        let head = ["meta": 12, "iinf": 14, "iref": 12][name] ?? 8
        if head < kept {
          repair(&bytes, (place + head)..<(place + kept), depth: depth + 1)
        }
      }
      if name == "ispe", kept >= 20 {
        // Sides that are decoded in a moment.
        for side in [place + 12, place + 13, place + 16, place + 17] { bytes[side] = 0 }
        for side in [place + 14, place + 18] { bytes[side] &= 1 }
      }
      place += kept
    }
  }
}

/// WebP: the container's names, and lengths of chunks that end where the file does, at most.
enum RIFFRepair {
  static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard bytes.count >= 20 else { return bytes }
    bytes.replaceSubrange(0..<4, with: Array("RIFF".utf8))
    bytes.putLittleEndian(UInt64(bytes.count - 8), at: 4, bytes: 4)
    bytes.replaceSubrange(8..<12, with: Array("WEBP".utf8))
    var place = 12
    while place + 8 <= bytes.count {
      let length = Int(bytes.littleEndian(at: place + 4, bytes: 4))
      let kept = min(length, bytes.count - place - 8)
      bytes.putLittleEndian(UInt64(kept), at: place + 4, bytes: 4)
      // Chunks have even lengths in the file.
      place += 8 + kept + kept % 2
    }
    return bytes
  }
}
