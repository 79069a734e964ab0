import Foundation

/// Files, read with a bound.
enum FileBytes {
  /// The bytes of the file at `url`, at most `limit` of them.
  ///
  /// Read rather than mapped: a mapped file that another process cuts short ends this one with a
  /// bus error. Pipes and devices are read too, up to the limit.
  static func read(_ url: URL, limit: Int) throws -> [UInt8] {
    try withOpenFile(url, limit: limit) { descriptor, status, path in
      try readAll(descriptor, size: Int(status.st_size), limit: limit, path: path)
    }
  }

  /// Calls `body` with the bytes of the file at `url`, which are read on demand.
  ///
  /// A pipe or a device can be read only once, and is read as a whole.
  static func withSource<Result>(
    _ url: URL, limit: Int, _ body: (ByteSource) throws -> Result
  ) throws -> Result {
    try withOpenFile(url, limit: limit) { descriptor, status, path in
      guard status.st_mode & S_IFMT == S_IFREG else {
        let bytes = try readAll(descriptor, size: 0, limit: limit, path: path)
        return try bytes.withUnsafeBytes { try body(ByteSource($0)) }
      }
      let source = ByteSource(descriptor: descriptor, count: Int(status.st_size), path: path)
      do {
        let result = try body(source)
        if let failure = source.failure { throw failure }
        return result
      } catch {
        // What could not be read is why the rest made no sense.
        throw source.failure ?? error
      }
    }
  }

  private static func withOpenFile<Result>(
    _ url: URL, limit: Int, _ body: (Int32, stat, String) throws -> Result
  ) throws -> Result {
    let path = url.path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw ImageFileError.isDirectory(path: path)
    }
    guard Int(status.st_size) <= limit else { throw ImageFileError.fileTooLarge(limit: limit) }
    return try body(descriptor, status, path)
  }

  private static func readAll(
    _ descriptor: Int32, size: Int, limit: Int, path: String
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    // One more than the file has, so that its end is found without growing.
    var room = max(size, 0) + 1
    while true {
      let chunk = try [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        count = 0
        while count < room {
          #if canImport(Darwin)
            let got = Darwin.read(descriptor, buffer.baseAddress! + count, room - count)
          #else
            let got = Glibc.read(descriptor, buffer.baseAddress! + count, room - count)
          #endif
          if got < 0, errno == EINTR { continue }
          guard got >= 0 else { throw failure(path) }
          if got == 0 { break }
          count += got
        }
      }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      guard bytes.count <= limit else { throw ImageFileError.fileTooLarge(limit: limit) }
      if chunk.count < room { return bytes }
      room = 1 << 20
    }
  }

  static func failure(_ path: String) -> ImageFileError {
    switch errno {
    case ENOENT, ENOTDIR: .noSuchFile(path: path)
    case EISDIR: .isDirectory(path: path)
    default: .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
  }
}
