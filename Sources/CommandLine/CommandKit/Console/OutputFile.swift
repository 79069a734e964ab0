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

  /// Returns when the name of a new or renamed file is on the disk.
  static func synchronizeFolder(of path: String) throws(CommandError) {
    let number = SystemPath.synchronizeFolder(of: path)
    guard number == 0 else { throw unwritable(path, number) }
  }
}
