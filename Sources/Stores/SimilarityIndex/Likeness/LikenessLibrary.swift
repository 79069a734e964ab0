import Foundation
import NearestNeighbors

/// A folder of known objects: an index of embeddings, and the identity of the embedder that made
/// them.
///
/// ```text
/// things.library/
///   library.json     the embedder's identity
///   vectors/         the index, which `SimilarityReader` opens by itself too
/// ```
///
/// `library.json` is written atomically before the index is made, and never changed, so that each
/// library has its embedder's identity. If making a library is stopped at any moment, the next
/// ``writer()`` completes it. The guarantees of ``SimilarityWriter`` for entries hold here too.
public struct LikenessLibrary: Sendable {
  /// The folder.
  public let url: URL
  /// The embedder that made the vectors.
  public let embedder: EmbedderIdentity

  static let identityName = "library.json"
  static let draftPrefix = ".library.json."
  static let indexName = "vectors"
  static let version = 1
  /// The most bytes of `library.json` that are read.
  static let largestIdentity = 1 << 16

  /// The content of `library.json`.
  struct Header: Codable {
    var version: Int
    var embedder: EmbedderIdentity
  }

  /// Opens a library.
  ///
  /// - Throws: ``LikenessLibraryError``.
  public init(folder: URL) throws(LikenessLibraryError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) else {
      throw .noLibrary(path: folder.path)
    }
    guard isFolder.boolValue else {
      throw .notALibrary(path: folder.path, reason: "it is a file, and a library is a folder")
    }
    let file = folder.appendingPathComponent(Self.identityName).path
    guard FileManager.default.fileExists(atPath: file) else {
      throw .notALibrary(path: folder.path, reason: "there is no \(Self.identityName) in it")
    }
    let data = try Self.contents(of: file)
    guard let version = (try? JSONDecoder().decode(VersionOnly.self, from: data))?.version else {
      throw .notALibrary(path: file, reason: "it is damaged")
    }
    guard version <= Self.version else { throw .fromTheFuture(path: file, version: version) }
    guard let header = try? JSONDecoder().decode(Header.self, from: data),
      header.embedder.dimension > 0
    else { throw .notALibrary(path: file, reason: "it is damaged") }
    url = folder
    embedder = header.embedder
  }

  private struct VersionOnly: Codable {
    var version: Int
  }

  /// Opens the library in a folder, or makes one if there is nothing yet or an empty folder.
  ///
  /// - Throws: ``LikenessLibraryError``, ``LikenessLibraryError/otherEmbedder(path:has:given:)`` if
  ///   it is another embedder's.
  public init(
    openingOrCreating folder: URL, embedder: EmbedderIdentity
  ) throws(LikenessLibraryError) {
    let files = FileManager.default
    let isThere = files.fileExists(atPath: folder.path)
    // A draft may be there of a process that was stopped before it had written it.
    let isEmpty =
      (try? files.contentsOfDirectory(atPath: folder.path))?.allSatisfy {
        $0.hasPrefix(Self.draftPrefix)
      } ?? false
    if !isThere || isEmpty { try Self.create(folder, embedder) }
    try self.init(folder: folder)
    try check(embedder)
  }

  /// Throws if an embedder is not the one that made the vectors.
  ///
  /// - Throws: ``LikenessLibraryError/otherEmbedder(path:has:given:)``.
  public func check(_ given: EmbedderIdentity) throws(LikenessLibraryError) {
    guard embedder.isComparable(with: given) else {
      throw .otherEmbedder(path: url.path, has: embedder.summary, given: given.summary)
    }
  }

  /// The folder of the index.
  public var index: URL { url.appendingPathComponent(Self.indexName) }

  /// Opens the index for searching, or returns nil if nothing was ever added.
  ///
  /// - Throws: ``SimilarityIndexError``; ``LikenessLibraryError`` if the index is not the
  ///   library's.
  public func reader() throws -> SimilarityReader? {
    guard FileManager.default.fileExists(atPath: index.path),
      try IndexFolder.names(in: index.path) != []
    else { return nil }
    let reader = try SimilarityReader(folder: index)
    try checkLayout(reader.layout)
    return reader
  }

  /// Opens the index for changing, and makes it if it is not there.
  ///
  /// - Throws: as ``reader()``; ``SimilarityIndexError/locked(path:)`` if another writer has it
  ///   open.
  public func writer() throws -> SimilarityWriter {
    let writer = try changingWriter()
    try checkLayout(writer.layout)
    return writer
  }

  private func changingWriter() throws(SimilarityIndexError) -> SimilarityWriter {
    do {
      // This also completes one whose making was stopped.
      return try SimilarityWriter(creating: index, dimension: embedder.dimension)
    } catch {
      // Swift 6.2 cannot compile a pattern after `catch` that leaves this error to the function.
      guard case .exists = error else { throw error }
      return try SimilarityWriter(opening: index)
    }
  }

  /// Every entry, in the order they were added.
  ///
  /// - Throws: as ``reader()``.
  public func entries() throws -> [LikenessEntry] {
    var entries: [LikenessEntry] = []
    try reader()?.forEachEntry { entry in
      entries.append(
        LikenessEntry(id: entry.id, record: LikenessRecord(payload: try entry.payload())))
    }
    return entries
  }

  private func checkLayout(_ layout: VectorLayout) throws(LikenessLibraryError) {
    guard layout.metric == .cosine else { throw .notCosine(path: index.path) }
    guard layout.dimension == embedder.dimension else {
      throw .otherDimension(
        path: index.path, dimension: layout.dimension, given: embedder.dimension)
    }
  }
}
