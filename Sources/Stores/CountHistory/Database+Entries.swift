import Foundation

// The operations on entries inside a transaction.

extension Database {
  /// Says how a file is written.
  func prepareToWrite() throws(HistoryError) {
    // Readers go on while one writes. A file system that cannot do it keeps the journal of old.
    try run("PRAGMA journal_mode = WAL")
    // A commit is on the disk when it returns.
    try run("PRAGMA synchronous = FULL")
    // The log never grows beyond a few entries, and deleted data are overwritten.
    try run("PRAGMA wal_autocheckpoint = 64")
    try run("PRAGMA secure_delete = ON")
  }

  /// Fails if the structure of the database is damaged.
  ///
  /// SQLite reads only the pages that it needs, so rows of a damaged page could be missing
  /// unnoticed.
  func checkStructure() throws(HistoryError) {
    let answer = try value("PRAGMA quick_check(1)")
    guard answer != .text("ok") else { return }
    guard case .text(let text) = answer else {
      throw .damaged(path: path, reason: "its structure cannot be checked")
    }
    throw .damaged(path: path, reason: Self.line(text))
  }

  /// The entry with an id or all entries, newest first, each as it was written.
  func entries(id: UUID? = nil) throws(HistoryError) -> [StoredEntry] {
    let limit = try limit().limit
    var found: [StoredEntry] = []
    let condition = id == nil ? "" : "WHERE id = ?"
    try run(
      """
      SELECT sequence, \(StoredEntry.columns.joined(separator: ", ")) FROM entries \(condition)
      ORDER BY time DESC, sequence DESC LIMIT \(limit + 1)
      """, id.map { [StoredEntry.value(of: $0)] } ?? []
    ) { row throws(HistoryError) in found.append(try stored(row)) }
    guard found.count <= limit else {
      throw .damaged(path: path, reason: "it holds more than \(limit) entries")
    }
    return found
  }

  /// How many entries there may be.
  func limit() throws(HistoryError) -> StoredLimit {
    var rows: [[SQLValue]] = []
    try run("SELECT \(StoredLimit.columns.joined(separator: ", ")) FROM limits LIMIT 2") {
      row throws(HistoryError) in rows.append(row)
    }
    guard rows.count == 1 else { throw .damaged(path: path, reason: "it has no limit of its own") }
    do throws(DamagedRow) {
      return try StoredLimit(values: rows[0])
    } catch {
      throw .damaged(path: path, reason: error.reason)
    }
  }

  /// Says how many entries there may be.
  func write(_ limit: StoredLimit) throws(HistoryError) {
    let places = StoredLimit.columns.map { "\($0) = ?" }.joined(separator: ", ")
    try run("UPDATE limits SET \(places)", limit.values)
  }

  /// Sets how many entries there may be.
  ///
  /// - Returns: the ids of the entries that were too many, oldest first.
  func setLimit(_ limit: Int, removesEntries: Bool) throws(HistoryError) -> [UUID] {
    var stored = try self.limit()
    stored.limit = limit
    let rows = try rows()
    let excess = rows.count - limit
    guard excess <= 0 || removesEntries else {
      throw .moreThan(path: path, limit: limit, count: rows.count)
    }
    let removable = rows.filter { !$0.isFavorite }
    guard excess <= removable.count else { throw .full(path: path, limit: limit) }
    var removed: [UUID] = []
    for row in removable.prefix(max(0, excess)) {
      removed.append(try remove(sequence: row.sequence))
    }
    try write(stored)
    return removed
  }

  /// A row as its short columns tell.
  private struct Row {
    let sequence: Int64
    let id: SQLValue
    let isFavorite: Bool
  }

  /// All rows, oldest first.
  private func rows() throws(HistoryError) -> [Row] {
    var rows: [Row] = []
    try run("SELECT sequence, id, favorite FROM entries ORDER BY time, sequence") {
      row throws(HistoryError) in
      guard case .integer(let sequence) = row[0] else { return }
      rows.append(Row(sequence: sequence, id: row[1], isFavorite: row[2] != .integer(0)))
    }
    return rows
  }

  /// Adds an entry, and removes entries above the limit.
  func add(_ entry: HistoryEntry) throws(HistoryError) -> [UUID] {
    let rows = try rows()
    let id = StoredEntry.value(of: entry.id)
    guard !rows.contains(where: { $0.id == id }) else { throw .taken(path: path, id: entry.id) }
    var stored = try limit()
    let excess = rows.count + 1 - stored.limit
    let removable = rows.filter { !$0.isFavorite }
    guard excess <= removable.count else { throw .full(path: path, limit: stored.limit) }
    var removed: [UUID] = []
    for row in removable.prefix(max(0, excess)) {
      removed.append(try remove(sequence: row.sequence))
    }
    if !removed.isEmpty {
      stored.dropped += removed.count
      try write(stored)
    }
    let last = rows.map(\.sequence).max() ?? 0
    guard last < .max else { throw .damaged(path: path, reason: "its entries cannot be numbered") }
    try insert(StoredEntry(sequence: last + 1, entry: entry))
    return removed
  }

  /// Inserts an entry.
  func insert(_ stored: StoredEntry) throws(HistoryError) {
    let places = Array(repeating: "?", count: StoredEntry.columns.count + 1)
    try run(
      """
      INSERT INTO entries (sequence, \(StoredEntry.columns.joined(separator: ", ")))
      VALUES (\(places.joined(separator: ", ")))
      """, [.integer(stored.sequence)] + stored.values)
  }

  /// Checks and removes an entry; one damaged bit could make a favourite look like none.
  private func remove(sequence: Int64) throws(HistoryError) -> UUID {
    var id: UUID?
    try run(
      "SELECT sequence, \(StoredEntry.columns.joined(separator: ", ")) FROM entries "
        + "WHERE sequence = ?", [.integer(sequence)]
    ) { row throws(HistoryError) in id = try stored(row).entry.id }
    guard let id else { throw .damaged(path: path, reason: "an entry cannot be found again") }
    try run("DELETE FROM entries WHERE sequence = ?", [.integer(sequence)])
    return id
  }

  private func stored(_ row: [SQLValue]) throws(HistoryError) -> StoredEntry {
    guard case .integer(let sequence) = row[0] else {
      throw .damaged(path: path, reason: "a row has no number")
    }
    do throws(DamagedRow) {
      return try StoredEntry(sequence: sequence, values: Array(row[1...]))
    } catch {
      throw .damaged(path: path, reason: error.reason)
    }
  }
}
