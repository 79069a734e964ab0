import Foundation

/// The lock for changing settings, which one process has at a time.
///
/// It is `flock` on a file beside them, so that the system releases it when the process ends in any
/// way.
struct SettingsLock {
  private let descriptor: Int32

  /// Waits for other processes, at most ten seconds.
  init(beside path: String) throws(SettingsError) {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent()
    // A new folder is private, as in the XDG specification.
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let file = folder.appendingPathComponent(".\(url.lastPathComponent).lock").path
    let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw SettingsFile.unwritable(path, errno) }
    // It polls instead of waiting, because the holder may be stopped forever.
    var tries = 2000
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      let isTaken = number == EWOULDBLOCK || number == EINTR
      guard isTaken, tries > 0 else {
        close(descriptor)
        throw isTaken
          ? SettingsError.locked(path: path)
          : SettingsFile.unwritable(path, number)
      }
      tries -= 1
      usleep(5000)
    }
    self.descriptor = descriptor
  }

  /// Releases the lock; the file stays, because another process may wait for it.
  func release() { close(descriptor) }
}
