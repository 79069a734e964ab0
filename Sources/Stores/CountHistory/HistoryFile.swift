import Foundation

/// A history of counts in a file: the newest 100, and favourites among them for as long as they are.
///
/// ```swift
/// let history = HistoryFile(url)                      // need not be there yet
/// try await history.add(
///   HistoryEntry(
///     time: now, count: result.count, imageName: "tartlets.jpg", thresholds: configuration,
///     thumbnail: jpeg))
/// for entry in try await history.entries() { ... }    // newest first
/// ```
///
/// Each call opens the file, does its work in one transaction and closes it: an entry is there whole
/// or not at all, at whatever moment a process is killed or the disk is full, and what a call has
/// returned from stays. Any number of processes and tasks may use one file; those that change it do
/// so one after the other; readers do not wait for another process that writes. Between calls nothing
/// is open and all is in one file, which can be copied.
///
/// Each call looks at all of the file's structure, and what it reads has to match its checksum:
/// damage is an error and never a wrong entry. The file is the owner's alone (mode 600), and what is
/// deleted is overwritten in it. It is a database of SQLite, in which other programs can look too.
public struct HistoryFile: Sendable {
  /// The most entries that there are.
  public static let capacity = 100

  /// The file.
  public let url: URL
  /// How long to try where other processes change the file, in seconds.
  public let patience: Double

  let path: String
  let schema: HistorySchema

  /// A history at a place, where there need be nothing until an entry is added.
  public init(_ url: URL, patience: Double = 10) {
    self.init(url, patience: patience, schema: .current)
  }

  init(_ url: URL, patience: Double = 10, schema: HistorySchema) {
    self.url = url
    self.patience = patience
    self.schema = schema
    path = url.path
  }

  /// Where a user's history is: `tally/history.sqlite` in `XDG_DATA_HOME`, or in `.local/share` of
  /// `HOME`; nil where neither is an absolute path.
  ///
  /// - Parameter environment: the variables of the process, which this module does not read by itself.
  public static func usual(environment: [String: String]) -> HistoryFile? {
    func folder(_ name: String) -> URL? {
      environment[name].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
    }
    let place = folder("XDG_DATA_HOME") ?? folder("HOME")?.appendingPathComponent(".local/share")
    return place.map { HistoryFile($0.appendingPathComponent("tally/history.sqlite")) }
  }

  // MARK: Reading

  /// The entries that a filter includes, newest first; of the same time, the last added first.
  ///
  /// None where there is no file.
  ///
  /// - Throws: ``HistoryError/damaged(path:reason:)`` where not all can be read as it was written,
  ///   and then nothing is returned; see ``salvage(into:)``.
  /// - Complexity: O(*n*) for *n* entries, all of which are read.
  public func entries(
    matching filter: HistoryFilter = .all
  ) async throws(HistoryError) -> [HistoryEntry] {
    try await read(where: nil).map(\.entry).filter(filter.includes)
  }

  /// The entry with an id, or nil.
  public func entry(_ id: UUID) async throws(HistoryError) -> HistoryEntry? {
    try await read(where: id).first?.entry
  }

  private func read(where id: UUID?) async throws(HistoryError) -> [StoredEntry] {
    try await patiently { () throws(HistoryError) -> [StoredEntry] in
      guard let database = try HistoryFiles.opened(path) else { return [] }
      if let found = try current(in: database, id: id) { return found }
      try schema.upgrade(database)
      return try current(in: database, id: id) ?? []
    }
  }

  /// The entries; nil where the file is of an earlier version.
  private func current(
    in database: borrowing Database, id: UUID?
  ) throws(HistoryError) -> [StoredEntry]? {
    try database.transaction(changes: false) { database throws(HistoryError) in
      switch try schema.state(of: database) {
      case .empty: return []
      case .version(schema.version):
        try database.checkStructure()
        return try database.entries(id: id)
      case .version: return nil
      }
    }
  }

  // MARK: Changing

  /// Adds an entry, and where there are 100 already removes the oldest that is no favourite.
  ///
  /// The entry itself is never the one that is removed, old as it may be. Where all 100 are
  /// favourites, nothing is added and nothing lost.
  ///
  /// - Returns: the ids of the entries that made room, oldest first.
  /// - Throws: ``HistoryError/full(path:)``; ``HistoryError/taken(path:id:)`` where there is an entry
  ///   with this id already.
  @discardableResult
  public func add(_ entry: HistoryEntry) async throws(HistoryError) -> [UUID] {
    try await change(makesFile: true) { database throws(HistoryError) in
      try database.add(entry)
    } ?? []
  }

  /// Makes an entry a favourite, or one no more.
  ///
  /// - Returns: whether there is such an entry.
  @discardableResult
  public func setFavorite(_ isFavorite: Bool, _ id: UUID) async throws(HistoryError) -> Bool {
    try await change { database throws(HistoryError) in
      guard var stored = try database.entries(id: id).first else { return false }
      stored.entry.isFavorite = isFavorite
      try database.run(
        "UPDATE entries SET favorite = ?, checksum = ? WHERE sequence = ?",
        [
          .integer(isFavorite ? 1 : 0), .integer(stored.checksum), .integer(stored.sequence),
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

  /// Removes all entries, favourites too.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public func removeAll() async throws(HistoryError) -> Int {
    try await change { database throws(HistoryError) in
      // With a condition rows are deleted one by one, and counted.
      try database.run("DELETE FROM entries WHERE true")
      return database.changes
    } ?? 0
  }

  /// Does a change in one transaction; nil where there is no file and none is to be made.
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
      // Other tasks go on meanwhile. A task that is cancelled wakes at once, and is found out above.
      try? await Task.sleep(nanoseconds: UInt64(Self.pause * 1e9))
    }
  }

  private static let pause = 0.005
}
