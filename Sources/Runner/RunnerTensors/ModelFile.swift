import Foundation

/// The bytes of a file, mapped rather than read, or a copy of other bytes.
package final class ModelFile: @unchecked Sendable {
  // Unchecked because of the raw pointer: the bytes are never written after `init`.

  /// The first byte; aligned to at least 64.
  package let base: UnsafeRawPointer

  /// The number of bytes.
  package let count: Int

  private let isMapped: Bool

  /// Maps the file at `url`.
  package init(mapping url: URL) throws {
    let path = url.path
    func failure(_ reason: String) -> ModelError {
      .unreadableFile(path: path, reason: reason)
    }
    // Without this flag, opening a pipe without a writer would block.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure("it is not a regular file") }
    count = Int(status.st_size)
    guard count > 0 else { throw failure("it is empty") }
    guard let map = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), map != MAP_FAILED
    else { throw failure(String(cString: strerror(errno))) }
    base = UnsafeRawPointer(map)
    isMapped = true
  }

  /// Copies `data`, so that the bytes do not move and are aligned.
  package init(copying data: Data) throws {
    guard !data.isEmpty else { throw ModelError.malformed(reason: "there are no bytes") }
    count = data.count
    let copy = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
    data.withUnsafeBytes { bytes in
      if let source = bytes.baseAddress { copy.copyMemory(from: source, byteCount: bytes.count) }
    }
    base = UnsafeRawPointer(copy)
    isMapped = false
  }

  /// Releases the memory of a whole mapped file; pages are read again if they are used again.
  package func releasePages() {
    releasePages(at: base, byteCount: count)
  }

  /// Releases the memory of `byteCount` bytes of a mapped file, as far as they fill whole pages.
  package func releasePages(at start: UnsafeRawPointer, byteCount: Int) {
    guard isMapped, byteCount > 0 else { return }
    let page = Int(getpagesize())
    let first = (start - base + page - 1) / page * page
    let end = (start - base + byteCount) == count ? count : (start - base + byteCount) / page * page
    guard first >= 0, first < end, end <= count else { return }
    _ = madvise(UnsafeMutableRawPointer(mutating: base + first), end - first, MADV_DONTNEED)
  }

  deinit {
    if isMapped {
      munmap(UnsafeMutableRawPointer(mutating: base), count)
    } else {
      base.deallocate()
    }
  }
}
