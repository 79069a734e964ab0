import Foundation

/// A folder with events whose lock this process holds, so that no other process changes it.
///
/// The lock is `flock` on a file beside the events, so that it is released when the process ends in
/// any way. Files are opened again each time, because other processes may have removed or begun
/// some since.
struct EventFolder: ~Copyable {
  private let path: String
  private let descriptor: Int32
  private let lock: Int32

  /// Locks the folder at a path.
  ///
  /// - Parameter patience: how long to wait for a process that holds the lock, in seconds.
  init(lockingFolderAt path: String, patience: Double) throws(TelemetryError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .writing(path, errno) }
    let lock = openat(descriptor, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else {
      let number = errno
      close(descriptor)
      throw .writing(path, number)
    }
    // Asked again and again instead of waited for: the holder may be stopped for ever.
    var tries = Int((patience / Self.pause).rounded(.up))
    while flock(lock, LOCK_EX | LOCK_NB) != 0 {
      let number = errno
      let isTaken = number == EWOULDBLOCK || number == EINTR
      guard isTaken, tries > 0 else {
        close(lock)
        close(descriptor)
        throw isTaken ? .locked(path: path) : .writing(path, number)
      }
      tries -= 1
      usleep(useconds_t(Self.pause * 1e6))
    }
    self.path = path
    self.descriptor = descriptor
    self.lock = lock
  }

  private static let pause = 0.005

  deinit {
    // Closing the only descriptor of it releases the lock.
    close(lock)
    close(descriptor)
  }

  // MARK: Opting out

  private static let mark = "opted-out"

  /// Whether nothing may be recorded.
  var isOptedOut: Bool { faccessat(descriptor, Self.mark, F_OK, 0) == 0 }

  /// Forbids recording and deletes what there is.
  func optOut() throws(TelemetryError) {
    // The mark goes first: killed in between, the next process finds it and deletes. On a full disk
    // there may only be room for it when the events are gone.
    let isMarked = mark() == 0
    try deleteAll()
    guard !isMarked else { return }
    let number = mark()
    guard number == 0 else { throw .writing(path, number) }
  }

  /// Makes the mark that forbids recording, and answers 0 or the system's error number.
  private func mark() -> Int32 {
    let file = openat(descriptor, Self.mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return errno }
    close(file)
    return 0
  }

  /// Allows recording again.
  func optIn() throws(TelemetryError) {
    guard unlinkat(descriptor, Self.mark, 0) == 0 || errno == ENOENT else {
      throw .writing(path, errno)
    }
  }

  /// Deletes all events, also if one of the files cannot be deleted.
  func deleteAll() throws(TelemetryError) {
    var failure: TelemetryError?
    for file in try EventFile.all(inFolder: path) {
      do throws(TelemetryError) {
        try delete(file)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  private func delete(_ file: EventFile) throws(TelemetryError) {
    guard unlinkat(descriptor, file.name, 0) == 0 || errno == ENOENT else {
      throw .writing("\(path)/\(file.name)", errno)
    }
  }

  // MARK: Writing

  /// Deletes the files beyond the limits, and answers the others.
  ///
  /// - Parameter room: for how many more files there has to be room.
  @discardableResult
  func prune(
    _ limits: TelemetryLimits, now: Int64, room: Int = 0
  ) throws(TelemetryError) -> [EventFile] {
    var files = try EventFile.all(inFolder: path)
    let retention = Int64(limits.retention * 1000)
    while let oldest = files.first,
      files.count + room > limits.files || now - oldest.begun > retention
    {
      try delete(oldest)
      files.removeFirst()
    }
    return files
  }

  /// Appends lines, and begins new files by the limits.
  ///
  /// - Parameters:
  ///   - bytes: complete lines.
  ///   - ends: the end of each line in them.
  /// - Returns: the number of written lines, and the reason if not all were written.
  func append(
    _ bytes: [UInt8], ends: [Int], limits: TelemetryLimits, now: Int64
  ) -> (written: Int, failure: TelemetryError?) {
    var written = 0
    do throws(TelemetryError) {
      var files = try prune(limits, now: now)
      while written < ends.count {
        if let last = files.last, abs(now - last.begun) < Int64(limits.fileAge * 1000) {
          written += try fill(last, bytes, ends: ends, from: written, limits: limits)
          if written == ends.count { break }
        }
        let number = (files.last?.number ?? 0) + 1
        guard number <= EventFile.numbers.upperBound else {
          throw .unwritable(path: path, reason: "there is no number left for another file")
        }
        files = try prune(limits, now: now, room: 1)
        let next = EventFile(number: number, begun: now)
        files.append(next)
        written += try fill(next, bytes, ends: ends, from: written, limits: limits)
      }
      return (written, nil)
    } catch {
      return (written, error)
    }
  }

  /// Appends lines to a file in one write until the file is full, and returns their number.
  private func fill(
    _ file: EventFile, _ bytes: [UInt8], ends: [Int], from first: Int, limits: TelemetryLimits
  ) throws(TelemetryError) -> Int {
    let filePath = "\(path)/\(file.name)"
    let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    let target = openat(descriptor, file.name, flags, 0o600)
    guard target >= 0 else { throw .writing(filePath, errno) }
    defer { close(target) }
    var status = stat()
    guard fstat(target, &status) == 0 else { throw .writing(filePath, errno) }
    let size = Int(status.st_size)
    // A process killed while it wrote leaves half a line, which is ended here so that ours stands
    // alone.
    let needsEnd = size > 0 && !Self.endsInNewline(target, size: size)
    let start = first == 0 ? 0 : ends[first - 1]
    let room = limits.fileBytes - size - (needsEnd ? 1 : 0)
    let count = ends[first...].prefix { $0 - start <= room }.count
    guard count > 0 else { return 0 }
    let lines = bytes[start..<ends[first + count - 1]]
    let number =
      needsEnd
      ? Self.writeAll([EventLine.newline] + lines, to: target) : Self.writeAll(lines, to: target)
    if number != 0 {
      // A partial line is useless. If this fails too, the reader sees half a line.
      _ = ftruncate(target, off_t(size))
      throw .writing(filePath, number)
    }
    return count
  }

  private static func endsInNewline(_ file: Int32, size: Int) -> Bool {
    var last: UInt8 = 0
    return pread(file, &last, 1, off_t(size - 1)) == 1 && last == EventLine.newline
  }

  /// Writes all bytes and answers 0, or the system's error number.
  private static func writeAll(_ bytes: some Collection<UInt8>, to file: Int32) -> Int32 {
    // One call, unless the system takes only a part: lines of two processes never mix, for there is
    // the lock, and nothing is left in a buffer that a killed process would lose.
    let result = bytes.withContiguousStorageIfAvailable { buffer -> Int32 in
      var rest = UnsafeRawBufferPointer(buffer)
      while let start = rest.baseAddress, rest.count > 0 {
        let written = write(file, start, rest.count)
        if written > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
        } else if written == 0 {
          return ENOSPC
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
    return result ?? writeAll(Array(bytes), to: file)
  }
}
