import Foundation

/// Why a history cannot be read or changed.
public enum HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is something at the path that is not a history.
  case notAHistory(path: String, reason: String)
  /// The history was written by a later version of this module.
  case fromTheFuture(path: String, version: Int)
  /// The file is damaged; ``HistoryFile/salvage(into:)`` saves what can be read.
  case damaged(path: String, reason: String)
  /// The file or its folder cannot be read, with the system's reason.
  case unreadable(path: String, reason: String)
  /// The file or its folder cannot be written, with the system's reason.
  case unwritable(path: String, reason: String)
  /// There is no space left for the file, or it reached a size limit.
  case noSpace(path: String)
  /// Other processes changed the history for as long as this one was willing to wait.
  case locked(path: String)
  /// A new history cannot be made, because there is a file at the path already.
  case exists(path: String)
  /// There is no room: the history has `limit` favourites, and favourites are never removed.
  case full(path: String, limit: Int)
  /// There are more entries than a new limit allows, and none was to be removed.
  case moreThan(path: String, limit: Int, count: Int)
  /// The history has an entry with this id already.
  case taken(path: String, id: UUID)
  /// A value of an entry is outside its range.
  case outOfRange(name: String, value: String, range: String)
  /// Thresholds that cannot be written as JSON, or JSON that is not what was asked for.
  case thresholds(reason: String)
  /// The task was cancelled before anything was changed.
  case cancelled

  /// The error, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .notAHistory(let path, let reason): "\(path): this is not a history: \(reason)"
    case .fromTheFuture(let path, let version):
      "\(path): this is version \(version) of the format, and this program reads version "
        + "\(HistorySchema.current.version); a newer one is needed"
    case .damaged(let path, let reason):
      "\(path): damaged: \(reason); what can be read can be salvaged"
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
    case .noSpace(let path): "\(path): cannot be written: there is no space left for it"
    case .locked(let path): "\(path): other processes are changing this history; try again later"
    case .exists(let path): "\(path): there is something here already; a history needs a new name"
    case .full(let path, let limit):
      "\(path): there is room for \(limit) \(limit == 1 ? "entry" : "entries"), and favourites take "
        + "it all; allow more, delete one, or make one no favourite"
    case .moreThan(let path, let limit, let count):
      "\(path): it holds \(count) entries, more than the limit of \(limit) that was asked for"
    case .taken(let path, let id):
      "\(path): there is an entry \(id.uuidString.lowercased()) already"
    case .outOfRange(let name, let value, let range):
      "\(name) is \(value); it must be \(range)"
    case .thresholds(let reason): "the thresholds are wrong: \(reason)"
    case .cancelled: "cancelled"
    }
  }
}
