import Foundation

/// A file of an index, opened to be read.
struct IndexInput: ~Copyable {
  /// Names the file in errors.
  let path: String
  /// How long it was when it was opened.
  let size: Int
  fileprivate let descriptor: Int32

  /// Opens the file, or returns nil if there is none.
  static func existing(_ path: String) throws(SimilarityIndexError) -> IndexInput? {
    // Not blocking: a pipe of that name must not stop us.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .reading(path, errno)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .unreadable(path: path, reason: "this is not a file")
    }
    return IndexInput(path: path, size: Int(status.st_size), descriptor: descriptor)
  }

  deinit { close(descriptor) }

  /// Reads up to `count` bytes at a place, fewer at the end of the file.
  func bytes(at offset: Int, count: Int) throws(SimilarityIndexError) -> [UInt8] {
    // Only reading says how much there is now: another process may have cut the file.
    var bytes = [UInt8](repeating: 0, count: max(0, min(count, size - offset)))
    var filled = 0
    while filled < bytes.count {
      let read = bytes.withUnsafeMutableBytes { buffer -> Int in
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        return pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
      }
      if read > 0 {
        filled += read
      } else if read == 0 {
        break
      } else if errno != EINTR {
        throw .reading(path, errno)
      }
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// Maps the beginning of the file, which must be as long.
  func map(count: Int) throws(SimilarityIndexError) -> MappedBytes {
    guard count > 0 else { return MappedBytes(UnsafeRawBufferPointer(start: nil, count: 0)) }
    guard let map = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), map != MAP_FAILED
    else { throw .reading(path, errno) }
    return MappedBytes(UnsafeRawBufferPointer(start: map, count: count))
  }
}

/// The first bytes of a file, mapped into memory until the value goes.
///
/// Only what was committed is ever mapped: no writer cuts that off or changes it. Whoever else cuts
/// a mapped file ends the process that reads it.
final class MappedBytes: @unchecked Sendable {
  // Safe to share, because it is never written.

  /// The bytes.
  let bytes: UnsafeRawBufferPointer

  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  deinit {
    guard let start = bytes.baseAddress else { return }
    munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
  }
}
