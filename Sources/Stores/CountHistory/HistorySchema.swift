import Foundation

/// What the tables of a history are, and how those of earlier versions become it.
///
/// A file is at version *n* when the first *n* steps were made in it. The number is in its header
/// (`user_version`), which a step changes in the same transaction as the tables: a process killed
/// half-way leaves the version that was there.
struct HistorySchema: Sendable {
  /// The statements that lead from each version to the next, from an empty file on.
  let steps: [[String]]

  /// The version that all steps lead to.
  var version: Int { steps.count }

  /// The steps of this version of the module.
  static let current = HistorySchema(steps: [
    [
      // No index, because there are few entries, and an index could be damaged.
      // Short columns come first, so that searching for an id reads no thumbnails.
      """
      CREATE TABLE entries (
        sequence INTEGER PRIMARY KEY, id BLOB NOT NULL, time INTEGER NOT NULL,
        count INTEGER NOT NULL, favorite INTEGER NOT NULL, name TEXT, thresholds TEXT NOT NULL,
        thumbnail BLOB, checksum INTEGER NOT NULL)
      """
    ],
    [
      // A column that is added reads as NULL in old rows; the rows themselves do not change.
      "ALTER TABLE entries ADD COLUMN folder TEXT",
      "ALTER TABLE entries ADD COLUMN corrected INTEGER",
      "ALTER TABLE entries ADD COLUMN least INTEGER",
      "ALTER TABLE entries ADD COLUMN greatest INTEGER",
      """
      CREATE TABLE limits (
        row INTEGER PRIMARY KEY, capacity INTEGER NOT NULL, dropped INTEGER NOT NULL,
        checksum INTEGER NOT NULL)
      """,
      """
      INSERT INTO limits VALUES (
        1, \(StoredLimit.usual.limit), \(StoredLimit.usual.dropped), \(StoredLimit.usual.checksum))
      """,
    ],
  ])

  /// The tables of a version, in the order in which they are made.
  private static func tables(ofVersion version: Int64) -> [String] {
    version == 1 ? ["entries"] : ["entries", "limits"]
  }

  /// Marks the file as a history: "Taly" as a big-endian number.
  static let applicationID: Int64 = 0x5461_6C79
  /// The size of pages, which ``DatabasePages`` falls back on if the file does not tell.
  static let pageSize = 4096
  /// More than 10,000 of the largest entries need, so a larger file is not a history.
  static let largestFile = 2 << 30

  /// How far a file is.
  enum State: Equatable {
    /// Nothing is in it: it was just made.
    case empty
    /// The number of steps that were made.
    case version(Int)
  }

  /// Looks at a file in a transaction of its own.
  func stateByItself(of database: borrowing Database) throws(HistoryError) -> State {
    try database.transaction(changes: false) { database throws(HistoryError) in
      try state(of: database)
    }
  }

  /// Reads the state of a file with any tables.
  ///
  /// It must run inside a transaction, because another process may make the tables meanwhile.
  ///
  /// - Throws: ``HistoryError/notAHistory(path:reason:)`` for the database of another program,
  ///   ``HistoryError/fromTheFuture(path:version:)``.
  func state(of database: borrowing Database) throws(HistoryError) -> State {
    let application = try database.value("PRAGMA application_id")
    let version = try database.value("PRAGMA user_version")
    var objects: [[SQLValue]] = []
    try database.run("SELECT type, name FROM sqlite_schema LIMIT 10") {
      row throws(HistoryError) in objects.append(row)
    }
    if application == .integer(0), version == .integer(0), objects.isEmpty { return .empty }
    guard application == .integer(Self.applicationID) else {
      throw .notAHistory(path: database.path, reason: "it is the database of another program")
    }
    guard case .integer(let number) = version, number >= 1 else {
      throw .damaged(path: database.path, reason: "it names no version")
    }
    guard number <= self.version else {
      throw .fromTheFuture(path: database.path, version: Int(number))
    }
    // Other objects, such as triggers, would run during reads and writes. No version makes any.
    guard objects == Self.tables(ofVersion: number).map({ [.text("table"), .text($0)] }) else {
      throw .damaged(path: database.path, reason: "it holds other tables than a history's")
    }
    return .version(Int(number))
  }

  /// Makes all steps that were not made yet.
  func upgrade(_ database: borrowing Database) throws(HistoryError) {
    guard try stateByItself(of: database) != .version(version) else { return }
    try database.run("PRAGMA page_size = \(Self.pageSize)")
    try database.transaction(changes: true) { database throws(HistoryError) in
      // Another process may have been quicker.
      let done =
        switch try state(of: database) {
        case .empty: 0
        case .version(let version): version
        }
      for statement in steps[done...].joined() { try database.run(statement) }
      try database.run("PRAGMA application_id = \(Self.applicationID)")
      try database.run("PRAGMA user_version = \(version)")
    }
  }
}
