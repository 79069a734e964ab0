import Foundation

/// A history of counts in a file.
///
/// It keeps the newest 1,000 counts, or the number of its limit. Favourites are kept until they are
/// no longer favourites.
///
/// ```swift
/// let history = HistoryFile(URL(fileURLWithPath: "history.sqlite"))    // need not be there yet
/// try await history.add(
///   HistoryEntry(
///     time: Date(), count: 24, imageName: "tartlets.jpg", thresholds: ["confidence": 0.2],
///     thumbnail: nil))
/// let newest = try await history.entries().first
/// ```
///
/// Each call opens the file, does its work in one transaction and closes it. So an entry is written
/// completely or not at all, even if the process is killed or the disk is full, and a change is
/// permanent once its call has returned. Any number of processes and tasks may use one file.
/// Changes are made one after the other; readers do not wait for a writing process. Between calls
/// nothing is open, and all data are in one file, which can be copied.
///
/// Each call checks the structure of the whole file, and the checksums of the entries it reads.
/// Damage is an error and never a wrong entry. Only the owner can read the file (mode 600), and
/// deleted data are overwritten. The file is a SQLite database, which other programs can read too.
public struct HistoryFile: HistoryStore {
  /// The default limit of entries.
  public static let usualLimit = 1000
  /// The range of possible limits.
  public static let limits = 1...10_000

  /// The file.
  public let url: URL
  /// How long to retry while other processes change the file, in seconds.
  public let patience: Double

  let path: String
  let schema: HistorySchema

  /// A history at a place, if there need be nothing until an entry is added.
  public init(_ url: URL, patience: Double = 10) {
    self.init(url, patience: patience, schema: .current)
  }

  init(_ url: URL, patience: Double = 10, schema: HistorySchema) {
    self.url = url
    self.patience = patience
    self.schema = schema
    path = url.path
  }

  /// The user's history; nil if there is no place for it.
  ///
  /// It is `tally/history.sqlite` in `XDG_DATA_HOME`, or in `.local/share` of `HOME`. Nil if
  /// neither is an absolute path.
  ///
  /// - Parameter environment: the variables of the process, which this module does not read by
  ///   itself.
  public static func usual(environment: [String: String]) -> HistoryFile? {
    func folder(_ name: String) -> URL? {
      environment[name].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
    }
    let place = folder("XDG_DATA_HOME") ?? folder("HOME")?.appendingPathComponent(".local/share")
    return place.map { HistoryFile($0.appendingPathComponent("tally/history.sqlite")) }
  }

  // MARK: Reading

  /// The entries that a filter includes, newest first; with equal times, the last added first.
  ///
  /// None if there is no file.
  ///
  /// - Throws: ``HistoryError/damaged(path:reason:)`` if any entry is damaged; then nothing is
  ///   returned, see ``salvage(into:)``.
  /// - Complexity: O(*n*) for *n* entries; all are read.
  public func entries(
    matching filter: HistoryFilter = .all
  ) async throws(HistoryError) -> [HistoryEntry] {
    try await read(where: nil).map(\.entry).filter(filter.includes)
  }

  /// The entry with an id, or nil.
  public func entry(_ id: UUID) async throws(HistoryError) -> HistoryEntry? {
    try await read(where: id).first?.entry
  }

  /// The limit of entries, and the number of entries that were removed for newer ones.
  ///
  /// ``usualLimit`` and none if there is no file.
  public func capacity() async throws(HistoryError) -> (limit: Int, dropped: Int) {
    let stored = try await read { database throws(HistoryError) in try database.limit() } ?? .usual
    return (stored.limit, stored.dropped)
  }

  private func read(where id: UUID?) async throws(HistoryError) -> [StoredEntry] {
    try await read { database throws(HistoryError) in try database.entries(id: id) } ?? []
  }

  /// Reads in one transaction, after checking the structure; nil if there is no file or it is
  /// empty.
  private func read<Value: Sendable>(
    _ body: @Sendable (borrowing Database) throws(HistoryError) -> Value
  ) async throws(HistoryError) -> Value? {
    try await patiently { () throws(HistoryError) -> Value? in
      guard let database = try HistoryFiles.opened(path) else { return nil }
      if case .current(let value) = try look(into: database, body) { return value }
      try schema.upgrade(database)
      guard case .current(let value) = try look(into: database, body) else { return nil }
      return value
    }
  }

  /// The state of a file.
  private enum Look<Value: Sendable> {
    /// What was read; nil if nothing is in the file.
    case current(Value?)
    /// The file is of an earlier version.
    case earlier
  }

  private func look<Value>(
    into database: borrowing Database,
    _ body: (borrowing Database) throws(HistoryError) -> Value
  ) throws(HistoryError) -> Look<Value> {
    try database.transaction(changes: false) { database throws(HistoryError) in
      switch try schema.state(of: database) {
      case .empty: return .current(nil)
      case .version(schema.version):
        try database.checkStructure()
        return .current(try body(database))
      case .version: return .earlier
      }
    }
  }

  // MARK: Changing

  /// Adds an entry; if the history is full, removes the oldest one that is not a favourite.
  ///
  /// The new entry itself is never removed, even if it is the oldest. If all others are favourites,
  /// the history does not change.
  ///
  /// - Returns: the ids of the removed entries, oldest first.
  /// - Throws: ``HistoryError/full(path:limit:)``; ``HistoryError/taken(path:id:)`` if there is an
  ///   entry with this id already.
  @discardableResult
  public func add(_ entry: HistoryEntry) async throws(HistoryError) -> [UUID] {
    try await change(makesFile: true) { database throws(HistoryError) in
      try database.add(entry)
    } ?? []
  }

  /// Sets the limit of entries, for all programs that add to this history.
  ///
  /// The file is made if there is none.
  ///
  /// - Parameters:
  ///   - limit: a number of ``limits``.
  ///   - removesEntries: whether to remove the oldest that are not favourites if there are more.
  /// - Returns: the ids of the removed entries, oldest first.
  /// - Throws: ``HistoryError/moreThan(path:limit:count:)`` if there are more and none may be
  ///   removed, ``HistoryError/full(path:limit:)`` if too many are favourites; then nothing is
  ///   changed.
  @discardableResult
  public func setLimit(
    _ limit: Int, removesEntries: Bool = false
  ) async throws(HistoryError) -> [UUID] {
    guard Self.limits.contains(limit) else {
      throw .outOfRange(
        name: "the limit", value: "\(limit)",
        range: "from \(Self.limits.lowerBound) to \(Self.limits.upperBound)")
    }
    return try await change(makesFile: true) { database throws(HistoryError) in
      try database.setLimit(limit, removesEntries: removesEntries)
    } ?? []
  }

  /// Makes an entry a favourite, or one no more.
  ///
  /// - Returns: whether there is such an entry.
  @discardableResult
  public func setFavorite(_ isFavorite: Bool, _ id: UUID) async throws(HistoryError) -> Bool {
    try await update(id) { $0.isFavorite = isFavorite }
  }

  /// Sets the person's count of an entry, or removes it with nil.
  ///
  /// - Parameters:
  ///   - count: 0 to 1,000,000,000; nil for none.
  ///   - id: the id of the entry.
  /// - Returns: whether there is such an entry.
  /// - Throws: ``HistoryError/outOfRange(name:value:range:)``.
  @discardableResult
  public func setCorrectedCount(_ count: Int?, _ id: UUID) async throws(HistoryError) -> Bool {
    if let count { try HistoryEntry.check(correctedCount: count) }
    return try await update(id) { $0.correctedCount = count }
  }

  /// Changes an entry in its place.
  private func update(
    _ id: UUID, _ body: @Sendable (inout HistoryEntry) -> Void
  ) async throws(HistoryError) -> Bool {
    try await change { database throws(HistoryError) in
      guard var stored = try database.entries(id: id).first else { return false }
      body(&stored.entry)
      try database.run(
        "UPDATE entries SET favorite = ?, corrected = ?, checksum = ? WHERE sequence = ?",
        [
          .integer(stored.entry.isFavorite ? 1 : 0),
          StoredEntry.value(of: stored.entry.correctedCount), .integer(stored.checksum),
          .integer(stored.sequence),
        ])
      return true
    } ?? false
  }

  /// Removes an entry, favourite or not.
  ///
  /// - Returns: whether there was such an entry.
  @discardableResult
  public func remove(_ id: UUID) async throws(HistoryError) -> Bool {
    try await change { database throws(HistoryError) in
      try database.run("DELETE FROM entries WHERE id = ?", [StoredEntry.value(of: id)])
      return database.changes > 0
    } ?? false
  }

  /// Removes all entries, favourites too; the limit stays.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public func removeAll() async throws(HistoryError) -> Int {
    try await change { database throws(HistoryError) in
      // With a condition rows are deleted one by one, and counted.
      try database.run("DELETE FROM entries WHERE true")
      let count = database.changes
      var stored = try database.limit()
      stored.dropped = 0
      try database.write(stored)
      return count
    } ?? 0
  }

  /// Makes a change in one transaction; nil if there is no file and none should be made.
  func change<Value: Sendable>(
    makesFile: Bool = false,
    _ body: @Sendable (borrowing Database) throws(HistoryError) -> Value
  ) async throws(HistoryError) -> Value? {
    try await patiently { () throws(HistoryError) -> Value? in
      if makesFile { try HistoryFiles.make(path) }
      guard let database = try HistoryFiles.opened(path) else { return nil }
      if !makesFile, try schema.stateByItself(of: database) == .empty { return nil }
      try database.prepareToWrite()
      try schema.upgrade(database)
      return try database.transaction(changes: true) { database throws(HistoryError) in
        // A later version of this program may have come in between.
        _ = try schema.state(of: database)
        try database.checkStructure()
        return try body(database)
      }
    }
  }

  // MARK: Waiting

  /// Tries until no other process is in the way, or patience is at its end.
  func patiently<Value: Sendable>(
    _ body: @Sendable () throws(HistoryError) -> Value
  ) async throws(HistoryError) -> Value {
    var tries = Int((max(0, min(patience, 1e6)) / Self.pause).rounded(.up))
    while true {
      if Task.isCancelled { throw .cancelled }
      do throws(HistoryError) {
        return try HistoryFiles.inTurn(body)
      } catch {
        guard case .locked = error, tries > 0 else { throw error }
        tries -= 1
      }
      // Other tasks go on meanwhile. A task that is cancelled wakes at once, and is found out
      // above.
      try? await Task.sleep(nanoseconds: UInt64(Self.pause * 1e9))
    }
  }

  private static let pause = 0.005
}
