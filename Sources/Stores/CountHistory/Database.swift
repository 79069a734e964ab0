import CSQLite
import Foundation

/// A value in a column.
enum SQLValue: Equatable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  /// The text of some bytes; bytes that are not UTF-8 stay bytes.
  init(utf8 bytes: Data) {
    let text = String(decoding: bytes, as: UTF8.self)
    self = text.utf8.elementsEqual(bytes) ? .text(text) : .blob(bytes)
  }
}

/// A connection to a database file, closed with the value.
///
/// It never waits: if another connection blocks it, it throws ``HistoryError/locked(path:)``, and
/// the caller decides how long to try.
struct Database: ~Copyable {
  /// How a file is opened.
  enum Access {
    /// For reading, and for writing if that is allowed.
    case shared
    /// For reading a file that cannot be written, and beside which no file can be made.
    case frozen
  }

  let path: String
  private let handle: OpaquePointer

  /// Opens a file that is there.
  init(_ path: String, _ access: Access) throws(HistoryError) {
    var handle: OpaquePointer?
    let code =
      switch access {
      case .shared:
        sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
      case .frozen:
        sqlite3_open_v2(
          Self.frozenName(path), &handle,
          SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
      }
    guard let handle else { throw .unreadable(path: path, reason: "there is no memory") }
    guard code == SQLITE_OK else {
      let error = Self.error(sqlite3_extended_errcode(handle), of: handle, path)
      sqlite3_close_v2(handle)
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    self.path = path
    self.handle = handle
  }

  deinit { sqlite3_close_v2(handle) }

  /// SQLite's address of an immutable file.
  private static func frozenName(_ path: String) -> String {
    "file:\(path.unicodeScalars.map(escaped).joined())?immutable=1"
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    "%?#".unicodeScalars.contains(scalar)
      ? "%\(String(scalar.value, radix: 16))" : String(scalar)
  }

  // MARK: Statements

  /// Runs a statement, and calls `body` with the values of each row.
  func run(
    _ sql: String, _ values: [SQLValue] = [],
    _ body: ([SQLValue]) throws(HistoryError) -> Void = { _ throws(HistoryError) in }
  ) throws(HistoryError) {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    defer { sqlite3_finalize(statement) }
    for (place, value) in values.enumerated() {
      try check(bind(value, to: statement, Int32(place + 1)))
    }
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        if code == SQLITE_DONE { return }
        throw Self.error(code, of: handle, path)
      }
      try body((0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) })
    }
  }

  /// The first value of the first row.
  func value(_ sql: String) throws(HistoryError) -> SQLValue {
    var found: SQLValue?
    try run(sql) { row throws(HistoryError) in found = found ?? row.first }
    return found ?? .null
  }

  /// How many rows the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// Runs `body` in a transaction, which holds whole or not at all.
  ///
  /// - Parameter changes: whether it writes; only one connection can at a time.
  func transaction<Value>(
    changes: Bool, _ body: (borrowing Database) throws(HistoryError) -> Value
  ) throws(HistoryError) -> Value {
    try run(changes ? "BEGIN IMMEDIATE" : "BEGIN")
    do throws(HistoryError) {
      let value = try body(self)
      try run("COMMIT")
      return value
    } catch {
      // Some errors have ended the transaction already.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  private func bind(_ value: SQLValue, to statement: OpaquePointer?, _ place: Int32) -> Int32 {
    // Bytes are copied while they are there: -1 stands for that, as a macro that Swift does not
    // see.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: return sqlite3_bind_null(statement, place)
    case .integer(let value): return sqlite3_bind_int64(statement, place, value)
    case .real(let value): return sqlite3_bind_double(statement, place, value)
    case .text(let text):
      // With the length, as a text may hold a zero.
      return sqlite3_bind_text(statement, place, text, Int32(text.utf8.count), copied)
    case .blob(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, place, 0) }
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob(statement, place, $0.baseAddress, Int32($0.count), copied)
      }
    }
  }

  private static func value(_ statement: OpaquePointer?, _ column: Int32) -> SQLValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let text = sqlite3_column_text(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      return SQLValue(utf8: text.map { Data(bytes: $0, count: count) } ?? Data())
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      return .blob(bytes.map { Data(bytes: $0, count: count) } ?? Data())
    default: return .null
    }
  }

  // MARK: Errors

  private func check(_ code: Int32) throws(HistoryError) {
    guard code == SQLITE_OK else { throw Self.error(code, of: handle, path) }
  }

  private static func error(_ code: Int32, of handle: OpaquePointer, _ path: String) -> HistoryError
  {
    // SQLite keeps the system's number of some failed calls only; nothing was called since.
    let last = code & 0xFF == SQLITE_IOERR ? errno : 0
    let kept = sqlite3_system_errno(handle)
    let number = kept == 0 ? last : kept
    let message = line(String(cString: sqlite3_errmsg(handle)))
    let reason = number == 0 ? message : String(cString: strerror(number))
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .locked(path: path)
    case SQLITE_FULL: return .noSpace(path: path)
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      if [ENOSPC, EDQUOT, EFBIG].contains(number) { return .noSpace(path: path) }
      return Self.codesOfReading.contains(code)
        ? .unreadable(path: path, reason: reason) : .unwritable(path: path, reason: reason)
    case SQLITE_READONLY, SQLITE_PERM: return .unwritable(path: path, reason: reason)
    case SQLITE_NOTADB: return .notAHistory(path: path, reason: "it is not a SQLite database")
    // A statement that cannot be understood: a table or a column is not there.
    case SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_FORMAT:
      return .damaged(path: path, reason: message)
    default: return .unreadable(path: path, reason: message)
    }
  }

  /// `SQLITE_IOERR_READ` and `SQLITE_IOERR_SHORT_READ`, which are macros of more than a number.
  private static let codesOfReading = [1, 2].map { SQLITE_IOERR | $0 << 8 }

  /// A message on one line.
  static func line(_ message: String) -> String {
    message.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
