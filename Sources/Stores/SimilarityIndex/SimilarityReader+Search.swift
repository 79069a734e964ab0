import Foundation
import NearestNeighbors

/// An entry that is near a query.
public struct SimilarityMatch: Hashable, Sendable {
  /// The entry's id.
  public let id: UUID
  /// How far it is from the query, by the index's metric; the smaller, the nearer.
  public let distance: Float
  /// The entry's payload.
  public let payload: Data

  /// The payload as text, or nil if that is not UTF-8.
  public var text: String? { String(data: payload, encoding: .utf8) }
}

extension SimilarityReader {
  /// Whether searches go through the graph, and may miss some of the nearest.
  public var isApproximate: Bool { graph.current(for: self) != nil }

  /// The entries nearest to a query, nearest first.
  ///
  /// Entries of equal distance are in the order they were added. The search is exact, unless
  /// ``isApproximate``. Every vector is checked before it is first compared; with a graph, before
  /// it is returned. The payloads of the results are checked.
  ///
  /// - Parameters:
  ///   - query: finite values, one per dimension of the index; for the cosine metric not all zero.
  ///   - k: the number of entries to find, 0 or more; fewer are found if there are fewer.
  ///   - isIncluded: whether an entry may be found; called only for entries that are near enough.
  /// - Complexity: O(*n d*) for *n* entries of *d* values; with the graph about O(*d* log *n*).
  /// - Throws: ``SimilarityIndexError``, and what `isIncluded` throws.
  public func search(
    _ query: [Float], k: Int, where isIncluded: ((SimilarityEntry) throws -> Bool)? = nil
  ) throws -> [SimilarityMatch] {
    guard k >= 0 else {
      throw SimilarityIndexError.outOfRange(name: "k", value: k, range: "0 or more")
    }
    let filter = EntryFilter(files: files, isIncluded: isIncluded)
    let neighbors: [Neighbor]
    do {
      if let graph = graph.current(for: self) {
        neighbors = try throughGraph(graph, query, k: k, filter: filter)
      } else {
        try checks.check(from: 0, of: files)
        neighbors = try flat(query, k: k, from: 0, filter: filter)
      }
    } catch let error as NeighborSearchError {
      throw SimilarityIndexError.invalidVector(index: 0, reason: "\(error)")
    }
    if let failure = filter.failure { throw failure }
    return try neighbors.map { neighbor in
      SimilarityMatch(
        id: files.id(inRow: neighbor.row), distance: neighbor.distance,
        payload: try files.payload(inRow: neighbor.row))
    }
  }

  /// The nearest of the rows from one on, by comparing all.
  func flat(
    _ query: [Float], k: Int, from first: Int, filter: EntryFilter
  ) throws -> [Neighbor] {
    let rows = UnsafeRawBufferPointer(rebasing: files.rows[(first * layout.rowStride)...])
    return try FlatSearch(layout: layout)
      .nearest(
        to: query, k: k, rows: rows, count: files.state.rowCount - first,
        isIncluded: { filter.includes($0 + first) }
      )
      .map { Neighbor(row: $0.row + first, distance: $0.distance) }
  }
}

/// Says which rows may be found, and keeps what a caller's predicate threw meanwhile.
final class EntryFilter {
  private let files: IndexFiles
  private let isIncluded: ((SimilarityEntry) throws -> Bool)?
  /// What the predicate threw first; nothing is found from then on.
  private(set) var failure: (any Error)?

  init(files: IndexFiles, isIncluded: ((SimilarityEntry) throws -> Bool)?) {
    self.files = files
    self.isIncluded = isIncluded
  }

  /// Whether a row is an entry's that the caller wants.
  func includes(_ row: Int) -> Bool {
    guard failure == nil, files.state.isLive[row] else { return false }
    guard let isIncluded else { return true }
    do {
      return try isIncluded(SimilarityEntry(files: files, row: row))
    } catch {
      failure = error
      return false
    }
  }
}
