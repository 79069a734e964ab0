import Foundation
import _SystemReason

/// Files of results.
package enum OutputFile {
  /// Writes a whole file, or nothing.
  ///
  /// - Throws: ``CommandError``.
  package static func write(_ data: Data, to path: String) throws {
    do {
      try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw CommandError.unwritable(path, reason(of: error))
    }
  }

  /// An error for a file that cannot be written, with the system's reason of this number.
  package static func unwritable(_ path: String, _ number: Int32) -> CommandError {
    .unwritable(path, reason(number))
  }

  /// The text of the system's error number.
  package static func reason(_ number: Int32) -> String { SystemReason.text(of: number) }

  /// The system's reason for an error of Foundation, if it is known.
  static func reason(of error: any Error) -> String { SystemReason.text(of: error) }

  /// The target of a link at a path, or the path itself if there is no link.
  package static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return URL(fileURLWithPath: path).path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns when the name of a new or renamed file is on the disk.
  package static func synchronizeFolder(of path: String) throws(CommandError) {
    let folder = (path as NSString).deletingLastPathComponent
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // If the folder cannot be read, or the file system does not support this, it is skipped.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw unwritable(path, errno) }
  }
}
