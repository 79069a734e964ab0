import Foundation

/// A file that is read in chunks.
///
/// It is not mapped: if a mapped file is cut, the process that reads it ends.
struct FileInput: ~Copyable {
  /// The file's name in errors.
  let path: String
  /// Its length when it was opened.
  let size: Int
  private let descriptor: Int32

  /// Opens a regular file only: a pipe must not block, and a device must not fill the disk.
  ///
  /// - Parameter follows: whether it may be a link, as for a file that a user names.
  init(_ path: String, follows: Bool = false) throws(ModelStoreError) {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW)
    let descriptor = open(path, flags)
    guard descriptor >= 0 else { throw .reading(path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .unreadable(path: path, reason: "this is not a file")
    }
    self.path = path
    size = Int(status.st_size)
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Fills a buffer from a place in the file on, and returns the number of bytes read.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(ModelStoreError)
    -> Int
  {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
      if count == 0 { break }
      if count > 0 {
        filled += count
      } else if errno != EINTR {
        throw .reading(path, errno)
      }
    }
    return filled
  }

  /// Up to `count` bytes at a place, fewer at the end of the file.
  func bytes(at offset: Int, count: Int) throws(ModelStoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, min(count, size - offset)))
    let filled = try bytes.filling { buffer throws(ModelStoreError) in
      try read(into: buffer, at: offset)
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// Passes the whole file, one piece at a time.
  func forEachPiece(
    _ body: (UnsafeRawBufferPointer) throws(ModelStoreError) -> Void
  ) throws(ModelStoreError) {
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    var offset = 0
    while true {
      let filled = try piece.filling { buffer throws(ModelStoreError) in
        try read(into: buffer, at: offset)
      }
      guard filled > 0 else { return }
      try piece.reading(filled, body)
      offset += filled
    }
  }

  /// The SHA-256 and the length of the file's present content.
  func digest() throws(ModelStoreError) -> (digest: SHA256Digest, size: Int) {
    guard SHA256Hasher.isAvailable else {
      throw .unreadable(path: path, reason: "there is no memory for its SHA-256")
    }
    var hasher = SHA256Hasher()
    var size = 0
    try forEachPiece { piece in
      hasher.update(piece)
      size += piece.count
    }
    return (hasher.finish(), size)
  }
}

extension [UInt8] {
  // `withUnsafeBytes` and similar functions rethrow errors without their type.

  /// Lets a function fill the array's memory, and returns its result.
  mutating func filling<Value>(
    _ body: (UnsafeMutableRawBufferPointer) throws(ModelStoreError) -> Value
  ) throws(ModelStoreError) -> Value {
    let result = withUnsafeMutableBytes { buffer in
      Result { () throws(ModelStoreError) in try body(buffer) }
    }
    return try result.get()
  }

  /// Passes the array's first bytes to a function.
  func reading<Value>(
    _ count: Int, _ body: (UnsafeRawBufferPointer) throws(ModelStoreError) -> Value
  ) throws(ModelStoreError) -> Value {
    let result = withUnsafeBytes { buffer in
      Result { () throws(ModelStoreError) in
        try body(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
      }
    }
    return try result.get()
  }
}
