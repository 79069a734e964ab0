import Foundation
import _SystemReason

/// Files of results.
package enum OutputFile {
  /// Writes a whole file, or none.
  ///
  /// - Throws: ``CommandError``.
  package static func write(_ data: Data, to path: String) throws {
    do {
      try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw CommandError.unwritable(path, reason(of: error))
    }
  }

  /// That a file cannot be written, for the system's reason of this number.
  package static func unwritable(_ path: String, _ number: Int32) -> CommandError {
    .unwritable(path, reason(number))
  }

  /// What the system's error number says.
  package static func reason(_ number: Int32) -> String { SystemReason.text(of: number) }

  /// What the system says of an error of Foundation, as far as that is known.
  static func reason(of error: any Error) -> String { SystemReason.text(of: error) }

  /// The file that a link at a path leads to, or the path itself if there is no link.
  package static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return URL(fileURLWithPath: path).path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns when the disk has the name of a file that was made or renamed.
  package static func synchronizeFolder(of path: String) throws(CommandError) {
    let folder = (path as NSString).deletingLastPathComponent
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // If it may not be read, or a file system cannot, there is nothing to do.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw unwritable(path, errno) }
  }
}
