import Foundation

/// Files of results.
enum OutputFile {
  /// Writes a whole file, or none.
  ///
  /// - Throws: ``CommandError``.
  static func write(_ data: Data, to path: String) throws {
    do {
      try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      guard let number = systemNumber(of: error) else {
        throw CommandError(
          .inputOutput, at: path, "cannot be written: \(error.localizedDescription)")
      }
      throw unwritable(path, number)
    }
  }

  /// That a file cannot be written, for the system's reason of this number.
  static func unwritable(_ path: String, _ number: Int32) -> CommandError {
    CommandError(.inputOutput, at: path, "cannot be written: \(reason(number))")
  }

  /// What the system's error number says.
  static func reason(_ number: Int32) -> String {
    // A limit on the size of files is as good as a full disk.
    number == ENOSPC || number == EFBIG || number == EDQUOT
      ? "no space left" : String(cString: strerror(number))
  }

  /// The file that a link at a path leads to, or the path itself if there is no link.
  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return URL(fileURLWithPath: path).path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns when the disk has the name of a file that was made or renamed.
  static func synchronizeFolder(of path: String) throws(CommandError) {
    let folder = (path as NSString).deletingLastPathComponent
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // If it may not be read, or a file system cannot, there is nothing to do.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw unwritable(path, errno) }
  }

  /// The system's number for an error of Foundation, which itself often says no more than that the operation
  /// could not be completed.
  private static func systemNumber(of error: any Error) -> Int32? {
    var next: NSError? = error as NSError
    while let current = next {
      if current.domain == NSPOSIXErrorDomain { return Int32(current.code) }
      next = current.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    return nil
  }
}
