import Foundation

/// The bytes of an image, read on demand.
///
/// Only a window of a file is in memory at a time, so a header is found without reading the rest of
/// the file. Bytes beyond the end, and bytes that cannot be read, are missing; ``failure`` is set
/// for the latter.
final class ByteSource {
  /// How many bytes there are.
  let count: Int
  /// Why bytes that should be there could not be read; nil if all could.
  private(set) var failure: ImageFileError?

  private let descriptor: Int32
  private let path: String
  /// The bytes at `start`: all, if they are in memory.
  private var window: UnsafeRawBufferPointer
  private var start = 0
  private let ownedWindow: UnsafeMutableRawBufferPointer?

  /// A page, because headers are many small pieces with unused data in between.
  private static let windowSize = 1 << 12

  /// Bytes that are in memory, and must outlive the source.
  init(_ bytes: UnsafeRawBufferPointer) {
    window = bytes
    count = bytes.count
    descriptor = -1
    path = ""
    ownedWindow = nil
  }

  /// The bytes of a file that can be read at any place; the descriptor is the caller's.
  init(descriptor: Int32, count: Int, path: String) {
    self.descriptor = descriptor
    self.count = count
    self.path = path
    let owned = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.windowSize, alignment: 16)
    ownedWindow = owned
    window = UnsafeRawBufferPointer(rebasing: owned[..<0])
  }

  deinit { ownedWindow?.deallocate() }

  /// The bytes, if all are in memory.
  var memory: UnsafeRawBufferPointer? { ownedWindow == nil ? window : nil }

  /// The byte at `offset`; nil at the end.
  subscript(offset: Int) -> UInt8? {
    if offset >= start, offset - start < window.count { return window[offset - start] }
    guard offset >= 0, offset < count, let ownedWindow else { return nil }
    start = offset
    let got = read(into: ownedWindow, at: offset)
    window = UnsafeRawBufferPointer(rebasing: ownedWindow[..<got])
    return got > 0 ? window[0] : nil
  }

  /// The offset of the first such byte at or after `offset`; the end if there is none.
  func firstIndex(of byte: UInt8, from offset: Int) -> Int {
    var offset = offset
    // Reading one byte fills the window from there.
    while self[offset] != nil {
      let part = UnsafeRawBufferPointer(rebasing: window[(offset - start)...])
      if let base = part.baseAddress, let found = memchr(base, Int32(byte), part.count) {
        return offset + (UnsafeRawPointer(found) - base)
      }
      offset += part.count
    }
    return offset
  }

  /// Copies bytes from `offset` on until the target is full; returns their number.
  func copy(into target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    guard offset >= 0, offset < count, !target.isEmpty else { return 0 }
    if let memory {
      let part = memory[offset..<min(count, offset + target.count)]
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
      return part.count
    }
    return read(into: target, at: offset)
  }

  /// The bytes of a range, as far as they are there.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    let length = min(range.upperBound, count) - range.lowerBound
    guard range.lowerBound >= 0, length > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, got in
      got = copy(into: UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)
    }
  }

  /// Whether the bytes at `offset` are these.
  func starts(with pattern: some Sequence<UInt8>, at offset: Int = 0) -> Bool {
    pattern.enumerated().allSatisfy { self[offset + $0.offset] == $0.element }
  }

  /// The number of `size` bytes at `offset`, the first byte the most significant; nil if the bytes
  /// end before it does.
  func bigEndian(_ size: Int, at offset: Int) -> Int? {
    var value = 0
    for index in 0..<size {
      guard let byte = self[offset + index] else { return nil }
      value = value << 8 | Int(byte)
    }
    return value
  }

  /// The number of 4 bytes at `offset`, the first byte the least significant.
  func littleEndian32(at offset: Int) -> Int? {
    bigEndian(4, at: offset).map { Int(UInt32($0).byteSwapped) }
  }

  private func read(into target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    let wanted = min(target.count, count - offset)
    var got = 0
    while got < wanted {
      let result = pread(descriptor, target.baseAddress! + got, wanted - got, off_t(offset + got))
      if result < 0, errno == EINTR { continue }
      if result < 0 { failure = FileBytes.failure(path) }
      guard result > 0 else { break }
      got += result
    }
    return got
  }
}
