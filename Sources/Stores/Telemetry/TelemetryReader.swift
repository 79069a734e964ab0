import Foundation

/// Reads the events of a folder, one after the other.
///
/// Reading takes no lock and does not disturb writing logs. Lines whose check fails are skipped and
/// counted, such as the half line of a killed process.
public struct TelemetryReader: Sendable {
  /// What was read, and what was not.
  public struct Summary: Hashable, Sendable {
    /// How many files there were.
    public var files = 0
    /// The number of their bytes.
    public var bytes = 0
    /// How many events were read.
    public var events = 0
    /// How many lines were none, or damaged.
    public var damagedLines = 0
  }

  /// The folder.
  public let folder: URL

  /// Makes a reader of a folder; nothing is read before ``forEachEvent(_:)``.
  public init(folder: URL) {
    self.folder = folder
  }

  /// Calls `body` with every event and its id, in the order they were written.
  ///
  /// Files that are deleted meanwhile are skipped.
  ///
  /// - Complexity: O(*n*) time for *n* bytes; 64 KiB of memory for any files.
  /// - Throws: ``TelemetryError`` if the folder or a file cannot be read, and what `body` throws.
  @discardableResult
  public func forEachEvent(
    _ body: (TelemetryEvent, EventID) throws -> Void
  ) throws -> Summary {
    var summary = Summary()
    for file in try EventFile.all(inFolder: folder.path) {
      try readFile("\(folder.path)/\(file.name)", into: &summary, body)
    }
    return summary
  }

  /// How much is read at once; far more than a line.
  private static let chunk = 1 << 16

  private func readFile(
    _ path: String, into summary: inout Summary,
    _ body: (TelemetryEvent, EventID) throws -> Void
  ) throws {
    // Not blocking: a pipe with an event file's name must not stop us.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if file < 0, errno == ENOENT { return }
    guard file >= 0 else { throw TelemetryError.reading(path, errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw TelemetryError.unreadable(path: path, reason: "this is not a file")
    }
    summary.files += 1
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 1)
    defer { buffer.deallocate() }
    // The first bytes of the buffer are a line whose end has not been read yet.
    var kept = 0
    // A line longer than the buffer is skipped to its end.
    var isTooLong = false
    while true {
      let free = UnsafeMutableRawBufferPointer(rebasing: buffer[kept...])
      let count = read(file, free.baseAddress, free.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw TelemetryError.reading(path, errno)
      }
      summary.bytes += count
      let all = UnsafeRawBufferPointer(rebasing: buffer[..<(kept + count)])
      let start = try takeLines(
        of: all, searchedTo: kept, isTooLong: &isTooLong, into: &summary, body)
      kept = all.count - start
      if count == 0 {
        // The last line of a file has an end too, unless it was cut.
        if kept > 0 || isTooLong { summary.damagedLines += 1 }
        return
      }
      if kept >= EventLine.longest {
        isTooLong = true
        kept = 0
      } else if start > 0 {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[start...]))
      }
    }
  }

  /// Takes the lines that end in the bytes; returns where the next one begins.
  ///
  /// - Parameters:
  ///   - searched: up to here there is no end of a line.
  ///   - isTooLong: whether the first line is longer than the buffer.
  private func takeLines(
    of all: UnsafeRawBufferPointer, searchedTo searched: Int, isTooLong: inout Bool,
    into summary: inout Summary, _ body: (TelemetryEvent, EventID) throws -> Void
  ) throws -> Int {
    var start = 0
    var searched = searched
    while let end = all[searched...].firstIndex(of: EventLine.newline) {
      let line = UnsafeRawBufferPointer(rebasing: all[start..<end])
      try take(line, isTooLong: isTooLong, into: &summary, body)
      isTooLong = false
      start = end + 1
      searched = start
    }
    return start
  }

  private func take(
    _ line: UnsafeRawBufferPointer, isTooLong: Bool, into summary: inout Summary,
    _ body: (TelemetryEvent, EventID) throws -> Void
  ) throws {
    // An empty line ends a torn one at its very end.
    if line.isEmpty, !isTooLong { return }
    guard !isTooLong, let (event, check) = EventLine.event(in: line) else {
      summary.damagedLines += 1
      return
    }
    summary.events += 1
    try body(event, EventID(check: check))
  }
}
