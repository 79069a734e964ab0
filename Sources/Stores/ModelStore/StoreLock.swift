import Foundation

/// A lock on a store: only this process may change it for now.
///
/// The lock is `flock` on a file, so that the system releases it when the process ends in any way.
struct StoreLock: ~Copyable {
  private let descriptor: Int32

  /// Locks a store, whose folder is created if it does not exist.
  ///
  /// - Parameter patience: the longest wait for a process that holds the lock, in seconds.
  init(_ folder: String, patience: Double) throws(ModelStoreError) {
    try FolderCalls.make(folder)
    let path = "\(folder)/.lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw .writing(path, errno) }
    // It polls instead of waiting, because the holder may be stopped forever.
    var tries = Int((patience / Self.pause).rounded(.up))
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      let isTaken = number == EWOULDBLOCK || number == EINTR
      guard isTaken, tries > 0 else {
        close(descriptor)
        throw isTaken ? .locked(path: folder) : .writing(path, number)
      }
      tries -= 1
      usleep(useconds_t(Self.pause * 1e6))
    }
    self.descriptor = descriptor
  }

  private static let pause = 0.005

  // Closing the only descriptor releases the lock.
  deinit { close(descriptor) }
}

/// A folder for new content that is then put in its place by renaming it.
///
/// Anything that is still in it is deleted with the value. It is locked while it is in use, which
/// distinguishes it from a folder that a killed process left.
struct IncomingFolder: ~Copyable {
  let path: String
  private let descriptor: Int32

  /// Creates one inside a store.
  init(in folder: String) throws(ModelStoreError) {
    let parent = "\(folder)/.incoming"
    try FolderCalls.make(parent)
    // It tries again if another process took it for an abandoned one before it was locked.
    for _ in 0..<100 {
      let path = "\(parent)/\(String(UInt64.random(in: 0 ... .max), radix: 36))"
      guard mkdir(path, 0o755) == 0 else {
        if errno == EEXIST { continue }
        throw .writing(path, errno)
      }
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, FolderCalls.exists(path) {
        self.path = path
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
    throw .locked(path: parent)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    close(descriptor)
  }

  /// Deletes the folders that killed processes left.
  static func removeLeft(in folder: String) {
    let parent = "\(folder)/.incoming"
    for name in (try? FolderCalls.names(in: parent)) ?? [] {
      let path = "\(parent)/\(name)"
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { continue }
      // A folder that cannot be deleted does no harm.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        try? FileManager.default.removeItem(atPath: path)
      }
      close(descriptor)
    }
  }
}
