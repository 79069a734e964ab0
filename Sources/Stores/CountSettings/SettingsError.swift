import Counting

/// Why settings cannot be read or changed.
public enum SettingsError: Error, Equatable, CustomStringConvertible {
  /// There is no field of this name.
  case noField(String)
  /// A value that a field cannot have.
  case invalidValue(SettingsValue, field: String)
  /// The file is not one of settings, or a value in it is wrong.
  case damaged(path: String, CountingConfigurationError)
  /// The file has more bytes than settings can have.
  case tooLarge(path: String, limit: Int)
  /// The path cannot be opened, or there is something else than a file; with the reason.
  case unopenable(path: String, reason: String)
  /// The file cannot be read, with the system's reason.
  case unreadable(path: String, reason: String)
  /// The file cannot be written, with the system's reason.
  case unwritable(path: String, reason: String)
  /// Another process has been changing the file for ten seconds.
  case locked(path: String)

  /// The error, its place and the expected value, in one line.
  public var description: String {
    switch self {
    case .noField(let name): "there is no field '\(name)'"
    case .invalidValue(let value, let field): "\(field) cannot be \(value)"
    case .damaged(let path, let error): "\(path): \(error)"
    case .tooLarge(let path, let limit):
      "\(path): it has more than \(limit) bytes; settings are a small file"
    case .unopenable(let path, let reason): "\(path): \(reason)"
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
    case .locked(let path): "\(path): another process is changing it; try again"
    }
  }
}
