import Foundation
import _SystemReason

/// Files, read whole and written whole.
enum TemplateFile {
  /// More than any template needs.
  static let largest = 64 << 20

  /// The bytes of the file at a path.
  ///
  /// - Throws: ``TemplateError/unreadable(path:reason:)``; ``TemplateError/damaged(path:reason:)``
  ///   for a file that is too large.
  static func contents(of path: String) throws(TemplateError) -> Data {
    // A pipe is not waited for, and then refused.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: reason(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(path: path, reason: "it is not a file")
    }
    guard status.st_size <= largest else {
      throw .damaged(path: path, reason: "it has \(status.st_size) bytes; a template is smaller")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    do {
      return try handle.read(upToCount: largest) ?? Data()
    } catch {
      throw .unreadable(path: path, reason: SystemReason.text(of: error))
    }
  }

  /// Puts a file of these bytes at a path, whole or not at all.
  ///
  /// - Returns: false if there is a file already and it may not be replaced; nothing is changed
  ///   then.
  /// - Throws: ``TemplateError/unwritable(path:reason:)``.
  static func write(
    _ data: Data, to path: String, replacing: Bool
  ) throws(TemplateError) -> Bool {
    let url = URL(fileURLWithPath: path)
    let draft = url.deletingLastPathComponent()
      .appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)").path
    defer { unlink(draft) }
    do {
      try data.write(to: URL(fileURLWithPath: draft))
      let handle = try FileHandle(forUpdating: URL(fileURLWithPath: draft))
      try? handle.synchronize()
      try handle.close()
    } catch {
      throw .unwritable(path: path, reason: SystemReason.text(of: error))
    }
    if replacing {
      guard rename(draft, path) == 0 else { throw .unwritable(path: path, reason: reason(errno)) }
      return true
    }
    // A link is made only if nothing has the name, even if two processes try at once.
    if link(draft, path) == 0 { return true }
    let number = errno
    if number == EEXIST { return false }
    // Some file systems have no links; between the question and the answer somebody may come first.
    var status = stat()
    if lstat(path, &status) == 0 { return false }
    guard number == EPERM || number == ENOTSUP || number == ENOSYS, rename(draft, path) == 0 else {
      throw .unwritable(path: path, reason: reason(number))
    }
    return true
  }

  private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
