import Foundation

/// Why an event cannot be made, or events not be written or read.
public enum TelemetryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A value of an event is NaN or outside its range.
  case valueOutOfRange(name: String, value: Double, range: String)
  /// A text is not the name of a variant.
  case invalidVariant(String)
  /// A limit is outside its range.
  case limitOutOfRange(name: String, value: Double, range: String)
  /// The folder is not there; while a log is open: it was removed.
  case noFolder(path: String)
  /// There is something at the path that is not a folder.
  case notAFolder(path: String)
  /// A file or the folder cannot be read, with the system's reason.
  case unreadable(path: String, reason: String)
  /// A file or the folder cannot be written, with the system's reason.
  case unwritable(path: String, reason: String)
  /// There is no space left for a file, or it reached a size limit.
  case noSpace(path: String)
  /// Another process has held the folder's lock for too long.
  case locked(path: String)
  /// The log was closed before.
  case closed
  /// A line of a file with labels is not a label.
  case invalidLabel(line: Int, reason: String)

  /// The error, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .valueOutOfRange(let name, let value, let range):
      "an event's \(name) is \(value); it must be \(range)"
    case .invalidVariant(let name):
      "an event's variant is '\(name.prefix(80))'; it must be 1 to "
        + "\(TelemetryEvent.longestVariant) of a-z, A-Z, 0-9, '.', '-' and '_', and begin with a "
        + "letter or digit"
    case .limitOutOfRange(let name, let value, let range):
      "\(name) is \(value); it must be \(range)"
    case .noFolder(let path): "\(path): there is no such folder"
    case .notAFolder(let path): "\(path): this is not a folder"
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
    case .noSpace(let path): "\(path): cannot be written: there is no space left for it"
    case .locked(let path): "\(path): another process has held the lock for too long"
    case .closed: "the log is closed"
    case .invalidLabel(let line, let reason): "line \(line): \(reason)"
    }
  }

  /// The error for a failed call of the system on something to be written.
  static func writing(_ path: String, _ number: Int32) -> TelemetryError {
    switch number {
    case ENOSPC, EDQUOT, EFBIG: .noSpace(path: path)
    case ENOENT: .noFolder(path: path)
    case ENOTDIR: .notAFolder(path: path)
    default: .unwritable(path: path, reason: String(cString: strerror(number)))
    }
  }

  /// The error for a failed call of the system on something to be read.
  static func reading(_ path: String, _ number: Int32) -> TelemetryError {
    switch number {
    case ENOENT: .noFolder(path: path)
    case ENOTDIR: .notAFolder(path: path)
    default: .unreadable(path: path, reason: String(cString: strerror(number)))
    }
  }
}
