import Foundation
import _SystemReason

/// A file of results that grows by whole lines, and from which an interrupted run continues.
package struct ResultsFile: Sendable {
  /// The form of its lines.
  enum Form: String, Sendable {
    case jsonl, csv
  }

  let path: String
  let form: Form
  /// The photos in it, each with the number of its error, or 0.
  private(set) var done: [FoundPath: Int] = [:]

  private let descriptor: Int32
  private var length: off_t = 0
  private var unsynchronized = 0

  /// The number of lines after which they are synchronized to the disk.
  private static let linesPerSynchronization = 32

  /// Opens a file, or makes it, for this process alone.
  ///
  /// An incomplete last line is removed: a process was killed while it wrote the line.
  ///
  /// - Parameters:
  ///   - path: a path that ends in `.jsonl` or `.csv`.
  ///   - layout: the layout of its records if it is CSV.
  ///   - settings: the settings of this run, which must be those of the results in the file.
  ///   - dropsFailed: whether photos that failed are removed.
  /// - Throws: ``UsageError`` for another ending, ``CommandError``.
  package init(
    _ path: String, layout: RecordLayout, settings: ResultsSettings, dropsFailed: Bool
  ) throws {
    guard let form = Form(rawValue: (path as NSString).pathExtension.lowercased()) else {
      throw UsageError("--results is '\(path)'; it must end in .jsonl or .csv")
    }
    self.path = path
    self.form = form
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
    guard descriptor >= 0 else { throw Self.failure(path, "opened", errno) }
    do {
      try begin(settings, layout: layout, dropsFailed: dropsFailed)
    } catch {
      Foundation.close(descriptor)
      throw error
    }
  }

  /// Appends a photo's line or records, completely or not at all.
  mutating func append(_ row: PhotoRow, layout: RecordLayout) throws {
    try append(form == .csv ? layout.records(of: row) : row.json + "\n")
    unsynchronized += 1
    if unsynchronized >= Self.linesPerSynchronization { try synchronize() }
  }

  /// Returns when all lines are on the disk, and closes the file.
  package func close() throws {
    defer {
      // Until a process that is being started has begun, it has a copy of the descriptor, and with
      // it the lock.
      flock(descriptor, LOCK_UN)
      Foundation.close(descriptor)
    }
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw Self.failure(path, "written", errno)
    }
  }

  /// Whether a photo is in it.
  func has(_ photo: String) -> Bool { code(of: photo) != nil }

  /// The number of a photo's error, or 0; nil if the photo is not in it.
  func code(of photo: String) -> Int? {
    done[FoundPath(form == .csv ? CSVText.fileName(photo) : photo)]
  }

  // MARK: Opening

  private mutating func begin(
    _ settings: ResultsSettings, layout: RecordLayout, dropsFailed: Bool
  ) throws {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure(path, "opened", errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CommandError(.inputOutput, at: path, "this is not a file of results")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw CommandError(.inputOutput, at: path, "another process is writing it")
    }
    if status.st_size == 0 {
      try settings.write(for: path)
    } else {
      try settings.check(for: path)
    }
    let records = try ResultsReader(
      path: path, form: form, layout: layout, descriptor: descriptor
    ).records()
    if dropsFailed, records.contains(where: { $0.code != 0 }) {
      try keep(records.filter { $0.code == 0 })
    } else {
      length = off_t(records.last?.bytes.upperBound ?? 0)
      if status.st_size > length, ftruncate(descriptor, length) != 0 {
        throw Self.failure(path, "written", errno)
      }
    }
    for record in records where record.code == 0 || !dropsFailed {
      if let name = record.name { done[FoundPath(name)] = record.code }
    }
    if form == .csv, length == 0 { try append(layout.titleRecord) }
  }

  /// Replaces this file by one with some of the records, so that one of the two always exists.
  ///
  /// If `path` is a link, its target is replaced. The permissions do not change.
  private mutating func keep(_ records: [ResultsReader.Record]) throws {
    let target = SystemPath.resolved(path)
    let part = target + ".part"
    // This process holds the lock, so an existing temporary file is stale.
    unlink(part)
    let copy = open(part, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard copy >= 0 else { throw Self.failure(part, "opened", errno) }
    defer { Foundation.close(copy) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, fchmod(copy, status.st_mode & 0o777) == 0 else {
      let number = errno
      unlink(part)
      throw Self.failure(part, "written", number)
    }
    do {
      for record in records {
        let bytes = try ResultsReader.bytes(record.bytes, of: descriptor, path: path)
        try Self.write(bytes, to: copy, path: part)
      }
      // The lock belongs to the file, so the copy is locked before it gets the name.
      guard flock(copy, LOCK_EX | LOCK_NB) == 0, fsync(copy) == 0, rename(part, target) == 0,
        dup2(copy, descriptor) >= 0
      else { throw Self.failure(path, "written", errno) }
    } catch {
      unlink(part)
      throw error
    }
    // Without this, a crash of the system could restore the earlier file.
    try OutputFile.synchronizeFolder(of: target)
    length = records.reduce(0) { $0 + off_t($1.bytes.count) }
  }

  private mutating func append(_ line: String) throws {
    let bytes = Array(line.utf8)
    do {
      try Self.write(bytes, to: descriptor, path: path)
    } catch {
      // An incomplete line is useless; if even this fails, the next run removes it.
      _ = ftruncate(descriptor, length)
      throw error
    }
    length += off_t(bytes.count)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws {
    let number = FileDescriptorSink.write(bytes, to: descriptor)
    guard number == 0 else { throw failure(path, "written", number) }
  }

  private mutating func synchronize() throws {
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw Self.failure(path, "written", errno)
    }
    unsynchronized = 0
  }

  private static func failure(_ path: String, _ deed: String, _ number: Int32) -> CommandError {
    CommandError(
      .inputOutput, at: path, "cannot be \(deed): \(String(cString: strerror(number)))")
  }
}
