import Foundation

/// The file of a history, before SQLite sees it.
enum HistoryFiles {
  private static let turn = NSLock()

  /// Calls `body` while no other task of this process is in such a call.
  ///
  /// A process loses its locks, which other processes see, as soon as it closes any descriptor of
  /// the file (POSIX, `fcntl`). So one task must not make or read the file by itself while another
  /// has a connection. Every such call takes milliseconds.
  static func inTurn<Value>(
    _ body: () throws(HistoryError) -> Value
  ) throws(HistoryError) -> Value {
    turn.lock()
    defer { turn.unlock() }
    return try body()
  }

  /// Makes an empty file if there is none, and the folders above it.
  ///
  /// A file made by SQLite would be readable by others.
  static func make(_ path: String) throws(HistoryError) {
    guard try size(path) == nil else { return }
    let folder = (path as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw .unwritable(path: folder, reason: "the folder cannot be made")
    }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unwritable(path: path, reason: reason(errno)) }
    close(descriptor)
    // Its name is to be on the disk before anything in it is promised.
    let parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { return }
    fsync(parent)
    close(parent)
  }

  /// A connection to the file, or nil if there is none or it is empty.
  ///
  /// - Parameter isLookedAt: whether SQLite must not change the file, nor make others beside it.
  static func opened(
    _ path: String, isLookedAt: Bool = false
  ) throws(HistoryError) -> Database? {
    guard let size = try size(path) else { return nil }
    if size > 0 { try checkBeginning(path, size) }
    // SQLite opens these if they are there, and would wait for the writer of a pipe.
    for ending in ["-journal", "-wal", "-shm"] { _ = try self.size(path + ending) }
    let database = try Database(path, isLookedAt || isFrozen(path) ? .frozen : .shared)
    // Functions in the tables of a stranger's file are not called.
    try database.run("PRAGMA trusted_schema = OFF")
    try database.run("PRAGMA cell_size_check = ON")
    // In KiB: pages are read once or twice, and need not all stay in memory.
    try database.run("PRAGMA cache_size = -256")
    return database
  }

  /// What a database begins with.
  static let magic = Array("SQLite format 3\0".utf8)

  /// Fails if a file does not begin as a database does: SQLite takes a very short one for a new
  /// one, and would write over it.
  private static func checkBeginning(_ path: String, _ size: Int) throws(HistoryError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: reason(errno)) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: magic.count)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw .unreadable(path: path, reason: reason(errno)) }
    guard magic.starts(with: bytes.prefix(count)) else {
      throw .notAHistory(path: path, reason: "it is not a SQLite database")
    }
    // The header and a row of nothing do not fit into less.
    guard size >= 512 else {
      throw .damaged(path: path, reason: "it ends after \(size) bytes")
    }
  }

  /// The size of the file, or nil if there is none.
  static func size(_ path: String) throws(HistoryError) -> Int? {
    guard !path.utf8.contains(0) else {
      throw .unreadable(path: path, reason: "no path holds a zero byte")
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw .unreadable(path: path, reason: reason(errno))
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .notAHistory(path: path, reason: "it is a folder, and a history is a file")
    default: throw .notAHistory(path: path, reason: "it is not a file")
    }
    guard status.st_size <= HistorySchema.largestFile else {
      throw .notAHistory(path: path, reason: "it is longer than any history")
    }
    guard access(path, R_OK) == 0 else {
      // Another process removed it meanwhile, as SQLite removes the log with the last connection.
      guard errno != ENOENT else { return nil }
      throw .unreadable(path: path, reason: reason(errno))
    }
    return Int(status.st_size)
  }

  /// All bytes of the file.
  static func bytes(_ path: String) throws(HistoryError) -> Data {
    guard let size = try size(path) else { throw .unreadable(path: path, reason: reason(ENOENT)) }
    // Foundation loses the buffer that it makes for a file without bytes.
    guard size > 0 else { return Data() }
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw .unreadable(path: path, reason: "its bytes cannot be read")
    }
  }

  /// All bytes of the log beside the file; none if there is no log.
  static func bytesOfLog(_ path: String) throws(HistoryError) -> Data {
    let log = "\(path)-wal"
    return try size(log) == nil ? Data() : bytes(log)
  }

  /// Whether nothing can be written: then SQLite cannot make the files beside it by which
  /// connections know of each other, and needs none, unless a log is there with changes to be seen.
  private static func isFrozen(_ path: String) -> Bool {
    let folder = (path as NSString).deletingLastPathComponent
    guard access(path, W_OK) != 0 || access(folder, W_OK) != 0 else { return false }
    var status = stat()
    return stat("\(path)-wal", &status) != 0 || status.st_size == 0
  }

  private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
