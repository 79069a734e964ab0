import Foundation

/// The received part of a download, with the information needed to continue it.
///
/// It is locked while it is open, so that two processes do not write one file.
final class PartFile {
  /// The file's name in errors.
  let path: String
  /// The number of bytes received.
  private(set) var length: Int
  /// The source of the bytes; nil if it is unknown, and the download cannot be continued.
  private(set) var origin: Origin?
  private let descriptor: Int32

  /// The source of bytes.
  struct Origin: Hashable, Sendable {
    /// The ``FetchAddress/identity`` of the requested address.
    let url: String
    /// The server's identifier of the content: a strong entity tag, or the time of the last change.
    let validator: String
  }

  /// Opens the part of a file in a store, or creates one.
  ///
  /// - Parameter name: a name that no other download has.
  convenience init(in folder: String, name: String) throws(ModelStoreError) {
    try FolderCalls.make("\(folder)/.downloads")
    let path = "\(folder)/.downloads/\(name).part"
    // It tries again if another process finished the part between the two calls.
    for _ in 0..<100 {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
      guard descriptor >= 0 else { throw .writing(path, errno) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let number = errno
        close(descriptor)
        throw number == EWOULDBLOCK ? .locked(path: path) : .writing(path, number)
      }
      var (status, named) = (stat(), stat())
      if fstat(descriptor, &status) == 0, lstat(path, &named) == 0, status.st_ino == named.st_ino {
        self.init(path: path, descriptor: descriptor, length: Int(status.st_size))
        return
      }
      close(descriptor)
    }
    throw .locked(path: path)
  }

  private init(path: String, descriptor: Int32, length: Int) {
    self.path = path
    self.descriptor = descriptor
    self.length = length
    origin = Self.origin(at: "\(path).json")
  }

  deinit {
    // Until a process that is being started has begun, it has a copy of the descriptor, and with it
    // the lock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func origin(at path: String) -> Origin? {
    guard let file = try? FileInput(path), let bytes = try? file.bytes(at: 0, count: 1 << 14),
      case .object(let members)? = try? StrictJSON(bytes), case .string(let url)? = members["url"],
      case .string(let validator)? = members["validator"], isValidator(validator)
    else { return nil }
    return Origin(url: url, validator: validator)
  }

  /// Whether a text may be sent to a server unchanged.
  static func isValidator(_ text: String) -> Bool {
    (1...1000).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// Drops the received bytes and starts again with bytes of another origin.
  func begin(_ origin: Origin?) throws(ModelStoreError) {
    // The bytes go first, so that those of one origin are never stored with the name of another.
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw .writing(path, errno)
    }
    length = 0
    unlink("\(path).json")
    self.origin = nil
    guard let origin else { return }
    let text = [("url", origin.url), ("validator", origin.validator)].map { name, value in
      // This uses Foundation, because the standard library's function is newer than macOS 12 and
      // iOS 15.
      let escaped = value.replacingOccurrences(of: "\\", with: "\\\\")
        .replacingOccurrences(of: "\"", with: "\\\"")
      return "\"\(name)\": \"\(escaped)\""
    }
    let made = "\(path).json.new"
    unlink(made)
    try FileOutput.write(Array("{\(text.joined(separator: ", "))}\n".utf8), to: made)
    guard rename(made, "\(path).json") == 0 else { throw .writing(path, errno) }
    self.origin = origin
  }

  /// Appends bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(ModelStoreError) {
    guard lseek(descriptor, off_t(length), SEEK_SET) >= 0 else { throw .writing(path, errno) }
    try FileOutput.write(bytes, to: descriptor, path: path)
    length += bytes.count
  }

  /// Deletes the part.
  func remove() {
    unlink("\(path).json.new")
    unlink("\(path).json")
    unlink(path)
  }
}
