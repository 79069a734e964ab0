import Foundation

/// Checks a path before it is read.
package enum InputFile {
  /// The file at `path`, which must exist, be a file and be readable.
  ///
  /// - Throws: ``CommandError`` with ``ExitCode/noInput`` if it is not.
  package static func existing(_ path: String) throws(CommandError) -> URL {
    try check(path, wants: [S_IFREG], "a file")
  }

  /// The file or pipe at `path`, such as a shell's `<(command)`, which must exist and be readable.
  ///
  /// - Throws: ``CommandError`` with ``ExitCode/noInput`` if it is not.
  package static func existingStream(_ path: String) throws(CommandError) -> URL {
    try check(path, wants: [S_IFREG, S_IFIFO], "a file")
  }

  /// The folder at `path`, which must exist, be a folder and be readable.
  package static func existingFolder(_ path: String) throws(CommandError) -> URL {
    try check(path, wants: [S_IFDIR], "a folder")
  }

  /// The greatest size of a JSON document that is read whole.
  static let largestDocument = 1 << 30
  /// The greatest size of a file that a person writes, such as thresholds, or that a page saves.
  package static let largestNote = 64 << 20

  /// All bytes of the file at `path`, which must exist, be a readable file and not be too large.
  ///
  /// - Throws: ``CommandError`` with ``ExitCode/noInput``, ``ExitCode/badData`` for a file that is
  ///   too large, or ``ExitCode/inputOutput``.
  package static func bytes(_ path: String, atMost limit: Int) throws(CommandError) -> Data {
    let url = try existing(path)
    // Between the two calls, a pipe may have replaced it: it is refused without waiting.
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw refused(path, errno) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    defer { try? file.close() }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw CommandError(.noInput, at: path, "this is not a file")
    }
    // The size is checked before reading and during it: the file may grow, and some files report a
    // size of 0.
    guard status.st_size <= limit else { throw tooLarge(path, limit) }
    let data: Data
    do {
      data = try file.read(upToCount: limit + 1) ?? Data()
    } catch {
      throw .unreadable(path, OutputFile.reason(of: error))
    }
    guard data.count <= limit else { throw tooLarge(path, limit) }
    return data
  }

  private static func tooLarge(_ path: String, _ limit: Int) -> CommandError {
    CommandError(.badData, at: path, "it has more than \(limit >> 20) MiB; that is too much")
  }

  private static func check(
    _ path: String, wants kinds: [mode_t], _ wanted: String
  ) throws(CommandError) -> URL {
    guard !path.utf8.contains(0) else {
      throw CommandError(.noInput, at: path, "no path holds a zero byte")
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw refused(path, errno) }
    let found = status.st_mode & S_IFMT
    guard kinds.contains(found) else {
      let name =
        switch found {
        case S_IFDIR: "a folder"
        case S_IFREG: "a file"
        default: "neither a file nor a folder"
        }
      throw CommandError(.noInput, at: path, "this is \(name); it must be \(wanted)")
    }
    guard access(path, R_OK) == 0 else { throw refused(path, errno) }
    return URL(fileURLWithPath: path)
  }

  private static func refused(_ path: String, _ number: Int32) -> CommandError {
    number == ENOENT
      ? Failure.missing(path)
      : CommandError(
        .noInput, at: path, "cannot be opened: \(String(cString: strerror(number)))")
  }
}
