import CZlib
import Foundation

/// A zip file, such as a Python wheel, from which one member is read.
///
/// Members are stored or deflated, without encryption, below 4 GiB. Whatever the headers say,
/// nothing is written beyond the requested length, and the archive's names are not used as names of
/// files.
///
/// Source: PKWARE, "APPNOTE.TXT, .ZIP File Format Specification", sections 4.3.7, 4.3.12 and
/// 4.3.16.
struct ZipArchive: ~Copyable {
  private let file: FileInput
  private let directory: [UInt8]
  private let memberCount: Int

  /// Reads the central directory of a file.
  init(_ file: consuming FileInput) throws(ModelStoreError) {
    let path = file.path
    // Only a comment of at most 65,535 bytes may follow the end record.
    let tailStart = max(0, file.size - 65_557)
    let tail = try file.bytes(at: tailStart, count: 65_557)
    let places = stride(from: tail.count - 22, through: 0, by: -1)
    let end = places.first { place in
      tail.number(place, bytes: 4) == 0x0605_4b50
        && place + 22 + tail.number(place + 20, bytes: 2) == tail.count
    }
    guard let end else {
      throw .badArchive(path: path, reason: "not a zip file, or truncated")
    }
    let (count, size) = (tail.number(end + 10, bytes: 2), tail.number(end + 12, bytes: 4))
    let start = tail.number(end + 16, bytes: 4)
    guard tail.number(end + 4, bytes: 2) == 0, tail.number(end + 6, bytes: 2) == 0,
      start != 0xFFFF_FFFF, count != 0xFFFF
    else {
      throw .badArchive(
        path: path, reason: "zip files of several parts or beyond 4 GiB are not read")
    }
    guard size <= 1 << 26, start + size <= tailStart + end else {
      throw .badArchive(path: path, reason: "its directory does not lie within it")
    }
    directory = try file.bytes(at: start, count: size)
    memberCount = count
    self.file = file
  }

  private struct Member {
    let method: Int
    let compressedSize: Int
    let size: Int
    let header: Int
  }

  private func fault(_ reason: String) -> ModelStoreError {
    .badArchive(path: file.path, reason: reason)
  }

  private func member(_ name: String) throws(ModelStoreError) -> Member {
    var found: Member?
    var place = 0
    for _ in 0..<memberCount {
      guard place + 46 <= directory.count, directory.number(place, bytes: 4) == 0x0201_4b50 else {
        throw fault("its directory is damaged")
      }
      let nameLength = directory.number(place + 28, bytes: 2)
      let rest = directory.number(place + 30, bytes: 2) + directory.number(place + 32, bytes: 2)
      let nameEnd = place + 46 + nameLength
      guard nameEnd + rest <= directory.count else { throw fault("its directory is damaged") }
      if directory[(place + 46)..<nameEnd].elementsEqual(name.utf8) {
        // Other programs may take the other member.
        guard found == nil else { throw fault("it has the member '\(name)' twice") }
        guard directory.number(place + 8, bytes: 2) & 1 == 0 else {
          throw fault("its member '\(name)' is encrypted")
        }
        found = Member(
          method: directory.number(place + 10, bytes: 2),
          compressedSize: directory.number(place + 20, bytes: 4),
          size: directory.number(place + 24, bytes: 4),
          header: directory.number(place + 42, bytes: 4))
      }
      place = nameEnd + rest
    }
    guard let found else { throw fault("it has no member '\(name)'") }
    return found
  }

  /// Writes a member to a file.
  ///
  /// - Parameter size: the length that it must have.
  /// - Returns: its SHA-256, which the caller compares.
  func extract(
    _ name: String, size: Int, to output: borrowing FileOutput
  ) throws(ModelStoreError) -> SHA256Digest {
    let member = try member(name)
    guard member.size == size else {
      throw fault("its member '\(name)' has \(member.size) bytes; it must have \(size)")
    }
    let header = try file.bytes(at: member.header, count: 30)
    guard header.count == 30, header.number(0, bytes: 4) == 0x0403_4b50 else {
      throw fault("the header of its member '\(name)' is damaged")
    }
    let start = member.header + 30 + header.number(26, bytes: 2) + header.number(28, bytes: 2)
    guard start + member.compressedSize <= file.size else {
      throw fault("it ends inside its member '\(name)'")
    }
    var hasher = SHA256Hasher()
    var written = 0
    func put(_ bytes: UnsafeRawBufferPointer) throws(ModelStoreError) {
      written += bytes.count
      guard written <= size else { throw fault("its member '\(name)' is longer than it says") }
      hasher.update(bytes)
      try output.write(bytes)
    }
    switch member.method {
    case 0: try copy(from: start, count: member.compressedSize, put)
    case 8: try inflate(from: start, count: member.compressedSize, put)
    default:
      throw fault(
        "its member '\(name)' is compressed by method \(member.method), which is not read")
    }
    guard written == size else { throw fault("its member '\(name)' is shorter than it says") }
    return hasher.finish()
  }

  private static let pieceSize = 1 << 17

  private func copy(
    from start: Int, count: Int, _ put: (UnsafeRawBufferPointer) throws(ModelStoreError) -> Void
  ) throws(ModelStoreError) {
    for offset in stride(from: 0, to: count, by: Self.pieceSize) {
      let piece = try file.bytes(at: start + offset, count: min(Self.pieceSize, count - offset))
      try piece.reading(piece.count, put)
    }
  }

  private func inflate(
    from start: Int, count: Int, _ put: (UnsafeRawBufferPointer) throws(ModelStoreError) -> Void
  ) throws(ModelStoreError) {
    var stream = z_stream()
    // A negative value: the data have no zlib header.
    guard
      inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw fault("zlib finds no memory") }
    defer { inflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Self.pieceSize)
    var offset = 0
    var code = Z_OK
    while code != Z_STREAM_END {
      var input = try file.bytes(at: start + offset, count: min(Self.pieceSize, count - offset))
      guard !input.isEmpty else { throw fault("compressed data end too early") }
      offset += input.count
      let inputCount = input.count
      // zlib keeps the input's address between its calls, which are all inside this closure.
      code = try input.filling { input throws(ModelStoreError) -> Int32 in
        stream.next_in = input.bindMemory(to: UInt8.self).baseAddress
        stream.avail_in = uInt(inputCount)
        var code = Z_OK
        while code == Z_OK {
          let made = try output.filling { buffer throws(ModelStoreError) -> Int in
            stream.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
            stream.avail_out = uInt(buffer.count)
            code = CZlib.inflate(&stream, Z_NO_FLUSH)
            return buffer.count - Int(stream.avail_out)
          }
          try output.reading(made, put)
          if stream.avail_in == 0, made < Self.pieceSize { break }
        }
        return code
      }
      guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
        throw fault("compressed data are damaged")
      }
    }
  }
}

extension [UInt8] {
  /// The little-endian number at a place, which must have room for it.
  fileprivate func number(_ place: Int, bytes: Int) -> Int {
    (0..<bytes).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
  }
}
