import Foundation
import NearestNeighbors

/// Finds the entries of an index that are nearest to a query.
///
/// ```swift
/// let index = try SimilarityReader(folder: folder)
/// let nearest = try index.search(embedding, k: 10) { entry in
///   try entry.text()?.hasPrefix("shelf 3") ?? false
/// }
/// ```
///
/// A reader has the index as of the last commit when it was opened. It keeps that state in spite of
/// later changes by writers, including compaction. It takes no lock. Any number of threads may use
/// it at a time.
///
/// Rows and payloads are mapped, not read: opening reads only the log, 64 bytes per entry.
public final class SimilarityReader: Sendable {
  /// The folder.
  public let url: URL
  /// What the vectors are.
  public let layout: VectorLayout
  /// When the graph is used, and how.
  public let options: SimilarityOptions

  let files: IndexFiles
  let checks: RowChecks
  let graph: LazyGraph
  private let ids = LazyIDs()

  /// Opens an index.
  ///
  /// - Complexity: O(*n*) for *n* entries added or removed since the last compaction.
  /// - Throws: ``SimilarityIndexError``.
  public init(
    folder: URL, options: SimilarityOptions = .standard
  ) throws(SimilarityIndexError) {
    files = try IndexFiles(path: folder.path)
    url = folder
    layout = files.header.layout
    self.options = options
    checks = RowChecks(rows: files.state.rowCount)
    graph = LazyGraph(of: files)
  }

  /// How many entries there are.
  public var count: Int { files.state.liveCount }

  /// The number of the commit that is read; it counts up by one with every commit.
  public var commit: UInt64 { files.state.commit.number }

  /// The entry with an id, or nil.
  ///
  /// - Complexity: O(1), but O(*n*) the first time.
  /// - Throws: ``SimilarityIndexError``.
  public func entry(_ id: UUID) throws(SimilarityIndexError) -> SimilarityEntry? {
    try ids.row(of: id, in: files).map { SimilarityEntry(files: files, row: $0) }
  }

  /// Calls `body` with every entry, in the order they were added.
  public func forEachEntry(_ body: (SimilarityEntry) throws -> Void) rethrows {
    for row in 0..<files.state.rowCount where files.state.isLive[row] {
      try body(SimilarityEntry(files: files, row: row))
    }
  }

  /// Looks at every vector and payload that an entry has, and at the graph.
  ///
  /// - Complexity: O(*b*) for *b* bytes.
  /// - Throws: ``SimilarityIndexError/damaged(path:offset:reason:)`` for the first that is damaged.
  public func verify() throws(SimilarityIndexError) {
    try checks.check(from: 0, of: files)
    _ = try files.rowOfID()
    for row in 0..<files.state.rowCount where files.state.isLive[row] {
      _ = try files.payload(inRow: row)
    }
    try graph.verify(for: self)
  }
}

/// An entry of an index that is open.
public struct SimilarityEntry: Sendable {
  let files: IndexFiles
  let row: Int

  /// Its id.
  public var id: UUID { files.id(inRow: row) }

  /// How many bytes its payload has, which costs less than the payload.
  public var payloadByteCount: Int { files.addition(inRow: row).payloadLength }

  /// Its payload, with its checksum checked.
  ///
  /// - Throws: ``SimilarityIndexError/damaged(path:offset:reason:)``.
  public func payload() throws(SimilarityIndexError) -> Data { try files.payload(inRow: row) }

  /// Its payload as text, or nil if that is not UTF-8.
  ///
  /// - Throws: as ``payload()``.
  public func text() throws(SimilarityIndexError) -> String? {
    String(data: try payload(), encoding: .utf8)
  }

  /// Its vector, as precise as the index keeps it; under the cosine its length is 1.
  ///
  /// - Throws: as ``payload()``.
  public func vector() throws(SimilarityIndexError) -> [Float] {
    if let fault = files.fault(inRow: row) { throw fault }
    guard let base = files.row(row).baseAddress else { return [] }
    return files.header.layout.decode(base)
  }
}

/// Which rows are known to be undamaged.
final class RowChecks: @unchecked Sendable {
  // Safe to share: the lock guards the one variable.
  private let lock = NSLock()
  /// All from here on are.
  private var checkedFrom: Int

  init(rows: Int) { checkedFrom = rows }

  /// Looks at all entries' rows from one on, unless that was done before.
  func check(from first: Int, of files: IndexFiles) throws(SimilarityIndexError) {
    lock.lock()
    defer { lock.unlock() }
    guard first < checkedFrom else { return }
    for row in first..<checkedFrom where files.state.isLive[row] {
      if let fault = files.fault(inRow: row) { throw fault }
    }
    checkedFrom = first
  }
}

/// The rows of ids, found when they are first asked for.
private final class LazyIDs: @unchecked Sendable {
  // Safe to share: the lock guards the one variable.
  private let lock = NSLock()
  private var rows: [UUID: Int]?

  func row(of id: UUID, in files: IndexFiles) throws(SimilarityIndexError) -> Int? {
    lock.lock()
    defer { lock.unlock() }
    if let rows { return rows[id] }
    let found = try files.rowOfID()
    rows = found
    return found[id]
  }
}
