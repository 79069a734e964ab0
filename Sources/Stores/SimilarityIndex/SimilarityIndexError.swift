import Foundation

/// Why an index cannot be made, opened, read or written.
public enum SimilarityIndexError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is nothing at the path.
  case noIndex(path: String)
  /// There is something at the path that is not an index.
  case notAnIndex(path: String, reason: String)
  /// An index cannot be made, because there is something at the path already.
  case exists(path: String)
  /// The index was written by a later version of this module.
  case fromTheFuture(path: String, version: UInt32)
  /// A file of the index is damaged, at a byte.
  case damaged(path: String, offset: Int, reason: String)
  /// A file or the folder cannot be read, with the system's reason.
  case unreadable(path: String, reason: String)
  /// A file or the folder cannot be written, with the system's reason.
  case unwritable(path: String, reason: String)
  /// There is no space left for a file, or it reached a size limit.
  case noSpace(path: String)
  /// Another writer has the index open.
  case locked(path: String)
  /// The writer was closed, or failed in a way that only opening again can clear.
  case closed(path: String)
  /// A vector that cannot be kept or looked for, with its place among those given.
  case invalidVector(index: Int, reason: String)
  /// A dimension, stride or limit is outside its range.
  case outOfRange(name: String, value: Int, range: String)
  /// A payload is larger than ``SimilarityWriter/largestPayload``.
  case payloadTooLarge(bytes: Int)
  /// The lists of a batch do not belong together.
  case unequalCounts(ids: Int, others: Int, of: String)

  /// The error, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .noIndex(let path): "\(path): there is no such index"
    case .notAnIndex(let path, let reason): "\(path): this is not an index: \(reason)"
    case .exists(let path): "\(path): there is something here already; an index needs a new name"
    case .fromTheFuture(let path, let version):
      "\(path): this is version \(version) of the format, and this program reads version "
        + "\(IndexFormat.version); a newer one is needed"
    case .damaged(let path, let offset, let reason): "\(path): damaged at byte \(offset): \(reason)"
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
    case .noSpace(let path): "\(path): cannot be written: there is no space left for it"
    case .locked(let path): "\(path): another process is writing to this index; one at a time can"
    case .closed(let path): "\(path): the writer is closed; open the index again"
    case .invalidVector(let index, let reason): "vector \(index): \(reason)"
    case .outOfRange(let name, let value, let range): "\(name) is \(value); it must be \(range)"
    case .payloadTooLarge(let bytes):
      "a payload of \(bytes) bytes; it must be at most \(SimilarityWriter.largestPayload)"
    case .unequalCounts(let ids, let others, let name):
      "\(ids) ids and \(others) \(name); there must be as many of each"
    }
  }

  /// The error for a failed call of the system on something to be written.
  static func writing(_ path: String, _ number: Int32) -> SimilarityIndexError {
    switch number {
    case ENOSPC, EDQUOT, EFBIG: .noSpace(path: path)
    default: .unwritable(path: path, reason: String(cString: strerror(number)))
    }
  }

  /// The error for a failed call of the system on something to be read.
  static func reading(_ path: String, _ number: Int32) -> SimilarityIndexError {
    .unreadable(path: path, reason: String(cString: strerror(number)))
  }
}
