import Foundation

/// A new file that is written from start to end.
struct FileOutput: ~Copyable {
  /// The file's name in errors.
  let path: String
  private let descriptor: Int32

  /// Creates a file that must not exist.
  init(creating path: String) throws(ModelStoreError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw .writing(path, errno) }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Appends bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(ModelStoreError) {
    try Self.write(bytes, to: descriptor, path: path)
  }

  /// Returns when all bytes are on the disk.
  func synchronize() throws(ModelStoreError) { try Self.synchronize(descriptor, path: path) }

  /// Writes bytes at the current position of a descriptor.
  static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String
  ) throws(ModelStoreError) {
    var rest = bytes
    while rest.count > 0 {
      let written = Foundation.write(descriptor, rest.baseAddress, rest.count)
      if written > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
      } else if written == 0 {
        throw .noSpace(path: path)
      } else if errno != EINTR {
        throw .writing(path, errno)
      }
    }
  }

  /// Returns when all bytes written to a descriptor are on the disk.
  static func synchronize(_ descriptor: Int32, path: String) throws(ModelStoreError) {
    #if canImport(Darwin)
      // On this system, `fsync` leaves data in the drive's own memory.
      let result = fcntl(descriptor, F_FULLFSYNC) == -1 ? fsync(descriptor) : 0
    #else
      let result = fsync(descriptor)
    #endif
    // Some file systems do not support this for folders; it is then skipped.
    guard result == 0 || errno == EINVAL else { throw .writing(path, errno) }
  }

  /// Creates a file of bytes and returns when it is on the disk.
  static func write(_ bytes: [UInt8], to path: String) throws(ModelStoreError) {
    let file = try FileOutput(creating: path)
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(ModelStoreError) in try Self.write(bytes, to: file.descriptor, path: path)
      }
    }
    try result.get()
    try file.synchronize()
  }
}

/// Operations on folders.
enum FolderCalls {
  /// Makes a folder and its parents if they do not exist.
  static func make(_ path: String) throws(ModelStoreError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      var status = stat()
      guard stat(path, &status) == 0 else {
        throw .unwritable(path: path, reason: "the folder cannot be made")
      }
      throw .unwritable(path: path, reason: "this is not a folder")
    }
  }

  /// The names in a folder, sorted; none if the folder does not exist.
  static func names(in path: String) throws(ModelStoreError) -> [String] {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return [] }
      throw .reading(path, errno)
    }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch {
      throw .unreadable(path: path, reason: "its files cannot be listed")
    }
  }

  /// The names of the folders in a folder, sorted; none if it does not exist.
  static func folders(in path: String) throws(ModelStoreError) -> [String] {
    try names(in: path).filter { isFolder("\(path)/\($0)") }
  }

  /// Renames a file or folder, replacing another file, and returns when this is on the disk.
  static func move(_ path: String, to target: String) throws(ModelStoreError) {
    guard rename(path, target) == 0 else { throw .writing(target, errno) }
    try synchronize((target as NSString).deletingLastPathComponent)
  }

  /// Returns when the names in a folder are on the disk.
  static func synchronize(_ path: String) throws(ModelStoreError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .writing(path, errno) }
    defer { close(descriptor) }
    try FileOutput.synchronize(descriptor, path: path)
  }

  /// Whether a folder, not a link to one, exists at a path.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether anything exists at a path.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }
}
