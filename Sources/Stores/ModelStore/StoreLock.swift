import Foundation

/// A store that this process alone may change for the moment.
///
/// The lock is `flock` on a file, so that it goes with the process that held it, however that ends.
struct StoreLock: ~Copyable {
  private let descriptor: Int32

  /// Locks a store, whose folder is made if it is not there.
  ///
  /// - Parameter patience: how long to wait for a process that holds the lock, in seconds.
  init(_ folder: String, patience: Double) throws(ModelStoreError) {
    try FolderCalls.make(folder)
    let path = "\(folder)/.lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw .writing(path, errno) }
    // Asked again and again instead of waited for: the holder may be stopped for ever.
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

  // Closing the only descriptor of it releases the lock.
  deinit { close(descriptor) }
}

/// A folder in which something is made that is then put in its place by renaming it; whatever is
/// still in it goes with the value.
///
/// It is locked as long as it is in use, so that one that a killed process left is told from it.
struct IncomingFolder: ~Copyable {
  let path: String
  private let descriptor: Int32

  /// Makes one below a store.
  init(in folder: String) throws(ModelStoreError) {
    let parent = "\(folder)/.incoming"
    try FolderCalls.make(parent)
    // Once more where another process took it for a left one, before it was locked.
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

  /// Deletes what killed processes left.
  static func removeLeft(in folder: String) {
    let parent = "\(folder)/.incoming"
    for name in (try? FolderCalls.names(in: parent)) ?? [] {
      let path = "\(parent)/\(name)"
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { continue }
      // What cannot be deleted is in nobody's way.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
        try? FileManager.default.removeItem(atPath: path)
      }
      close(descriptor)
    }
  }
}
