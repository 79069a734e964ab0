import CommandKit
import Counting
import Foundation

/// The file of settings.
///
/// A change is written to a new file that replaces the old one. So readers always see a complete
/// file, even if a process is killed; changes wait for one another.
package struct SettingsFile: Sendable {
  /// Its path; the file need not exist.
  package let path: String

  init(_ path: String) { self.path = path }

  /// The file of a user's settings.
  ///
  /// It is `tally/settings.json` in `XDG_CONFIG_HOME`, or in `.config` of `HOME`; nil if neither is
  /// an absolute path (XDG Base Directory Specification).
  package static func usual(environment: [String: String]) -> SettingsFile? {
    func folder(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let place = folder("XDG_CONFIG_HOME") ?? folder("HOME").map { "\($0)/.config" }
    return place.map {
      SettingsFile(URL(fileURLWithPath: $0).appendingPathComponent("tally/settings.json").path)
    }
  }

  /// The greatest size of settings in bytes.
  static let largest = 65_536

  // MARK: Reading

  /// The settings; nil if there is no file.
  ///
  /// - Throws: ``CommandError`` that names the file, and the field if the error is about one.
  package func read() throws -> Settings? {
    guard let data = try contents() else { return nil }
    return try settings(of: data)
  }

  /// The names of all members of the file's object, known or not; nil if there is no file.
  func names() throws(CommandError) -> Set<String>? {
    guard let data = try contents() else { return nil }
    let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    let fields = object?["adaptive"] as? [String: Any]
    return Set(object.map { Array($0.keys) } ?? [])
      .union((fields.map { Array($0.keys) } ?? []).map { "adaptive.\($0)" })
  }

  private func settings(of data: Data) throws(CommandError) -> Settings {
    do {
      return try Settings(json: data)
    } catch {
      var message = "\(error)"
      if case .unknownField(let name, _) = error as? CountingConfigurationError {
        message += SettingsField.proposal(for: name)
      }
      throw CommandError(.badData, at: path, message)
    }
  }

  /// The bytes, nil if there is no file.
  private func contents() throws(CommandError) -> Data? {
    guard !path.utf8.contains(0) else {
      throw CommandError(.noInput, at: path, "no path holds a zero byte")
    }
    // Opening does not wait for a pipe, which is then refused.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let number = errno
      if number == ENOENT || number == ENOTDIR { return nil }
      throw CommandError(.noInput, at: path, "cannot be opened: \(OutputFile.reason(number))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw CommandError(
        .noInput, at: path,
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
        throw CommandError.unreadable(path, OutputFile.reason(errno))
      }
    }
    guard count <= Self.largest else {
      throw CommandError(
        .badData, at: path, "it has more than \(Self.largest) bytes; settings are a small file")
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
  @discardableResult
  func change(
    forgetting forgotten: Set<String> = [], _ body: (inout Settings) throws -> Void
  ) throws -> Settings {
    // A link stays a link: its target is changed.
    let target = OutputFile.resolved(path)
    let lock = try SettingsLock(beside: target)
    defer { lock.release() }
    var settings = Settings()
    if let data = try contents() { settings = try self.settings(of: Self.without(forgotten, data)) }
    try body(&settings)
    try Self.replace(target, with: Data(settings.text.utf8))
    return settings
  }

  /// Removes the file; a damaged one is kept under another name.
  ///
  /// - Returns: the number of fields that were set, and the place of a damaged file; nil if there
  ///   was no file.
  func remove() throws -> (fields: Int, kept: String?)? {
    let target = OutputFile.resolved(path)
    var status = stat()
    guard stat(target, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw CommandError(.noInput, at: path, "cannot be opened: \(OutputFile.reason(errno))")
    }
    let lock = try SettingsLock(beside: target)
    defer { lock.release() }
    do {
      guard let settings = try read() else { return nil }
      guard unlink(target) == 0 else { throw OutputFile.unwritable(path, errno) }
      try OutputFile.synchronizeFolder(of: target)
      return (settings.fields.count, nil)
    } catch let error as CommandError where error.code == .badData {
      let kept = target + ".damaged"
      guard rename(target, kept) == 0 else { throw OutputFile.unwritable(path, errno) }
      try OutputFile.synchronizeFolder(of: target)
      return (0, kept)
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
  private static func replace(_ path: String, with data: Data) throws(CommandError) {
    // This process holds the lock, so an existing temporary file is stale.
    let draft = "\(path).new"
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw OutputFile.unwritable(path, errno) }
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
      throw OutputFile.unwritable(path, number)
    }
    try OutputFile.synchronizeFolder(of: path)
  }
}

/// The lock for changing settings, which one process has at a time.
///
/// It is `flock` on a file beside them, so that the system releases it when the process ends in any
/// way.
private struct SettingsLock {
  private let descriptor: Int32

  /// Waits for other processes, at most ten seconds.
  init(beside path: String) throws(CommandError) {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent()
    // A new folder is private, as in the XDG specification.
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let file = folder.appendingPathComponent(".\(url.lastPathComponent).lock").path
    let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw OutputFile.unwritable(path, errno) }
    // It polls instead of waiting, because the holder may be stopped forever.
    var tries = 2000
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      let isTaken = number == EWOULDBLOCK || number == EINTR
      guard isTaken, tries > 0 else {
        close(descriptor)
        throw isTaken
          ? CommandError(.inputOutput, at: path, "another process is changing it; try again")
          : OutputFile.unwritable(path, number)
      }
      tries -= 1
      usleep(5000)
    }
    self.descriptor = descriptor
  }

  /// Releases the lock; the file stays, because another process may wait for it.
  func release() { close(descriptor) }
}
