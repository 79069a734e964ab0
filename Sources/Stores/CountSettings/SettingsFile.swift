import Counting
import Foundation
import _SystemReason

/// The file of settings.
///
/// ```swift
/// let file = SettingsFile("settings.json")            // need not be there yet
/// try file.change { try $0.set(.named("confidence"), to: .number(0.2)) }
/// let configuration = try (file.read() ?? CountingSettings()).configuration()
/// ```
///
/// A change is written to a new file that replaces the old one. So readers always see a complete
/// file, even if a process is killed; changes wait for one another.
public struct SettingsFile: SettingsStore, Hashable {
  /// Its path; the file need not exist.
  public let path: String

  /// Uses a path at which nothing need be until a field is set.
  public init(_ path: String) { self.path = path }

  /// The file of a user's settings.
  ///
  /// It is `tally/settings.json` in `XDG_CONFIG_HOME`, or in `.config` of `HOME`; nil if neither is
  /// an absolute path (XDG Base Directory Specification).
  ///
  /// - Parameter environment: the variables of the process, which this module does not read by
  ///   itself.
  public static func usual(environment: [String: String]) -> SettingsFile? {
    func folder(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let place = folder("XDG_CONFIG_HOME") ?? folder("HOME").map { "\($0)/.config" }
    return place.map {
      SettingsFile(URL(fileURLWithPath: $0).appendingPathComponent("tally/settings.json").path)
    }
  }

  /// The greatest size of settings in bytes.
  public static let largest = 65_536

  // MARK: Reading

  /// The settings; nil if there is no file.
  ///
  /// - Throws: ``SettingsError`` that names the file, and the field if the error is about one.
  public func read() throws(SettingsError) -> CountingSettings? {
    guard let data = try contents() else { return nil }
    return try settings(of: data)
  }

  /// The names of all members of the file's object, known or not; nil if there is no file.
  package func names() throws(SettingsError) -> Set<String>? {
    guard let data = try contents() else { return nil }
    let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    let fields = object?["adaptive"] as? [String: Any]
    return Set(object.map { Array($0.keys) } ?? [])
      .union((fields.map { Array($0.keys) } ?? []).map { "adaptive.\($0)" })
  }

  private func settings(of data: Data) throws(SettingsError) -> CountingSettings {
    do {
      return try CountingSettings(json: data)
    } catch let error as CountingConfigurationError {
      throw .damaged(path: path, error)
    } catch {
      throw .damaged(path: path, .notJSON(reason: "\(error)"))
    }
  }

  /// The bytes, nil if there is no file.
  private func contents() throws(SettingsError) -> Data? {
    guard !path.utf8.contains(0) else {
      throw .unopenable(path: path, reason: "no path holds a zero byte")
    }
    // Opening does not wait for a pipe, which is then refused.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let number = errno
      if number == ENOENT || number == ENOTDIR { return nil }
      throw .unopenable(path: path, reason: "cannot be opened: \(SystemReason.text(of: number))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw .unopenable(
        path: path,
        reason:
          "this is \(isFolder ? "a folder" : "neither a file nor a folder"); it must be a file")
    }
    var bytes = [UInt8](repeating: 0, count: Self.largest + 1)
    var count = 0
    while count < bytes.count {
      // The pointer is used within this one call only.
      let more = bytes[count...].withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress, $0.count)
      }
      if more == 0 { break }
      if more > 0 {
        count += more
      } else if errno != EINTR {
        throw .unreadable(path: path, reason: SystemReason.text(of: errno))
      }
    }
    guard count <= Self.largest else {
      throw .tooLarge(path: path, limit: Self.largest)
    }
    return Data(bytes[..<count])
  }

  // MARK: Changing

  /// Changes the settings; the file and its folders are made if they do not exist.
  ///
  /// - Parameters:
  ///   - forgotten: the names of fields that are removed first; errors in them are ignored.
  ///   - body: changes the remaining settings; if it throws, nothing is written.
  /// - Returns: the new settings.
  /// - Throws: ``SettingsError``; what `body` throws.
  @discardableResult
  public func change(
    forgetting forgotten: Set<String> = [], _ body: (inout CountingSettings) throws -> Void
  ) throws -> CountingSettings {
    // A link stays a link: its target is changed.
    let target = SystemPath.resolved(path)
    let lock = try SettingsLock(beside: target)
    defer { lock.release() }
    var settings = CountingSettings()
    if let data = try contents() { settings = try self.settings(of: Self.without(forgotten, data)) }
    try body(&settings)
    try Self.replace(target, with: Data(settings.text.utf8))
    return settings
  }

  /// Removes the file; a damaged one is kept under another name.
  ///
  /// - Returns: what was removed; nil if there was no file.
  /// - Throws: ``SettingsError``.
  @discardableResult
  public func reset() throws(SettingsError) -> SettingsReset? {
    let target = SystemPath.resolved(path)
    var status = stat()
    guard stat(target, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .unopenable(path: path, reason: "cannot be opened: \(SystemReason.text(of: errno))")
    }
    let lock = try SettingsLock(beside: target)
    defer { lock.release() }
    do throws(SettingsError) {
      guard let settings = try read() else { return nil }
      guard unlink(target) == 0 else { throw Self.unwritable(path, errno) }
      try Self.synchronizeFolder(of: target)
      return SettingsReset(fields: settings.fields.count)
    } catch {
      guard error.isDamage else { throw error }
      let kept = target + ".damaged"
      guard rename(target, kept) == 0 else { throw Self.unwritable(path, errno) }
      try Self.synchronizeFolder(of: target)
      return SettingsReset(fields: 0, damagedPath: kept)
    }
  }

  /// The bytes of an object without some fields; the same bytes if they are not an object.
  private static func without(_ names: Set<String>, _ data: Data) -> Data {
    guard !names.isEmpty,
      var object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { return data }
    for name in names {
      object[name] = nil
      if name.hasPrefix("adaptive."), var fields = object["adaptive"] as? [String: Any] {
        fields[String(name.dropFirst("adaptive.".count))] = nil
        object["adaptive"] = fields
      }
    }
    guard JSONSerialization.isValidJSONObject(object) else { return data }
    return (try? JSONSerialization.data(withJSONObject: object)) ?? data
  }

  /// Replaces a file by one of these bytes with its permissions, and returns when it is on the
  /// disk.
  private static func replace(_ path: String, with data: Data) throws(SettingsError) {
    // This process holds the lock, so an existing temporary file is stale.
    let draft = "\(path).new"
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw Self.unwritable(path, errno) }
    var status = stat()
    if stat(path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
    let bytes = Array(data)
    var start = 0
    var number: Int32 = 0
    while start < bytes.count, number == 0 {
      // The pointer is used within this one call only.
      let count = bytes[start...].withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        start += count
      } else if count == 0 {
        number = ENOSPC
      } else if errno != EINTR {
        number = errno
      }
    }
    // Some file systems do not support this; it is then skipped.
    if number == 0, fsync(descriptor) != 0, errno != EINVAL { number = errno }
    // Some file systems report only now that there is no space.
    if close(descriptor) != 0, number == 0 { number = errno }
    if number == 0, rename(draft, path) != 0 { number = errno }
    guard number == 0 else {
      unlink(draft)
      throw Self.unwritable(path, number)
    }
    try Self.synchronizeFolder(of: path)
  }

  static func unwritable(_ path: String, _ number: Int32) -> SettingsError {
    .unwritable(path: path, reason: SystemReason.text(of: number))
  }

  /// Returns when the name of a new or renamed file is on the disk.
  private static func synchronizeFolder(of path: String) throws(SettingsError) {
    let number = SystemPath.synchronizeFolder(of: path)
    guard number == 0 else { throw unwritable(path, number) }
  }
}

extension SettingsError {
  /// Whether the content of the file is wrong, not the way to it.
  package var isDamage: Bool {
    switch self {
    case .damaged, .tooLarge: true
    default: false
    }
  }
}
