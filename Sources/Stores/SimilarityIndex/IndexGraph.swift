import Foundation
import NearestNeighbors

/// The graph of an index, read when it is first needed.
///
/// It is optional. If a graph is missing, damaged or of another index, it is ignored, and searches
/// compare all entries. Rows that are newer than the graph are compared one by one, and removed
/// entries are skipped, so that it need not be written with every commit.
final class LazyGraph: @unchecked Sendable {
  // Safe to share: the lock guards `state`.

  /// A graph in memory.
  struct Loaded: Sendable {
    let graph: HNSWGraph
    /// How many rows it was made of.
    let rows: Int
  }

  private enum State {
    case unread
    case missing
    case loaded(Loaded)
  }

  /// The facts in the file's header, or nil if there is none that belongs to the index.
  let facts: IndexHeader.GraphFacts?
  /// How long the file is.
  let byteCount: Int
  private let path: String
  private let map: MappedBytes?
  private let lock = NSLock()
  private var state = State.unread

  /// Opens the file of an index, if there is one.
  init(of files: IndexFiles) {
    path = "\(files.path)/\(IndexFormat.graphName(files.header.generation))"
    guard let file = try? IndexInput.existing(path),
      let header = try? IndexFiles.header(of: file, .graph), header.isKin(of: files.header),
      // A graph that a writer made since the index was opened knows rows that are not there.
      header.graph.rows <= files.state.rowCount,
      header.graph.length == file.size - IndexFormat.headerLength,
      let map = try? file.map(count: file.size)
    else {
      facts = nil
      byteCount = 0
      self.map = nil
      return
    }
    facts = header.graph
    byteCount = map.bytes.count
    self.map = map
  }

  /// The graph, if there is one, it is sound, and there are enough entries for it.
  func current(for reader: SimilarityReader) -> Loaded? {
    reader.count > reader.options.exactLimit ? loaded(for: reader) : nil
  }

  /// The graph, if there is one and it is sound.
  func loaded(for reader: SimilarityReader) -> Loaded? {
    lock.withLock {
      switch state {
      case .loaded(let loaded): return loaded
      case .missing: return nil
      case .unread:
        let loaded = try? load(reader.layout)
        state = loaded.map { .loaded($0) } ?? .missing
        return loaded
      }
    }
  }

  /// Looks at all of the file, if there is one.
  func verify(for reader: SimilarityReader) throws(SimilarityIndexError) {
    _ = try load(reader.layout)
  }

  private func load(_ layout: VectorLayout) throws(SimilarityIndexError) -> Loaded? {
    guard let map, let facts else { return nil }
    let body = UnsafeRawBufferPointer(rebasing: map.bytes[IndexFormat.headerLength...])
    guard XXHash64.digest(body, seed: facts.rows) == facts.check else {
      throw .damaged(
        path: path, offset: IndexFormat.headerLength, reason: "the graph's checksum is wrong")
    }
    do {
      let graph = try HNSWGraph(bytes: body, layout: layout)
      guard graph.rowCapacity <= facts.rows else {
        throw NeighborSearchError.damagedGraph(reason: "it knows rows beyond \(facts.rows)")
      }
      return Loaded(graph: graph, rows: Int(facts.rows))
    } catch {
      throw .damaged(path: path, offset: IndexFormat.headerLength, reason: "\(error)")
    }
  }
}

extension SimilarityReader {
  /// The nearest rows by the graph, and by comparing each row that is not in it.
  func throughGraph(
    _ loaded: LazyGraph.Loaded, _ query: [Float], k: Int, filter: EntryFilter
  ) throws -> [Neighbor] {
    try checks.check(from: loaded.rows, of: files)
    var neighbors = try loaded.graph.nearest(
      to: query, k: k, ef: max(k, options.searchBreadth), rows: files.rows,
      isIncluded: { filter.includes($0) })
    for neighbor in neighbors {
      if let fault = files.fault(inRow: neighbor.row) { throw fault }
    }
    if loaded.rows < files.state.rowCount {
      neighbors += try flat(query, k: k, from: loaded.rows, filter: filter)
      neighbors.sort { ($0.distance, $0.row) < ($1.distance, $1.row) }
      neighbors.removeLast(max(0, neighbors.count - k))
    }
    // A walk ends if nothing nearby may be found; that there is nothing anywhere it cannot tell.
    guard neighbors.count < min(k, count), filter.failure == nil else { return neighbors }
    try checks.check(from: 0, of: files)
    return try flat(query, k: k, from: 0, filter: filter)
  }
}

/// Makes the graph of an index, or brings it up to date.
enum GraphBuilding {
  /// With more rows than this, and this share of all rows, missing from the graph, it is made
  /// again.
  static let fewestMissing = 4096
  static let missingShare = 8

  /// The file of a graph of all entries, or nil if the one there is new enough.
  ///
  /// - Parameter isForced: whether a single missing row is enough.
  static func file(
    for reader: SimilarityReader, isForced: Bool
  ) throws -> (header: [UInt8], body: [UInt8])? {
    let rows = reader.files.state.rowCount
    let loaded = reader.graph.loaded(for: reader)
    if let loaded {
      let missing = rows - loaded.rows
      let isStale =
        isForced ? missing > 0 : missing > max(fewestMissing, rows / missingShare)
      guard isStale else { return nil }
    }
    try reader.checks.check(from: 0, of: reader.files)
    var graph = try loaded?.graph ?? HNSWGraph(layout: reader.layout, settings: HNSWSettings())
    let isLive = reader.files.state.isLive
    for row in 0..<graph.rowCapacity where !isLive[row] && graph.contains(row) {
      try graph.remove(row)
    }
    try graph.insert(
      (0..<rows).filter { isLive[$0] && !graph.contains($0) }, rows: reader.files.rows,
      threads: ProcessInfo.processInfo.activeProcessorCount)
    let recall = try recall(of: graph, for: reader)
    let body = graph.serialized()
    var header = reader.files.header
    header.graph = IndexHeader.GraphFacts(
      rows: UInt64(rows), length: UInt64(body.count),
      check: body.withUnsafeBytes { XXHash64.digest($0, seed: UInt64(rows)) },
      recall: UInt32((recall.share * 1e6).rounded()), queries: UInt32(recall.queries))
    return (header.bytes(of: .graph), body)
  }

  /// How many of the ten nearest entries of some entries the graph finds, the entry itself left
  /// out.
  private static func recall(
    of graph: HNSWGraph, for reader: SimilarityReader
  ) throws -> (share: Double, queries: Int) {
    let isLive = reader.files.state.isLive
    let rows = isLive.indices.filter { isLive[$0] }
    let step = max(1, rows.count / 100)
    var (found, sought, queries) = (0, 0, 0)
    for place in stride(from: 0, to: rows.count, by: step) {
      let row = rows[place]
      let query = try SimilarityEntry(files: reader.files, row: row).vector()
      // A vector of zeros, kept in few bits, may have no direction any more.
      guard
        let near = try? graph.nearest(
          to: query, k: 11, ef: SimilarityOptions.standard.searchBreadth, rows: reader.files.rows)
      else { continue }
      let exact = try FlatSearch(layout: reader.layout).nearest(
        to: query, k: 11, rows: reader.files.rows, count: isLive.count,
        isIncluded: { isLive[$0] })
      let true10 = Set(exact.map(\.row).filter { $0 != row }.prefix(10))
      sought += true10.count
      found += near.count { true10.contains($0.row) }
      queries += 1
    }
    return (sought == 0 ? 1 : Double(found) / Double(sought), queries)
  }
}
