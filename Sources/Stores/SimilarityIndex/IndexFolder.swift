import Foundation

/// The folder of an index, locked by the only writer.
///
/// The lock is `flock` on a file in it, so that it is released when the process ends in any way.
struct IndexFolder: ~Copyable {
  let path: String
  private let lock: Int32

  /// Locks the folder at a path, which is there.
  init(locking path: String) throws(SimilarityIndexError) {
    let name = "\(path)/\(IndexFormat.lockName)"
    let lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw .writing(name, errno) }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let number = errno
      Foundation.close(lock)
      throw number == EWOULDBLOCK ? .locked(path: path) : .writing(name, number)
    }
    self.path = path
    self.lock = lock
  }

  deinit {
    // Closing alone would not do: a process that is being started has a copy of the descriptor
    // until it has begun, and the lock would last as long.
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// The names of the files in the folder.
  static func names(in path: String) throws(SimilarityIndexError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw .unreadable(path: path, reason: "its files cannot be listed")
    }
  }

  /// Deletes what a writer that was stopped half-way, or compaction, left behind.
  func removeFiles(but generation: UInt64) {
    let kept: Set<String> = [
      IndexFormat.entriesName, IndexFormat.lockName, IndexFormat.vectorsName(generation),
      IndexFormat.payloadsName(generation), IndexFormat.graphName(generation),
    ]
    // Files that cannot be deleted do no harm.
    for name in (try? Self.names(in: path)) ?? []
    where IndexFormat.isOurs(name) && !kept.contains(name) {
      unlink("\(path)/\(name)")
    }
  }

  /// Gives a file its final name, in place of any other, and returns when that is on the disk.
  func rename(_ name: String, to final: String) throws(SimilarityIndexError) {
    guard Foundation.rename("\(path)/\(name)", "\(path)/\(final)") == 0 else {
      throw .writing("\(path)/\(final)", errno)
    }
    try synchronize()
  }

  /// Returns when the names in the folder are on the disk.
  func synchronize() throws(SimilarityIndexError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .writing(path, errno) }
    defer { close(descriptor) }
    // Some file systems cannot, and then there is nothing to do.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .writing(path, errno) }
  }
}
