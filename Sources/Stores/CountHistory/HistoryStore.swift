import Foundation

/// A place that keeps counts, the newest of them and the favourites.
///
/// ``HistoryFile`` keeps them in a file, and ``MemoryHistory`` in memory. An app may keep them
/// elsewhere, such as in Core Data or iCloud.
public protocol HistoryStore: Sendable {
  /// The entries that a filter includes, newest first; with equal times, the last added first.
  func entries(matching filter: HistoryFilter) async throws -> [HistoryEntry]

  /// The entry with an id, or nil.
  func entry(_ id: UUID) async throws -> HistoryEntry?

  /// Adds an entry; if the history is full, removes the oldest one that is not a favourite.
  ///
  /// - Returns: the ids of the removed entries, oldest first.
  /// - Throws: an error if there is an entry with this id already, or all others are favourites.
  @discardableResult
  func add(_ entry: HistoryEntry) async throws -> [UUID]

  /// Makes an entry a favourite, or one no more.
  ///
  /// - Returns: whether there is such an entry.
  @discardableResult
  func setFavorite(_ isFavorite: Bool, _ id: UUID) async throws -> Bool

  /// Sets the person's count of an entry, or removes it with nil.
  ///
  /// - Returns: whether there is such an entry.
  @discardableResult
  func setCorrectedCount(_ count: Int?, _ id: UUID) async throws -> Bool

  /// Removes an entry, favourite or not.
  ///
  /// - Returns: whether there was such an entry.
  @discardableResult
  func remove(_ id: UUID) async throws -> Bool

  /// Removes all entries, favourites too.
  ///
  /// - Returns: how many there were.
  @discardableResult
  func removeAll() async throws -> Int
}

/// A history in memory, for tests and for sessions that leave nothing behind.
///
/// It keeps and removes what a ``HistoryFile`` with the same limit does. Errors name the path
/// `memory`.
public actor MemoryHistory: HistoryStore {
  /// The greatest number of entries.
  public let limit: Int
  /// In the order in which they were added.
  private var kept: [HistoryEntry] = []

  /// Makes an empty history.
  ///
  /// - Parameter limit: a number of ``HistoryFile/limits``; one outside is taken for the nearest.
  public init(limit: Int = HistoryFile.usualLimit) {
    self.limit = min(max(limit, HistoryFile.limits.lowerBound), HistoryFile.limits.upperBound)
  }

  /// The entries that a filter includes, newest first; with equal times, the last added first.
  public func entries(matching filter: HistoryFilter = .all) -> [HistoryEntry] {
    newestFirst.map { kept[$0] }.filter(filter.includes)
  }

  /// The entry with an id, or nil.
  public func entry(_ id: UUID) -> HistoryEntry? { kept.first { $0.id == id } }

  /// Adds an entry; if the history is full, removes the oldest one that is not a favourite.
  ///
  /// - Returns: the ids of the removed entries, oldest first.
  /// - Throws: ``HistoryError/full(path:limit:)``; ``HistoryError/taken(path:id:)``.
  @discardableResult
  public func add(_ entry: HistoryEntry) throws(HistoryError) -> [UUID] {
    guard self.entry(entry.id) == nil else { throw .taken(path: "memory", id: entry.id) }
    var removed: [UUID] = []
    if kept.count >= limit {
      guard let oldest = newestFirst.last(where: { !kept[$0].isFavorite }) else {
        throw .full(path: "memory", limit: limit)
      }
      removed.append(kept.remove(at: oldest).id)
    }
    kept.append(entry)
    return removed
  }

  /// Makes an entry a favourite, or one no more.
  @discardableResult
  public func setFavorite(_ isFavorite: Bool, _ id: UUID) -> Bool {
    update(id) { $0.isFavorite = isFavorite }
  }

  /// Sets the person's count of an entry, or removes it with nil.
  ///
  /// - Parameters:
  ///   - count: 0 to 1,000,000,000; nil for none.
  ///   - id: the id of the entry.
  /// - Throws: ``HistoryError/outOfRange(name:value:range:)``.
  @discardableResult
  public func setCorrectedCount(_ count: Int?, _ id: UUID) throws(HistoryError) -> Bool {
    if let count { try HistoryEntry.check(correctedCount: count) }
    return update(id) { $0.correctedCount = count }
  }

  /// Removes an entry, favourite or not.
  @discardableResult
  public func remove(_ id: UUID) -> Bool {
    let before = kept.count
    kept.removeAll { $0.id == id }
    return kept.count < before
  }

  /// Removes all entries, favourites too.
  @discardableResult
  public func removeAll() -> Int {
    defer { kept = [] }
    return kept.count
  }

  /// The places of the entries, newest first.
  private var newestFirst: [Int] {
    kept.indices.sorted { (kept[$0].time, $0) > (kept[$1].time, $1) }
  }

  private func update(_ id: UUID, _ body: (inout HistoryEntry) -> Void) -> Bool {
    guard let place = kept.firstIndex(where: { $0.id == id }) else { return false }
    body(&kept[place])
    return true
  }
}
