import Foundation
import NearestNeighbors

/// Adds entries to an index and removes them.
///
/// ```swift
/// let folder = URL(fileURLWithPath: "photos.index")
/// let writer = try SimilarityWriter(creating: folder, dimension: 512)
/// try writer.add(id: UUID(), vector: embedding, payload: "shelf 3")
/// try writer.commit()                    // on the disk when it returns
/// ```
///
/// Committed changes survive a killed process and a loss of power. Uncommitted changes are lost as
/// a whole, and are never read back. One writer at a time may have an index open; any number of
/// ``SimilarityReader``s may read it meanwhile, in any process.
///
/// If something cannot be written, all changes since the last commit are dropped, and the writer
/// can continue. Only a commit that failed in its last step closes the writer; whether that commit
/// holds is known when the index is opened again.
///
/// Calls from several threads take turns.
public final class SimilarityWriter: @unchecked Sendable {
  // Safe to share: the lock guards `core`, everything else is constant.

  /// The most bytes that a payload may have: 1 GiB.
  public static let largestPayload = 1 << 30

  /// The folder.
  public let url: URL
  /// What the vectors are.
  public let layout: VectorLayout
  /// When there is a graph, and how it is made.
  public let options: SimilarityOptions

  private let lock = NSLock()
  private var core: WriterCore?

  /// Makes an index in a new folder.
  ///
  /// - Parameters:
  ///   - folder: a path at which there is nothing yet, or an empty folder.
  ///   - dimension: the number of values of each vector, 1 to 65,536.
  ///   - metric: the metric of the distances.
  ///   - precision: the number type of stored values.
  ///   - options: the options of the graph.
  /// - Throws: ``SimilarityIndexError``.
  public init(
    creating folder: URL, dimension: Int, metric: VectorMetric = .cosine,
    precision: VectorPrecision = .float32, options: SimilarityOptions = .standard
  ) throws(SimilarityIndexError) {
    layout = try Self.layout(dimension: dimension, metric: metric, precision: precision)
    url = folder
    self.options = options
    core = try WriterCore(creating: folder.path, layout: layout)
  }

  /// Opens an index that is there.
  ///
  /// What a writer that was stopped left behind is cut off. `options` are of this writer alone:
  /// they are not kept in the index.
  ///
  /// - Throws: ``SimilarityIndexError``, ``SimilarityIndexError/locked(path:)`` if another writer
  ///   has it open.
  public init(
    opening folder: URL, options: SimilarityOptions = .standard
  ) throws(SimilarityIndexError) {
    let core = try WriterCore(opening: folder.path)
    layout = core.layout
    url = folder
    self.options = options
    self.core = core
  }

  static func layout(
    dimension: Int, metric: VectorMetric, precision: VectorPrecision
  ) throws(SimilarityIndexError) -> VectorLayout {
    let range = IndexFormat.dimensions
    guard range.contains(dimension),
      let layout = try? VectorLayout(dimension: dimension, precision: precision, metric: metric)
    else {
      throw .outOfRange(
        name: "the dimension", value: dimension,
        range: "from \(range.lowerBound) to \(range.upperBound)")
    }
    return layout
  }

  // MARK: Changing

  /// Adds an entry, or replaces the one with that id.
  ///
  /// - Parameters:
  ///   - id: the id of the entry.
  ///   - vector: finite values, one per dimension of the index; for the cosine metric not all zero.
  ///   - payload: any data of the entry.
  /// - Throws: ``SimilarityIndexError``. After an error of the vector or the payload nothing has
  ///   changed; after any other error, all changes since the last commit are dropped.
  public func add(id: UUID, vector: [Float], payload: Data = Data()) throws(SimilarityIndexError) {
    try add(ids: [id], values: vector, payloads: [payload])
  }

  /// Adds an entry with a text, kept as UTF-8, or replaces the one with that id.
  ///
  /// - Throws: as for a payload of bytes.
  public func add(id: UUID, vector: [Float], payload: String) throws(SimilarityIndexError) {
    try add(id: id, vector: vector, payload: Data(payload.utf8))
  }

  /// Adds many entries; if several have one id, the last one counts.
  ///
  /// - Parameters:
  ///   - ids: the ids of the entries.
  ///   - values: the vectors, one after the other, in the order of the ids.
  ///   - payloads: one for each id, or none at all.
  /// - Throws: as for one entry. All vectors are checked before any is added; for this they are
  ///   copied in memory.
  public func add(
    ids: [UUID], values: [Float], payloads: [Data] = []
  ) throws(SimilarityIndexError) {
    guard values.count == ids.count * layout.dimension else {
      throw ids.count == 1
        ? .invalidVector(
          index: 0, reason: "\(values.count) values; this index has \(layout.dimension) a vector")
        : .unequalCounts(
          ids: ids.count, others: values.count, of: "values of vectors of \(layout.dimension)")
    }
    guard payloads.isEmpty || payloads.count == ids.count else {
      throw .unequalCounts(ids: ids.count, others: payloads.count, of: "payloads")
    }
    for payload in payloads where payload.count > Self.largestPayload {
      throw .payloadTooLarge(bytes: payload.count)
    }
    let rows = try EncodedRows(values, layout: layout)
    try change { core throws(SimilarityIndexError) in
      for (index, id) in ids.enumerated() {
        try core.add(
          id: id, row: index, of: rows, payload: payloads.isEmpty ? Data() : payloads[index])
      }
    }
  }

  /// Removes an entry, and answers whether there was one.
  ///
  /// - Throws: ``SimilarityIndexError``; all since the last commit is then dropped.
  @discardableResult
  public func remove(id: UUID) throws(SimilarityIndexError) -> Bool {
    var wasThere = false
    try change { core throws(SimilarityIndexError) in wasThere = try core.remove(id: id) }
    return wasThere
  }

  /// Drops all changes since the last commit.
  ///
  /// - Throws: ``SimilarityIndexError`` if not even that can be done; the writer is then closed.
  public func rollBack() throws(SimilarityIndexError) {
    try locked { () throws(SimilarityIndexError) in
      guard core != nil else { throw .closed(path: url.path) }
      try rollBackLocked()
    }
  }

  /// How many entries there are, uncommitted changes included; 0 once closed.
  public var count: Int { lock.withLock { core?.tally.entries ?? 0 } }

  /// The number of the last commit; 0 once closed.
  public var lastCommit: UInt64 { lock.withLock { core?.lastCommit ?? 0 } }

  /// Whether an entry with that id is there, uncommitted changes included.
  public func contains(_ id: UUID) -> Bool { lock.withLock { core?.contains(id) ?? false } }

  // MARK: Committing

  /// Commits all changes atomically: they are on the disk when this returns.
  ///
  /// If there are more entries than ``SimilarityOptions/exactLimit`` and enough of them are new,
  /// the graph is then updated, which takes a while.
  ///
  /// - Returns: the number of the commit, or of the last one if there was nothing to do.
  /// - Throws: ``SimilarityIndexError``; all changes since the last commit are then dropped.
  @discardableResult
  public func commit() throws(SimilarityIndexError) -> UInt64 {
    try locked { () throws(SimilarityIndexError) in
      let number = try commitLocked()
      updateGraph(isForced: false)
      return number
    }
  }

  /// Commits, and rewrites the index without dead data.
  ///
  /// The new index replaces the old one in one step; open readers keep the old one. A graph is made
  /// if there are more entries than ``SimilarityOptions/exactLimit``.
  ///
  /// - Complexity: O(*n*), without the graph; the disk needs space for a second copy.
  /// - Throws: ``SimilarityIndexError``; the index is then unchanged, with all changes committed.
  public func compact() throws(SimilarityIndexError) {
    try locked { () throws(SimilarityIndexError) in
      try commitLocked()
      try closingIfBroken { core throws(SimilarityIndexError) in try core.compact() }
      updateGraph(isForced: true)
    }
  }

  /// Ends the writer and lets another one in; what was not committed is dropped.
  public func close() {
    lock.withLock {
      // What cannot be cut off now is cut off by the next writer.
      try? core?.rollBack()
      core = nil
    }
  }

  deinit { close() }

  // MARK: Within the lock

  private func locked<Value>(
    _ body: () throws(SimilarityIndexError) -> Value
  ) throws(SimilarityIndexError) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  private func change(
    _ body: (WriterCore) throws(SimilarityIndexError) -> Void
  ) throws(SimilarityIndexError) {
    try locked { () throws(SimilarityIndexError) in
      guard let core else { throw .closed(path: url.path) }
      do throws(SimilarityIndexError) {
        try body(core)
      } catch {
        try? rollBackLocked()
        throw error
      }
    }
  }

  @discardableResult
  private func commitLocked() throws(SimilarityIndexError) -> UInt64 {
    try closingIfBroken { core throws(SimilarityIndexError) in
      do throws(SimilarityIndexError) {
        return try core.commit()
      } catch {
        if !core.isBroken { try? rollBackLocked() }
        throw error
      }
    }
  }

  private func closingIfBroken<Value>(
    _ body: (WriterCore) throws(SimilarityIndexError) -> Value
  ) throws(SimilarityIndexError) -> Value {
    guard let core else { throw .closed(path: url.path) }
    defer { if core.isBroken { self.core = nil } }
    return try body(core)
  }

  private func rollBackLocked() throws(SimilarityIndexError) {
    do throws(SimilarityIndexError) {
      try core?.rollBack()
    } catch {
      core = nil
      throw error
    }
  }

  /// Updates the graph if it is worth it.
  ///
  /// Commits do not need it. If a graph cannot be made or written, the old one stays, and searches
  /// compare all entries that are not in it.
  private func updateGraph(isForced: Bool) {
    guard let core, core.tally.entries > options.exactLimit,
      let reader = try? SimilarityReader(folder: url, options: options),
      let file = try? GraphBuilding.file(for: reader, isForced: isForced)
    else { return }
    try? core.replaceGraph(header: file.header, body: file.body)
  }
}
