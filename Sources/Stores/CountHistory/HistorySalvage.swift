import Foundation

/// What was saved of a damaged history.
public struct HistorySalvage: Hashable, Sendable {
  /// How many entries were saved, each as it was written.
  public internal(set) var saved = 0
  /// The losses, one line each: entries with parts that are wrong, and pages that are gone.
  ///
  /// Entries that left no trace are not among them.
  public internal(set) var losses: [String] = []
  /// How many entries the new history may have.
  ///
  /// This is the limit of the damaged one if it can be read, otherwise the usual limit. If more
  /// entries were saved, it is their number.
  public internal(set) var limit = HistoryFile.usualLimit
}

extension HistoryFile {
  /// Copies the readable entries of a damaged history to a new one.
  ///
  /// The file is not changed. It is read page by page, so its header and its tree of pages may be
  /// damaged. All entries whose checksums match are saved. No process should use the file
  /// meanwhile.
  ///
  /// - Parameter target: a history whose file does not exist yet; it is written at once.
  /// - Throws: ``HistoryError/exists(path:)``; ``HistoryError/unreadable(path:reason:)`` and
  ///   ``HistoryError/notAHistory(path:reason:)`` if there is nothing to read.
  /// - Complexity: O(*n*) for a file of *n* bytes.
  public func salvage(into target: HistoryFile) async throws(HistoryError) -> HistorySalvage {
    let (found, losses, stored) = try await patiently { () throws(HistoryError) in
      guard try HistoryFiles.size(target.path) == nil else { throw .exists(path: target.path) }
      let file = try HistoryFiles.bytes(path)
      let found = Self.found(in: file, log: try HistoryFiles.bytesOfLog(path))
      guard !found.entries.isEmpty || file.starts(with: HistoryFiles.magic) else {
        throw .notAHistory(path: path, reason: "it is not a SQLite database, and no entry is in it")
      }
      return found
    }
    var limit = stored ?? .usual
    limit.limit = min(max(limit.limit, found.count), Self.limits.upperBound)
    var salvage = HistorySalvage(saved: found.count, losses: losses, limit: limit.limit)
    // The newest and the favourites, should there be more than there may.
    let kept = found.sorted {
      ($0.entry.isFavorite ? 1 : 0, $0.entry.milliseconds, $0.sequence)
        > ($1.entry.isFavorite ? 1 : 0, $1.entry.milliseconds, $1.sequence)
    }.prefix(limit.limit).sorted { $0.sequence < $1.sequence }
    if kept.count < found.count {
      salvage.saved = kept.count
      salvage.losses.append("\(found.count - kept.count) entries more than there may be")
    }
    try await target.change(makesFile: true) { [limit] database throws(HistoryError) in
      guard try database.entries().isEmpty else { throw .exists(path: database.path) }
      try database.write(limit)
      for (index, stored) in kept.enumerated() {
        try database.insert(StoredEntry(sequence: Int64(index + 1), entry: stored.entry))
      }
    }
    return salvage
  }

  /// The entries in the bytes of a file, the known losses, and the limit if it can be read.
  typealias Found = (entries: [StoredEntry], losses: [String], limit: StoredLimit?)

  /// Finds the entries in the bytes of a file.
  static func found(in file: Data, log: Data) -> Found {
    // The header has the size of pages, but it may be damaged.
    let sizes = Set([DatabasePages.statedSize(file) ?? 0, HistorySchema.pageSize]).subtracting([0])
    let attempts = sizes.sorted().map {
      found(in: DatabasePages(file: file, log: log, size: $0), bytes: file.count)
    }
    return attempts.max { $0.entries.count < $1.entries.count } ?? ([], [], nil)
  }

  private static func found(in pages: DatabasePages, bytes: Int) -> Found {
    var entries: [UUID: StoredEntry] = [:]
    var losses: [String] = []
    var limit: StoredLimit?
    for number in pages.numbers {
      let kind = pages.kind(ofPage: number)
      for (index, cell) in pages.cells(ofPage: number).enumerated() {
        do throws(DamagedRow) {
          switch try Self.stored(cell, page: number) {
          case .table: break
          case .limit(let found): limit = found
          case .entry(let found): entries[found.entry.id] = found
          }
        } catch {
          // Rows are found on a page that does not say it has any, and none are missed on others.
          if kind == .leaf { losses.append("page \(number), row \(index + 1): \(error.reason)") }
        }
      }
      if case .interior(let below) = kind {
        losses += below.filter { pages.page($0) != nil && pages.kind(ofPage: $0) == .other }
          .map { "page \($0): it does not say that it has rows" }
      }
    }
    if pages.promised > pages.count {
      losses.append(
        "the file ends after \(bytes) bytes, and \(pages.promised * pages.size) were written")
    }
    return (Array(entries.values), losses, limit)
  }

  /// What a row is.
  private enum Row {
    case entry(StoredEntry)
    case limit(StoredLimit)
    /// A row of the table of tables.
    case table
  }

  private static func stored(_ cell: DatabasePages.Cell, page: Int) throws(DamagedRow) -> Row {
    guard let cell, let values = RecordCursor.values(ofRecord: cell.record) else {
      throw DamagedRow(reason: "it cannot be made out")
    }
    // That is on the first page, and has five columns.
    if page == 1, values.count == 5 { return .table }
    // The row's number stands before the record, and in it is nothing.
    guard values.first == .null else { throw DamagedRow(reason: "it has no number") }
    let rest = Array(values.dropFirst())
    return rest.count == StoredLimit.columns.count
      ? .limit(try StoredLimit(values: rest))
      : .entry(try StoredEntry(sequence: cell.row, values: rest))
  }
}
