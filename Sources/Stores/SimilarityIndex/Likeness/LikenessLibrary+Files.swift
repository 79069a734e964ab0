import Foundation

extension LikenessLibrary {
  /// Makes the folder of a library and writes the embedder's identity into it, whole or not at all.
  ///
  /// If another process does the same at the same time, the first one counts, and no error is
  /// thrown.
  static func create(
    _ folder: URL, _ embedder: EmbedderIdentity
  ) throws(LikenessLibraryError) {
    guard IndexFormat.dimensions.contains(embedder.dimension) else {
      throw .dimension(embedder.dimension)
    }
    let path = folder.path
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .unwritable(path, errno) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let header = Header(version: version, embedder: embedder)
    guard let data = try? encoder.encode(header) else { throw .dimension(embedder.dimension) }

    // A draft name first: a link gives the complete file its name, or fails if there is one.
    let draft = "\(path)/\(draftPrefix)\(UUID().uuidString)"
    let final = "\(path)/\(identityName)"
    defer { unlink(draft) }
    try write(data, to: draft)
    guard link(draft, final) == 0 || errno == EEXIST else { throw .unwritable(final, errno) }
    // If a file system does not support it, there is nothing to do.
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 {
      fsync(descriptor)
      close(descriptor)
    }
  }

  /// Writes a new file, and returns when it is on the disk.
  private static func write(_ data: Data, to path: String) throws(LikenessLibraryError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unwritable(path, errno) }
    defer { close(descriptor) }
    let bytes = Array(data)
    var start = 0
    while start < bytes.count {
      // The pointer is used within this one call only.
      let count = bytes[start...].withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        start += count
      } else if errno != EINTR {
        throw .unwritable(path, errno)
      }
    }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .unwritable(path, errno) }
  }

  /// The bytes of the identity's file, which is small.
  static func contents(of path: String) throws(LikenessLibraryError) -> Data {
    // A pipe without a writer would make an opener wait for one.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    defer { try? file.close() }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(path: path, reason: "it is not a regular file")
    }
    let data: Data
    do {
      data = try file.read(upToCount: largestIdentity + 1) ?? Data()
    } catch {
      throw .unreadable(path: path, reason: "its bytes cannot be read")
    }
    guard data.count <= largestIdentity else {
      throw .notALibrary(path: path, reason: "it has more than \(largestIdentity) bytes")
    }
    return data
  }
}
