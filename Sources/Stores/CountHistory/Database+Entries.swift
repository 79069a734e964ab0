import Foundation

// What is done with the entries inside a transaction.

extension Database {
  /// Says how a file is written.
  func prepareToWrite() throws(HistoryError) {
    // Readers go on while one writes. A file system that cannot do it keeps the journal of old.
    try run("PRAGMA journal_mode = WAL")
    // A commit is on the disk when it returns.
    try run("PRAGMA synchronous = FULL")
    // The log never grows beyond a few entries, and what is deleted is gone.
    try run("PRAGMA wal_autocheckpoint = 64")
    try run("PRAGMA secure_delete = ON")
  }

  /// Fails where the file is not built as a database has to be.
  ///
  /// SQLite looks only at the pages it needs: of a damaged one, rows could be missing unnoticed.
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
    var found: [StoredEntry] = []
    let condition = id == nil ? "" : "WHERE id = ?"
    try run(
      """
      SELECT sequence, \(StoredEntry.columns.joined(separator: ", ")) FROM entries \(condition)
      ORDER BY time DESC, sequence DESC LIMIT \(HistoryFile.capacity + 1)
      """, id.map { [StoredEntry.value(of: $0)] } ?? []
    ) { row throws(HistoryError) in found.append(try stored(row)) }
    guard found.count <= HistoryFile.capacity else {
      throw .damaged(path: path, reason: "it holds more than \(HistoryFile.capacity) entries")
    }
    return found
  }

  /// Adds an entry, and removes as many as are too many.
  func add(_ entry: HistoryEntry) throws(HistoryError) -> [UUID] {
    var count = 0
    var last: Int64 = 0
    var isTaken = false
    var removable: [Int64] = []
    try run("SELECT sequence, id, favorite FROM entries ORDER BY time, sequence") {
      row throws(HistoryError) in
      guard case .integer(let sequence) = row[0] else { return }
      count += 1
      last = max(last, sequence)
      if row[1] == StoredEntry.value(of: entry.id) { isTaken = true }
      if row[2] == .integer(0) { removable.append(sequence) }
    }
    guard !isTaken else { throw .taken(path: path, id: entry.id) }
    let excess = count + 1 - HistoryFile.capacity
    guard excess <= removable.count else { throw .full(path: path) }
    var removed: [UUID] = []
    for sequence in removable.prefix(max(0, excess)) {
      removed.append(try remove(sequence: sequence))
    }
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

  /// Removes an entry after a look at whether it is what it seems: one bit makes a favourite none.
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
