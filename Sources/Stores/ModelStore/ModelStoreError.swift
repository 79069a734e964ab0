import Foundation

/// An error in storing, finding, fetching or checking a model.
public enum ModelStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A field of a manifest has an impossible value.
  case invalidManifest(field: String, reason: String)
  /// No model has this name.
  case noModel(name: String)
  /// The model has no such version.
  case noVersion(name: String, version: String)
  /// The model was never put into use, or has no earlier version to go back to.
  case noEarlierVersion(name: String)
  /// The version in use cannot be removed alone.
  case inUse(name: String, version: String)
  /// The version exists with different content: versions never change.
  case versionExists(name: String, version: String)
  /// A model's file has another digest than its manifest.
  case wrongDigest(path: String, expected: SHA256Digest, found: SHA256Digest)
  /// A model's file has another length than its manifest.
  case wrongSize(path: String, expected: Int, found: Int)
  /// A file of the store is damaged.
  case damaged(path: String, reason: String)
  /// A file or folder cannot be read, with the system's reason.
  case unreadable(path: String, reason: String)
  /// A file or folder cannot be written, with the system's reason.
  case unwritable(path: String, reason: String)
  /// There is no space left for a file, or it reached a size limit.
  case noSpace(path: String)
  /// Another process has held a lock for too long.
  case locked(path: String)
  /// An archive is damaged, or lacks the model.
  case badArchive(path: String, reason: String)
  /// The manifest has no source, or none that is supported.
  case noSource(name: String, reason: String)
  /// Fetching from this address is not allowed.
  case refusedAddress(url: String, reason: String)
  /// The server answered with a status other than success.
  case refused(url: String, status: Int)
  /// The connection failed, or the response was invalid.
  case connection(url: String, reason: String)
  /// Nothing came for too long, or the whole download took too long.
  case timedOut(url: String, seconds: Double, received: Int)
  /// More bytes came, or were announced, than the manifest allows.
  case tooLong(url: String, expected: Int)
  /// Fewer bytes came than the manifest says.
  case tooShort(url: String, expected: Int, received: Int)
  /// The fetched content has another digest than the manifest.
  case wrongContent(url: String, expected: SHA256Digest, found: SHA256Digest)
  /// The work was cancelled.
  case cancelled

  /// The error, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .invalidManifest(let field, let reason): "the manifest's \(field) \(reason)"
    case .noModel(let name): "there is no model '\(name)' here"
    case .noVersion(let name, let version): "the model '\(name)' has no version '\(version)' here"
    case .noEarlierVersion(let name): "the model '\(name)' has no earlier version to go back to"
    case .inUse(let name, let version):
      "version '\(version)' of '\(name)' is in use; use another one first, or remove the model"
    case .versionExists(let name, let version):
      "version '\(version)' of '\(name)' is here with another content; a new content needs a new "
        + "version"
    case .wrongDigest(let path, let expected, let found):
      "\(path): this is not the model that it should be: its SHA-256 is \(found), and it must be "
        + "\(expected)"
    case .wrongSize(let path, let expected, let found):
      "\(path): this is not the model that it should be: it has \(found) bytes, and it must have "
        + "\(expected)"
    case .damaged(let path, let reason): "\(path): damaged: \(reason)"
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
    case .noSpace(let path): "\(path): cannot be written: there is no space left for it"
    case .locked(let path): "\(path): another process is working on this; try again when it is done"
    case .badArchive(let path, let reason): "\(path): \(reason)"
    case .noSource(let name, let reason): "the model '\(name)' cannot be fetched: \(reason)"
    case .refusedAddress(let url, let reason): "\(url): not fetched: \(reason)"
    case .refused(let url, let status): "\(url): the server answered with status \(status)"
    case .connection(let url, let reason): "\(url): \(reason)"
    case .timedOut(let url, let seconds, let received):
      "\(url): too slow: given up after \(Self.text(seconds)) s with \(received) bytes"
    case .tooLong(let url, let expected):
      "\(url): the server sends more than the \(expected) bytes it should"
    case .tooShort(let url, let expected, let received):
      "\(url): cut short: \(received) of \(expected) bytes came"
    case .wrongContent(let url, let expected, let found):
      "\(url): this is not the model: its SHA-256 is \(found), and it must be \(expected)"
    case .cancelled: "cancelled"
    }
  }

  private static func text(_ seconds: Double) -> String {
    String(format: seconds < 10 ? "%.1f" : "%.0f", seconds)
  }

  /// The error for a failed system call while writing.
  static func writing(_ path: String, _ number: Int32) -> ModelStoreError {
    switch number {
    case ENOSPC, EDQUOT, EFBIG: .noSpace(path: path)
    default: .unwritable(path: path, reason: String(cString: strerror(number)))
    }
  }

  /// The error for a failed system call while reading.
  static func reading(_ path: String, _ number: Int32) -> ModelStoreError {
    .unreadable(path: path, reason: String(cString: strerror(number)))
  }
}
