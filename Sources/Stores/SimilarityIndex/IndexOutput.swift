import Foundation

/// A file of an index that a writer appends to, through a buffer.
struct IndexOutput: ~Copyable {
  /// Names the file in errors.
  let path: String
  /// How long the file is, with what waits in the buffer.
  private(set) var size: Int
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// Whether anything was written since the last time all was on the disk.
  private var isDirty = false

  private static let bufferSize = 1 << 20

  /// Makes a file, empty, in place of any other of that name.
  init(creating path: String) throws(SimilarityIndexError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .writing(path, errno) }
    self.init(path: path, descriptor: descriptor, size: 0)
  }

  /// Opens a file that is there and cuts it to a length.
  init(opening path: String, cutTo length: Int) throws(SimilarityIndexError) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw .writing(path, errno) }
    guard ftruncate(descriptor, off_t(length)) == 0 else {
      let number = errno
      close(descriptor)
      throw .writing(path, number)
    }
    self.init(path: path, descriptor: descriptor, size: length)
  }

  private init(path: String, descriptor: Int32, size: Int) {
    self.path = path
    self.descriptor = descriptor
    self.size = size
    isDirty = true
  }

  deinit { close(descriptor) }

  /// Appends bytes, which may wait in the buffer.
  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(SimilarityIndexError) {
    if buffer.count + bytes.count > Self.bufferSize { try flush() }
    if bytes.count > Self.bufferSize {
      try write(bytes, at: size)
      size += bytes.count
    } else {
      buffer.append(contentsOf: bytes)
      size += bytes.count
    }
  }

  /// Appends bytes, which may wait in the buffer.
  mutating func append(_ bytes: [UInt8]) throws(SimilarityIndexError) {
    try bytes.withBytes { bytes throws(SimilarityIndexError) in
      try append(bytes)
    }
  }

  /// Writes what waits in the buffer.
  mutating func flush() throws(SimilarityIndexError) {
    guard !buffer.isEmpty else { return }
    let waiting = buffer
    try waiting.withBytes { bytes throws(SimilarityIndexError) in
      try write(bytes, at: size - bytes.count)
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes what waits, and returns when all is on the disk.
  mutating func synchronize() throws(SimilarityIndexError) {
    try flush()
    guard isDirty else { return }
    #if canImport(Darwin)
      // There `fsync` leaves data in the drive's own memory.
      let result = fcntl(descriptor, F_FULLFSYNC) == -1 ? fsync(descriptor) : 0
    #else
      let result = fdatasync(descriptor)
    #endif
    guard result == 0 else { throw .writing(path, errno) }
    isDirty = false
  }

  /// Cuts the file, and drops what waits.
  mutating func cut(to length: Int) throws(SimilarityIndexError) {
    buffer.removeAll()
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw .writing(path, errno) }
    size = length
    isDirty = true
  }

  private mutating func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int
  ) throws(SimilarityIndexError) {
    isDirty = true
    var rest = bytes
    var offset = offset
    while rest.count > 0 {
      let written = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset))
      if written > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
        offset += written
      } else if written == 0 {
        throw .writing(path, ENOSPC)
      } else if errno != EINTR {
        throw .writing(path, errno)
      }
    }
  }
}
