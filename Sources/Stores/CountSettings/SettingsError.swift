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
    case .invalidValue(let value, let name):
      "\(name) cannot be \(value.words)" + Self.expectation(of: name)
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

extension SettingsError {
  /// `; it must be ...`, or nothing if there is no such field.
  private static func expectation(of name: String) -> String {
    SettingsField.all.first { $0.name == name }.map { "; it must be \($0.kind.words)" } ?? ""
  }
}

extension SettingsField.Kind {
  /// The values, as the end of the sentence "it must be ...".
  fileprivate var words: String {
    switch self {
    case .number(let range): "a number from \(Self.words(range))"
    case .numberOrOff(let range): "a number from \(Self.words(range)), or off"
    case .whole(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .flag: "true or false"
    case .words(let words): "one of " + words.joined(separator: ", ")
    case .aspect(let deviations, let ratios):
      "deviations from \(Self.words(deviations)), a range of ratios from \(Self.words(ratios)), "
        + "or off"
    }
  }

  private static func words(_ range: ClosedRange<Double>) -> String {
    "\(text(of: range.lowerBound)) to \(text(of: range.upperBound))"
  }
}

extension SettingsValue {
  /// The value as a person writes it.
  fileprivate var words: String {
    switch self {
    case .off: "off"
    case .number(let value), .deviations(let value): text(of: value)
    case .whole(let value): "\(value)"
    case .flag(let value): "\(value)"
    case .word(let value): "'\(value)'"
    case .range(let minimum, let maximum): "\(text(of: minimum)):\(text(of: maximum))"
    }
  }
}

/// A number without a fraction of zero.
private func text(of value: Double) -> String {
  let text = "\(value)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
