import Foundation
import NearestNeighbors
import VisionProtocols

/// Finds the known objects most similar to an image, with an embedder and an index of its
/// embeddings.
///
/// ```swift
/// let library = try LikenessLibrary(folder: things)
/// try library.check(identity)
/// if let reader = try library.reader() {
///   let searcher = try IndexLikenessSearcher(reader, embedder: embedder)
///   let matches = try await searcher.likenesses(of: photo, maximumCount: 5)
/// }
/// ```
///
/// The names of matches are those of the entries' ``LikenessRecord``s; an entry with another
/// payload has none.
public struct IndexLikenessSearcher<Embedder: ImageEmbedder>: LikenessSearcher {
  /// The image type that the embedder reads.
  public typealias Image = Embedder.Image

  /// The index to search.
  public let reader: SimilarityReader
  /// What turns images into vectors; the one that made those of the index.
  public let embedder: Embedder

  /// Joins an index and an embedder.
  ///
  /// - Throws: ``LikenessLibraryError`` if the vectors have another dimension, or the index
  ///   measures anything but the cosine.
  public init(_ reader: SimilarityReader, embedder: Embedder) throws(LikenessLibraryError) {
    guard reader.layout.metric == .cosine else { throw .notCosine(path: reader.url.path) }
    guard reader.layout.dimension == embedder.dimension else {
      throw .otherDimension(
        path: reader.url.path, dimension: reader.layout.dimension, given: embedder.dimension)
    }
    self.reader = reader
    self.embedder = embedder
  }

  /// The entries most similar to the image, most similar first, at most `maximumCount`.
  ///
  /// - Throws: ``SimilarityIndexError``; what the embedder throws; `CancellationError`.
  public func likenesses(
    of image: Embedder.Image, maximumCount: Int
  ) async throws -> [LikenessMatch] {
    try await entries(like: image, maximumCount: maximumCount).map { found in
      LikenessMatch(id: found.entry.id, name: found.entry.record.name, cosine: found.cosine)
    }
  }

  /// The same with all that is known of the entries.
  ///
  /// - Throws: as ``likenesses(of:maximumCount:)``.
  public func entries(
    like image: Embedder.Image, maximumCount: Int
  ) async throws -> [(entry: LikenessEntry, cosine: Float)] {
    let rows = try await embedder.embeddings(of: [image])
    guard rows.count == 1 else { return [] }
    try Task.checkCancellation()
    return try reader.search(Array(rows[row: 0]), k: max(1, maximumCount)).map { match in
      let record = LikenessRecord(payload: match.payload)
      // Rounding may leave the distance of a vector from itself a little below 0.
      return (
        entry: LikenessEntry(id: match.id, record: record),
        cosine: min(max(1 - match.distance, -1), 1)
      )
    }
  }
}
