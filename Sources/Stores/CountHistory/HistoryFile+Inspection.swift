/// What is in the file of a history, for a program that only says so.
package enum HistoryInspection: Equatable, Sendable {
  /// There is no file, or nothing is in it.
  case empty
  /// The file is whole, and has this number of entries.
  case entries(Int)
  /// An earlier version of this program made the file; the next use converts it.
  case earlier
  /// Changes wait in a file beside it: a process is making them, or was killed.
  case unfinished
}

extension HistoryFile {
  /// Looks at the file without changing it, and without making any file beside it.
  ///
  /// Other calls finish what a killed process began, and convert a file of an earlier version. This
  /// one only says that there is something to do.
  ///
  /// - Throws: ``HistoryError``, as ``entries(matching:)``.
  package func inspected() throws(HistoryError) -> HistoryInspection {
    try HistoryFiles.inTurn { () throws(HistoryError) in
      for ending in ["-journal", "-wal"] where (try HistoryFiles.size(path + ending) ?? 0) > 0 {
        return .unfinished
      }
      guard let database = try HistoryFiles.opened(path, isLookedAt: true) else { return .empty }
      return try database.transaction(changes: false) { database throws(HistoryError) in
        switch try schema.state(of: database) {
        case .empty: return .empty
        case .version(schema.version):
          try database.checkStructure()
          return .entries(try database.entries().count)
        case .version: return .earlier
        }
      }
    }
  }
}
