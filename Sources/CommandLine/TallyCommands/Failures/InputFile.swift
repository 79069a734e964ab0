import Foundation

/// Looks at a path before anything reads it.
enum InputFile {
  /// The file at `path`, which is there, is a file, and may be read.
  ///
  /// - Throws: ``CommandError`` with ``ExitCode/noInput`` where it is not.
  static func existing(_ path: String) throws(CommandError) -> URL {
    try check(path, wants: [S_IFREG], "a file")
  }

  /// The file or pipe at `path`, such as a shell's `<(command)`, which is there and may be read.
  ///
  /// - Throws: ``CommandError`` with ``ExitCode/noInput`` where it is not.
  static func existingStream(_ path: String) throws(CommandError) -> URL {
    try check(path, wants: [S_IFREG, S_IFIFO], "a file")
  }

  /// The folder at `path`, which is there, is a folder, and may be read.
  static func existingFolder(_ path: String) throws(CommandError) -> URL {
    try check(path, wants: [S_IFDIR], "a folder")
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
